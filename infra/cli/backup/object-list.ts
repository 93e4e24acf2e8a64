import { createHash } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { UserError } from "../../local/user-error.ts";
import { type CopiedFile, OBJECTS_LIST } from "./backup-files.ts";

export interface CopiedObject extends CopiedFile {
  readonly key: string;
}

/** Which objects a folder has copies of, and which of them a backup names. It is a file, so it is as long as it has to be, and survives a kill. */
export interface ObjectList {
  /** What was copied under a key; objects never change, so it need not be copied again. */
  copied(key: string): CopiedFile | undefined;
  addCopy(object: CopiedObject): void;
  addName(backup: string, key: string): void;
  /** What a backup names, in the order of the keys. */
  named(backup: string): Iterable<CopiedObject>;
  /** What it all comes to. */
  total(backup: string): { readonly count: number; readonly bytes: number; readonly sha256: string };
  /** Forgets what other backups name, and gives the keys of the copies that nobody names any more. */
  keepOnly(backup: string): Iterable<string>;
  /** Does something with the file while all of the list is in it. */
  saved<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** The list of a folder. Throws a `UserError` where another program has it. */
export const openObjectList = (folder: string, { readOnly = false } = {}): ObjectList => {
  const database = openDatabase(folder, readOnly);
  const prepared = (sql: string) => database.prepare(sql);
  const find = prepared("SELECT bytes, sha256 FROM copied WHERE key = ?");
  const add = readOnly ? undefined : prepared("INSERT OR REPLACE INTO copied (key, bytes, sha256) VALUES (?, ?, ?)");
  const name = readOnly ? undefined : prepared("INSERT OR IGNORE INTO named (backup, key) VALUES (?, ?)");
  const named = function* (backup: string): Generator<CopiedObject> {
    const rows = prepared("SELECT key, bytes, sha256 FROM named JOIN copied USING (key) WHERE backup = ? ORDER BY key").iterate(backup);
    for (const { key, bytes, sha256 } of rows) yield { key: String(key), bytes: Number(bytes), sha256: String(sha256) };
  };
  return {
    copied(key) {
      const row = find.get(key);
      return row && { bytes: Number(row.bytes), sha256: String(row.sha256) };
    },
    addCopy: ({ key, bytes, sha256 }) => void add?.run(key, bytes, sha256),
    addName: (backup, key) => void name?.run(backup, key),
    named,
    total(backup) {
      const hash = createHash("sha256");
      let [count, bytes] = [0, 0];
      for (const object of named(backup)) {
        hash.update(`${object.key} ${object.bytes} ${object.sha256}\n`);
        count += 1;
        bytes += object.bytes;
      }
      return { count, bytes, sha256: hash.digest("hex") };
    },
    *keepOnly(backup) {
      prepared("DELETE FROM named WHERE backup <> ?").run(backup);
      for (const { key } of prepared("DELETE FROM copied WHERE key NOT IN (SELECT key FROM named) RETURNING key").all()) yield String(key);
    },
    async saved(work) {
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      return await work();
    },
    close() {
      if (!readOnly) database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
      database.close();
    },
  };
};

const openDatabase = (folder: string, readOnly: boolean): DatabaseSync => {
  const database = new DatabaseSync(join(folder, OBJECTS_LIST), { readOnly, timeout: 0 });
  if (readOnly) return database;
  try {
    // One writer at a time, which also needs no memory that a network's file system lacks.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    database.exec(`
      CREATE TABLE IF NOT EXISTS copied (key TEXT PRIMARY KEY, bytes INTEGER NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS named (backup TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (backup, key)) WITHOUT ROWID`);
    return database;
  } catch (thrown) {
    database.close();
    if (thrown instanceof Error && /locked|busy/i.test(thrown.message))
      throw new UserError(`Another backup is written to ${folder} just now: wait until it has ended.`);
    throw thrown;
  }
};
