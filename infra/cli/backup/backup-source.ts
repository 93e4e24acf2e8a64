import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { CopyObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import type { Objects } from "../../../lib/ports/objects.ts";
import { UserError } from "../../local/user-error.ts";
import { COPIES, copySource, hexDigest, isBucket, openBackupBucket, unlessMissing } from "./backup-bucket.ts";
import {
  type BackupManifest,
  backupFile,
  type CopiedFile,
  copyWhole,
  digestFile,
  type FileName,
  fileName,
  OBJECTS_LIST,
  objectCopy,
  readManifest,
} from "./backup-files.ts";
import { type CopiedObject, type ObjectList, openObjectList } from "./object-list.ts";

/** Where a restore puts objects. */
export interface RestoredStore {
  readonly objects: Pick<Objects, "putFile">;
  /** Of a stage: a store can copy from another bucket into it by itself. */
  readonly bucket?: { readonly name: string; readonly client: S3Client };
}

/** A whole backup, wherever it lies. */
export interface BackupSource {
  /** As the command line names it. */
  readonly place: string;
  readonly manifest: BackupManifest;
  readonly list: ObjectList;
  /** Copies one of its files to a path of this machine. */
  fetch(name: FileName, to: string): Promise<CopiedFile | undefined>;
  /** Puts an object, and tells what it put; undefined where the backup has none of the kind. */
  put(object: CopiedObject, store: RestoredStore): Promise<CopiedFile | undefined>;
  close(): Promise<void>;
}

/** Opens a backup in a folder or in a bucket. Throws a `UserError` where there is no whole one, or one of a newer release. */
export const openBackup = (from: string): Promise<BackupSource> => (isBucket(from) ? openInBucket(from) : openInFolder(resolve(from)));

export const damaged = (place: string, what: string): UserError =>
  new UserError(`The backup in ${place} is damaged: ${what} is missing or is not what was written. Take another backup.`);

const noBackup = (place: string): UserError =>
  new UserError(`There is no whole backup in ${place}: name another ${isBucket(place) ? "place" : "directory"} with --from.`);

const openInFolder = async (folder: string): Promise<BackupSource> => {
  const manifest = readManifest(folder);
  if (manifest === undefined) throw noBackup(folder);
  const list = openObjectList(folder, { readOnly: true });
  return {
    ...{ place: folder, manifest, list },
    fetch: (name, to) => copyWhole(backupFile(folder, manifest.id, name), to),
    async put({ key, sha256 }, { objects }) {
      const copy = objectCopy(folder, key);
      const found = await digestFile(copy).catch(() => undefined);
      if (found?.sha256 === sha256) await objects.putFile(key, copy);
      return found;
    },
    close: async () => list.close(),
  };
};

const openInBucket = async (address: string): Promise<BackupSource> => {
  const place = await openBackupBucket(address);
  const manifest = await place.readManifest();
  if (manifest === undefined) throw noBackup(address);
  const folder = mkdtempSync(join(tmpdir(), "restore-"));
  const gone = () => rm(folder, { recursive: true, force: true });
  if ((await place.fetchFile(OBJECTS_LIST, join(folder, OBJECTS_LIST))) === undefined) {
    await gone();
    throw damaged(address, "its list of objects");
  }
  const list = openObjectList(folder, { readOnly: true });
  return {
    ...{ place: address, manifest, list },
    fetch: (name, to) => place.fetchFile(fileName(manifest.id, name), to),
    async put(object, { objects, bucket }) {
      if (bucket === undefined) {
        const copy = join(folder, randomUUID());
        const found = await place.fetchFile(COPIES + object.key, copy);
        if (found?.sha256 === object.sha256) await objects.putFile(object.key, copy);
        await rm(copy, { force: true });
        return found;
      }
      const from = copySource(place.bucket, place.keyOf(COPIES + object.key));
      const to = { Bucket: bucket.name, Key: object.key };
      const done = await unlessMissing(() =>
        bucket.client.send(new CopyObjectCommand({ ...to, CopySource: from, ChecksumAlgorithm: "SHA256" })),
      );
      const sha256 = hexDigest(done?.CopyObjectResult?.ChecksumSHA256);
      return sha256 === undefined ? undefined : { bytes: object.bytes, sha256 };
    },
    async close() {
      list.close();
      await gone();
    },
  };
};
