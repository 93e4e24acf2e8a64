import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { forEachConcurrent } from "../../../lib/core/concurrency.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { credentialsFile } from "../../local/credentials.ts";
import { demoFile } from "../../local/provision.ts";
import { tableFile } from "../../local/stores/dynamodb.ts";
import { openData } from "../../local/stores/open-data.ts";
import { queueFile } from "../../local/stores/queue-and-objects.ts";
import { tokenKeysPath } from "../../local/token-key-file.ts";
import { UserError } from "../../local/user-error.ts";
import { type BackupPage, backupFile, copyWhole, digestFile, type FileName, objectCopy, readPage } from "./backup-files.ts";
import { type CopiedObject, openObjectList } from "./object-list.ts";
import type { Progress } from "./progress.ts";
import { type Verification, verify } from "./verify.ts";

/** What a restored directory was made of, and what came of holding its store to its table. */
export interface RestoreDone {
  readonly page: BackupPage;
  readonly verification: Verification;
}

/** The folder of a restore that is under way, beside the directory that it becomes as a whole once everything is there. */
const unfinishedFolder = (dataDir: string): string => `${dataDir}.restoring`;

/** Says of which backup an unfinished folder is made. */
const MARK = "restoring";

/**
 * Makes a data directory of a backup. All is put into a folder beside it, which becomes the directory in the end: so there never is half of
 * one that a platform would start on. The same command goes on where it was broken off.
 */
export const restoreDirectory = async (
  from: string,
  dataDir: string,
  { isDeep, progress }: { readonly isDeep: boolean; readonly progress: Progress },
): Promise<RestoreDone> => {
  const [folder, directory] = [resolve(from), resolve(dataDir)];
  checkEmpty(directory);
  const page = readPage(folder);
  if (page === undefined) throw new UserError(`There is no whole backup in ${folder}: name another directory with --from.`);
  const unfinished = unfinishedFolder(directory);
  begin(unfinished, page.id);
  const bring = async (name: FileName, to: string): Promise<void> => {
    const said = page.files[name];
    if (said === undefined) return;
    const copied = await copyWhole(backupFile(folder, page.id, name), to);
    if (copied?.sha256 !== said.sha256) throw damaged(folder, `its ${name} file`);
  };
  const database = async (name: "table" | "queues", to: string): Promise<void> => {
    for (const end of ["-wal", "-shm"]) rmSync(to + end, { force: true });
    await bring(name, to);
  };
  await database("table", tableFile(unfinished));
  await database("queues", queueFile(unfinished));
  await bring("token-keys", tokenKeysPath(unfinished));
  await bring("credentials", credentialsFile(unfinished));
  await bring("demo", demoFile(unfinished));
  const data = await openData(unfinished);
  const verification = await (async () => {
    try {
      await bringObjects(folder, page, data.world.objects, progress);
      progress.at("Everything is there; now it is verified.");
      return await verify(data.world, { isDeep, onProgress: progress.at });
    } finally {
      await data.close();
      progress.end();
    }
  })();
  for (const name of [MARK, "engine"]) rmSync(join(unfinished, name), { recursive: true, force: true });
  renameSync(unfinished, directory);
  return { page, verification };
};

const checkEmpty = (directory: string): void => {
  if (!existsSync(directory)) {
    mkdirSync(dirname(directory), { recursive: true });
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
  mkdirSync(dirname(queueFile(unfinished)), { recursive: true, mode: 0o700 });
  writeFileSync(mark, id);
};

const damaged = (folder: string, what: string): UserError =>
  new UserError(`The backup in ${folder} is damaged: ${what} is missing or is not what was written. Take another backup.`);

/** Objects that are put side by side. */
const CONCURRENCY = 8;
/** So many of the list are held at a time. */
const LISTED_AT_ONCE = 1_000;

const bringObjects = async (folder: string, page: BackupPage, objects: Objects, progress: Progress): Promise<void> => {
  const list = openObjectList(folder, { readOnly: true });
  try {
    if (list.total(page.id).sha256 !== page.objects.sha256) throw damaged(folder, "its list of objects");
    let put = 0;
    const bring = async ({ key, bytes, sha256 }: CopiedObject): Promise<void> => {
      const copy = objectCopy(folder, key);
      const found = await digestFile(copy).catch(() => undefined);
      if (found?.sha256 !== sha256 || found.bytes !== bytes) throw damaged(folder, key);
      await objects.putFile(key, copy);
      put += 1;
      progress.at(`${put} of ${page.objects.count} objects`);
    };
    const there = await storedLengths(objects);
    for (const some of inChunks(list.named(page.id))) {
      const missing = some.filter(({ key, bytes }) => there.get(key) !== bytes);
      put += some.length - missing.length;
      await forEachConcurrent(missing, CONCURRENCY, bring);
    }
  } finally {
    list.close();
  }
};

function* inChunks<T>(all: Iterable<T>): Generator<readonly T[]> {
  let some: T[] = [];
  for (const each of all) {
    some.push(each);
    if (some.length < LISTED_AT_ONCE) continue;
    yield some;
    some = [];
  }
  if (some.length > 0) yield some;
}

/** What a restore before this one put. The embedded store holds its keys in memory, too. */
const storedLengths = async (objects: Objects): Promise<ReadonlyMap<string, number>> => {
  const lengths = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const page = await objects.list("", cursor);
    for (const { key, bytes } of page.objects) lengths.set(key, bytes);
    cursor = page.cursor;
  } while (cursor !== null);
  return lengths;
};
