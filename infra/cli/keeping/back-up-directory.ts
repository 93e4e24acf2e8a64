import { randomUUID } from "node:crypto";
import { rmSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import type { World } from "../../../lib/app/world.ts";
import { forEachConcurrent } from "../../../lib/core/concurrency.ts";
import { publishedKeys } from "../../../lib/iceberg/published-keys.ts";
import { type NamedObject, readNames } from "../../../lib/lake/names.ts";
import { credentialsFile } from "../../local/credentials.ts";
import { demoFile } from "../../local/provision.ts";
import { copyDatabase, countMessages, joinQueues, pointersIn, readingTable } from "../../local/stores/copies.ts";
import { tableFile } from "../../local/stores/dynamodb.ts";
import { queueFile } from "../../local/stores/queue-and-objects.ts";
import { tokenKeysPath } from "../../local/token-key-file.ts";
import { UserError } from "../../local/user-error.ts";
import { localTarget } from "../local-target.ts";
import {
  type BackupPage,
  backupFile,
  copyWhole,
  type FileName,
  makeFolder,
  objectCopy,
  readPage,
  syncedDigest,
  writePage,
} from "./backup-files.ts";
import { everyOrganization } from "./everybody.ts";
import { foldersOfOrganization, foldersOfProject } from "./named-elsewhere.ts";
import { type ObjectList, openObjectList } from "./object-list.ts";
import type { Progress } from "./progress.ts";

/** What a backup did. */
export interface BackupDone extends Omit<BackupPage, "v"> {
  /** Objects that were copied just now: the others were there from a backup before. */
  readonly copied: number;
}

/**
 * Copies a data directory into a folder while the platform runs on it: the messages, then the table as it is at one moment, then every
 * object that this copy of the table names, then the messages once more. An event that was acknowledged before is a message in the first
 * copy, or its commit is in the table. Objects never change, so those of an earlier backup are not copied again; where one is gone that
 * the copied table names, the table is copied anew. The page that makes it a backup is written last.
 */
export const backUpDirectory = async (dataDir: string, to: string, progress: Progress): Promise<BackupDone> => {
  const folder = resolve(to);
  checkPlaces(dataDir, folder);
  makeFolder(folder);
  readPage(folder);
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
  const copying = openCopying(world, folder, list, id, progress);
  for (let attempt = 1; ; attempt += 1) {
    await copyDatabase(tableFile(dataDir), file("table"));
    const missing = await readingTable(file("table"), (table) => copyNamed({ ...world, table }, copying));
    if (missing.length === 0) break;
    if (attempt === TRIES) throw incomplete(missing);
    progress.line(`${missing.length} of the objects that the table names were replaced since it was copied: it is copied again.`);
  }
  await copyDatabase(queueFile(dataDir), file("queues"));
  joinQueues(file("queues"), earlier);
  rmSync(earlier);
  // One that is gone cannot be restored, and its message will be given up on there as it will be here.
  for (const key of pointersIn(file("queues"))) await copying.copy(key, {});
  progress.end();
  const aside = async (name: FileName, from: string) => {
    const copied = await copyWhole(from, file(name));
    return copied && { [name]: copied };
  };
  const page = {
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
  await writePage(folder, page);
  for (const key of list.keepOnly(id)) rmSync(objectCopy(folder, key), { force: true });
  return { ...page, copied: copying.copied() };
};

const now = ({ clock }: Pick<World, "clock">): string => new Date(clock.now()).toISOString();

const incomplete = (missing: readonly string[]): UserError =>
  new UserError(
    `The store lacks ${missing.length} of the objects that the table names, such as ${missing[0]}: there is no backup of that. \`admin verify\` lists what is missing, and the guide says what to do about it. What was copied is kept, and an earlier backup in the directory is as it was.`,
  );

interface Copying {
  /** Whether the backup has an object now. One of another length than was said is none. */
  copy(key: string, named: Pick<NamedObject, "bytes">): Promise<boolean>;
  copied(): number;
}

const openCopying = ({ objects }: Pick<World, "objects">, folder: string, list: ObjectList, id: string, progress: Progress): Copying => {
  let [there, copied, bytes] = [0, 0, 0];
  const has = (key: string): boolean => {
    const known = list.copied(key);
    return known !== undefined && statSync(objectCopy(folder, key), { throwIfNoEntry: false })?.size === known.bytes;
  };
  const bring = async (key: string, named: Pick<NamedObject, "bytes">): Promise<boolean> => {
    const from = objects.localPath(key);
    const copy = from === undefined ? undefined : await copyWhole(from, objectCopy(folder, key));
    if (copy === undefined || (named.bytes !== undefined && named.bytes !== copy.bytes)) return false;
    list.addCopy({ key, ...copy });
    copied += 1;
    bytes += copy.bytes;
    return true;
  };
  return {
    async copy(key, named) {
      if (!has(key) && !(await bring(key, named))) return false;
      list.addName(id, key);
      there += 1;
      progress.at(`${there} objects, ${copied} of them copied now (${(bytes / BYTES_A_MEGABYTE).toFixed(1)} MB)`);
      return true;
    },
    copied: () => copied,
  };
};

const BYTES_A_MEGABYTE = 1_000_000;

/** Objects that are copied side by side. */
const CONCURRENCY = 8;

type NamingParts = Pick<World, "table" | "objects" | "clock">;

/** Copies what a table names, and gives the keys of what readers need and the store does not have. Usage first: it is replaced the soonest. */
const copyNamed = async (parts: NamingParts, copying: Copying): Promise<readonly string[]> => {
  const missing: string[] = [];
  const copyAll = async (names: Iterable<readonly [string, Pick<NamedObject, "isNeeded" | "bytes">]>): Promise<void> => {
    await forEachConcurrent([...names], CONCURRENCY, async ([key, named]) => {
      if (!(await copying.copy(key, named)) && named.isNeeded) missing.push(key);
    });
  };
  const projects: number[] = [];
  for await (const organization of everyOrganization(parts.table)) {
    for (const { names } of await foldersOfOrganization(parts.table, organization.id)) await copyAll(needed(await names()));
    projects.push(...organization.projects.map(({ id }) => id));
  }
  for (const project of projects) {
    const names = await namesOf(parts, project, missing);
    await copyAll(names);
    for (const folder of foldersOfProject(parts.table, project)) await copyAll(needed(await folder.names()));
  }
  return missing;
};

const needed = <T extends Pick<NamedObject, "isNeeded">>(names: Iterable<readonly [string, T]>): readonly (readonly [string, T])[] =>
  [...names].filter(([, { isNeeded }]) => isNeeded);

/** Snapshots of published tables name files that were retired: where there are any, these are copied as long as they are there. */
const namesOf = async ({ table, objects, clock }: NamingParts, project: number, missing: string[]) => {
  const published = async (): Promise<Iterable<string>> => {
    try {
      return await publishedKeys({ table, objects }, project);
    } catch {
      missing.push(`the published tables of project ${project}`);
      return [];
    }
  };
  const names = await readNames({ table, objects, clock }, project, published, (key) => missing.push(key));
  if (names === "removed") return [];
  missing.push(...names.gone);
  const isPublished = [...names.objects.values()].some(({ what }) => what === "published");
  return isPublished ? [...names.objects] : needed(names.objects);
};
