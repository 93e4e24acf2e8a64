import { createHash, randomUUID } from "node:crypto";
import { chmodSync, closeSync, constants, existsSync, openSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { copyFile, type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod";
import { isReadable, NEXT_GENERATION, writtenVersion } from "../../../lib/core/formats.ts";
import { makeDirectory, ownDirectory } from "../../local/stores/own-directory.ts";
import { UserError } from "../../local/user-error.ts";

/** Version of the manifest; readers accept this one and the one after. */
export const BACKUP_FORMAT = 1;

const CopiedFile = z.object({ bytes: z.int(), sha256: z.string() });
export type CopiedFile = z.output<typeof CopiedFile>;

/** The manifest of a backup, which is written last: what it names is there. */
export const BackupManifest = z.object({
  v: z.int(),
  /** Names the state of the table that was copied; each backup has another. */
  id: z.string(),
  /** What is stored is of this generation of formats, or of one before. */
  generation: z.int(),
  /** What was acknowledged before is in it. Of a data directory it is when the backup was begun. */
  began_at: z.string(),
  ended_at: z.string(),
  /** Files beside the manifest, by what they are. */
  files: z.object({
    table: CopiedFile,
    queues: CopiedFile,
    "token-keys": CopiedFile.optional(),
    credentials: CopiedFile.optional(),
    demo: CopiedFile.optional(),
  }),
  /** Those of the list that this backup names, and a digest of their keys, lengths and digests. */
  objects: z.object({ count: z.int(), bytes: z.int(), sha256: z.string() }),
  messages: z.int(),
});
export type BackupManifest = z.output<typeof BackupManifest>;
export type FileName = keyof BackupManifest["files"];

export const MANIFEST_FILE = "backup.json";

/** The name of a file of a backup: each backup has files of its own, so that one that breaks off leaves the one before whole. */
export const fileName = (id: string, name: FileName): string => `${id}.${name}`;

/** A file of a backup in a folder. */
export const backupFile = (folder: string, id: string, name: FileName): string => join(folder, fileName(id, name));

/** The place of an object in a backup. */
export const objectCopy = (folder: string, key: string): string => join(folder, "objects", key);

/** The manifest of the backup in a folder; undefined where there is no whole one. */
export const readManifest = (folder: string): BackupManifest | undefined => {
  const file = join(folder, MANIFEST_FILE);
  return existsSync(file) ? decodeManifest(readFileSync(file, "utf8"), folder) : undefined;
};

/** Throws a `UserError` for a manifest that this release cannot read. */
export const decodeManifest = (text: string, place: string): BackupManifest => {
  const manifest: unknown = JSON.parse(text);
  const { v, generation } = z.looseObject({ v: z.unknown(), generation: z.unknown() }).parse(manifest);
  if (!isReadable(v, BACKUP_FORMAT) || typeof generation !== "number" || generation > NEXT_GENERATION)
    throw new UserError(
      `The backup in ${place} was made by a newer release (formats of generation ${String(generation)}; this one reads up to ${NEXT_GENERATION}): restore it with that release.`,
    );
  return BackupManifest.parse(manifest);
};

/** The text of a manifest file. */
export const encodeManifest = (manifest: Omit<BackupManifest, "v">): string =>
  `${JSON.stringify({ v: writtenVersion(BACKUP_FORMAT), ...manifest } satisfies BackupManifest, null, 2)}\n`;

/** Makes a backup the one of its folder, and removes the files of those before. */
export const writeManifest = async (folder: string, manifest: Omit<BackupManifest, "v">): Promise<void> => {
  const unfinished = join(folder, `${MANIFEST_FILE}.new`);
  await writeWhole(unfinished, Buffer.from(encodeManifest(manifest)));
  renameSync(unfinished, join(folder, MANIFEST_FILE));
  for (const name of readdirSync(folder)) if (isOfAnother(name, manifest.id)) await rm(join(folder, name), { force: true });
};

/** Whether a name is that of a file of another backup than this one. */
export const isOfAnother = (name: string, id: string): boolean => /^[0-9a-f-]{36}\.[a-z-]+$/.test(name) && !name.startsWith(`${id}.`);

/** Makes a folder that only its owner reads. Throws a `UserError` where it holds something else. */
export const makeFolder = (folder: string): void => {
  const names = ownDirectory(folder, "--to", () => {
    makeDirectory(folder, 0o700);
    return readdirSync(folder);
  });
  if (names.length > 0 && !names.includes(OBJECTS_LIST))
    throw new UserError(`${folder} is not empty and holds no backup: name another directory with --to.`);
  ownDirectory(folder, "--to", () => chmodSync(folder, 0o700));
  closeSync(openSync(join(folder, OBJECTS_LIST), "a", PRIVATE));
};

/** The list of the objects that were copied, which a folder has from its first moment on. */
export const OBJECTS_LIST = "objects.db";

const PRIVATE = 0o600;

/** Copies a file, in one step for whoever reads it, and tells what was copied. Undefined where there is none. */
export const copyWhole = async (from: string, to: string): Promise<CopiedFile | undefined> => {
  const unfinished = `${to}.${randomUUID()}.new`;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await copyFile(from, unfinished, constants.COPYFILE_FICLONE);
  } catch (thrown) {
    await rm(unfinished, { force: true });
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT") return undefined;
    throw thrown;
  }
  const copied = await syncedDigest(unfinished);
  await rename(unfinished, to);
  return copied;
};

/** Writes a file of bytes durably. */
const writeWhole = async (file: string, bytes: Uint8Array): Promise<void> => {
  await using handle = await open(file, "w", PRIVATE);
  await handle.writeFile(bytes);
  await handle.sync();
};

/** Has the disk keep a file that was just written, and digests it. */
export const syncedDigest = async (file: string): Promise<CopiedFile> => {
  await using handle = await open(file, "r+");
  await handle.chmod(PRIVATE);
  await handle.sync();
  return await digest(handle);
};

/** What a file holds. */
export const digestFile = async (file: string): Promise<CopiedFile> => {
  await using handle = await open(file, "r");
  return await digest(handle);
};

const CHUNK_BYTES = 1_048_576;

const digest = async (handle: FileHandle): Promise<CopiedFile> => {
  const hash = createHash("sha256");
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
    hash.update(chunk.subarray(0, bytesRead));
    bytes += bytesRead;
  }
};
