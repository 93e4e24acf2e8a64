import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { credentialsFile } from "../../local/credentials.ts";
import { demoFile } from "../../local/provision.ts";
import { tableFile } from "../../local/stores/dynamodb.ts";
import { openData } from "../../local/stores/open-data.ts";
import { makeDirectory, ownDirectory } from "../../local/stores/own-directory.ts";
import { queueFile } from "../../local/stores/queue-and-objects.ts";
import { tokenKeysPath } from "../../local/token-key-file.ts";
import { UserError } from "../../local/user-error.ts";
import type { BackupManifest, FileName } from "./backup-files.ts";
import { type BackupSource, openBackup } from "./backup-source.ts";
import type { Progress } from "./progress.ts";
import { restoreFile, restoreObjects } from "./restore-objects.ts";
import { type Verification, verify } from "./verify.ts";

/** What a restored directory was made of, and what came of holding its store to its table. */
export interface RestoreDone {
  readonly manifest: BackupManifest;
  readonly verification: Verification;
}

export interface RestoreOptions {
  /** Rows are read, too, when all is verified. */
  readonly isDeep: boolean;
  readonly progress: Progress;
}

/** The folder of a restore that is under way, beside the directory that it becomes as a whole once everything is there. */
const unfinishedFolder = (dataDir: string): string => `${dataDir}.restoring`;

/** Says of which backup an unfinished folder is made. */
const MARK = "restoring";

/**
 * Makes a data directory of a backup. All is put into a folder beside it, which becomes the directory in the end: so there never is half of
 * one that a platform would start on. The same command goes on where it was broken off.
 */
export const restoreDirectory = async (from: string, dataDir: string, { isDeep, progress }: RestoreOptions): Promise<RestoreDone> => {
  const directory = resolve(dataDir);
  checkEmpty(directory);
  const source = await openBackup(from);
  try {
    return { manifest: source.manifest, verification: await restore(source, directory, { isDeep, progress }) };
  } finally {
    await source.close();
  }
};

const restore = async (source: BackupSource, directory: string, { isDeep, progress }: RestoreOptions): Promise<Verification> => {
  const unfinished = unfinishedFolder(directory);
  begin(unfinished, source.manifest.id);
  const restoreOne = (name: FileName, to: string) => restoreFile(source, name, to);
  const database = async (name: "table" | "queues", to: string): Promise<void> => {
    for (const end of ["-wal", "-shm"]) rmSync(to + end, { force: true });
    await restoreOne(name, to);
  };
  await database("table", tableFile(unfinished));
  await database("queues", queueFile(unfinished));
  await restoreOne("token-keys", tokenKeysPath(unfinished));
  await restoreOne("credentials", credentialsFile(unfinished));
  await restoreOne("demo", demoFile(unfinished));
  const data = await openData(unfinished);
  const verification = await (async () => {
    try {
      await restoreObjects(source, data.world, progress);
      progress.at("Everything is there; now it is verified.");
      return await verify(data.world, { isDeep, onProgress: progress.at });
    } finally {
      await data.close();
      progress.end();
    }
  })();
  for (const name of [MARK, "engine"]) rmSync(join(unfinished, name), { recursive: true, force: true });
  renameSync(unfinished, directory);
  return verification;
};

const checkEmpty = (directory: string): void => {
  if (!existsSync(directory)) {
    ownDirectory(directory, "--data-dir", () => makeDirectory(dirname(directory)));
    return;
  }
  let names: readonly string[];
  try {
    names = readdirSync(directory);
  } catch {
    throw new UserError(`${directory} is no directory: name another one with --data-dir.`);
  }
  if (names.length > 0)
    throw new UserError(`${directory} is not empty: name a directory that is not there yet with --data-dir, or take away what is in it.`);
};

/** Goes on with what was begun of the same backup, and throws away what was begun of another one. */
const begin = (unfinished: string, id: string): void => {
  const mark = join(unfinished, MARK);
  const isSame = existsSync(mark) && readFileSync(mark, "utf8") === id;
  if (!isSame) rmSync(unfinished, { recursive: true, force: true });
  ownDirectory(unfinished, "--data-dir", () => makeDirectory(dirname(queueFile(unfinished)), 0o700));
  writeFileSync(mark, id);
};
