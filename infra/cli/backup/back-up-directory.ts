import { randomUUID } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { World } from "../../../lib/app/world.ts";
import { credentialsFile } from "../../local/credentials.ts";
import { demoFile } from "../../local/provision.ts";
import { copyDatabase, countMessages, joinQueues, pointersIn, readingTable } from "../../local/stores/copies.ts";
import { tableFile } from "../../local/stores/dynamodb.ts";
import { queueFile } from "../../local/stores/queue-and-objects.ts";
import { tokenKeysPath } from "../../local/token-key-file.ts";
import { UserError } from "../../local/user-error.ts";
import { localTarget } from "../local-target.ts";
import {
  type BackupManifest,
  backupFile,
  copyWhole,
  type FileName,
  makeFolder,
  objectCopy,
  readManifest,
  syncedDigest,
  writeManifest,
} from "./backup-files.ts";
import { copyNamedObjects, incomplete } from "./copy-named-objects.ts";
import { type CopyTarget, openObjectCopier } from "./object-copier.ts";
import { type ObjectList, openObjectList } from "./object-list.ts";
import type { Progress } from "./progress.ts";

/** What a backup did. */
export interface BackupDone extends Omit<BackupManifest, "v"> {
  /** Objects that were copied just now: the others were there from a backup before. */
  readonly copied: number;
}

/**
 * Copies a data directory into a folder while the platform runs on it: the messages, then the table as it is at one moment, then every
 * object that this copy of the table names, then the messages once more. An event that was acknowledged before is a message in the first
 * copy, or its commit is in the table. Objects never change, so those of an earlier backup are not copied again; where one is gone that
 * the copied table names, the table is copied anew. The manifest that makes it a backup is written last.
 */
export const backUpDirectory = async (dataDir: string, to: string, progress: Progress): Promise<BackupDone> => {
  const folder = resolve(to);
  checkPlaces(dataDir, folder);
  makeFolder(folder);
  readManifest(folder);
  const list = openObjectList(folder);
  try {
    const target = await localTarget(dataDir, { makes: false });
    try {
      return await backUp(target.world, dataDir, folder, list, progress);
    } finally {
      await target.close();
    }
  } finally {
    list.close();
  }
};

const checkPlaces = (dataDir: string, folder: string): void => {
  if (`${folder}${sep}`.startsWith(`${resolve(dataDir)}${sep}`))
    throw new UserError(`${folder} lies in the data directory itself: name another directory with --to.`);
  if (process.env.DYNAMODB_ENDPOINT)
    throw new UserError("The table lies in the DynamoDB at DYNAMODB_ENDPOINT and not in the data directory: back it up where it runs.");
};

/** Copies of the table that are tried: one in use replaces what is named in seconds, and what was copied once is there. */
const TRIES = 5;

const backUp = async (world: World, dataDir: string, folder: string, list: ObjectList, progress: Progress): Promise<BackupDone> => {
  const id = randomUUID();
  const file = (name: FileName): string => backupFile(folder, id, name);
  const earlier = `${file("queues")}-earlier`;
  const began_at = now(world);
  await copyDatabase(queueFile(dataDir), earlier);
  const copier = openObjectCopier(copiesInFolder(world, folder), list, id, progress);
  for (let attempt = 1; ; attempt += 1) {
    await copyDatabase(tableFile(dataDir), file("table"));
    const missing = await readingTable(file("table"), (table) => copyNamedObjects({ ...world, table }, copier));
    if (missing.length === 0) break;
    if (attempt === TRIES) throw incomplete(missing);
    progress.line(`${missing.length} of the objects that the table names were replaced since it was copied: it is copied again.`);
  }
  await copyDatabase(queueFile(dataDir), file("queues"));
  joinQueues(file("queues"), earlier);
  rmSync(earlier);
  // One that is gone cannot be restored, and its message will be given up on there as it will be here.
  for (const key of pointersIn(file("queues"))) await copier.copy(key, {});
  progress.end();
  const aside = async (name: FileName, from: string) => {
    const copied = await copyWhole(from, file(name));
    return copied && { [name]: copied };
  };
  const manifest = {
    id,
    generation: world.config.writeFormats,
    began_at,
    files: {
      table: await syncedDigest(file("table")),
      queues: await syncedDigest(file("queues")),
      ...(await aside("token-keys", tokenKeysPath(dataDir))),
      ...(await aside("credentials", credentialsFile(dataDir))),
      ...(await aside("demo", demoFile(dataDir))),
    },
    objects: list.total(id),
    messages: countMessages(file("queues")),
    ended_at: now(world),
  };
  await writeManifest(folder, manifest);
  for (const key of list.keepOnly(id)) rmSync(objectCopy(folder, key), { force: true });
  return { ...manifest, copied: copier.copied() };
};

const now = ({ clock }: Pick<World, "clock">): string => new Date(clock.now()).toISOString();

/** Copies of objects in a folder. One that a kill left there in no list is copied again: that costs a copy on the same machine. */
const copiesInFolder = ({ objects }: Pick<World, "objects">, folder: string): CopyTarget => ({
  bytesOf: (key) => statSync(objectCopy(folder, key), { throwIfNoEntry: false })?.size,
  identify: async () => undefined,
  async copy(key) {
    const from = objects.localPath(key);
    return from === undefined ? undefined : await copyWhole(from, objectCopy(folder, key));
  },
});
