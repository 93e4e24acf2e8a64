import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, NoSuchKey, NotFound, S3Client } from "@aws-sdk/client-s3";
import { s3Objects } from "../../../lib/aws/aws-objects.ts";
import { thrownMessage } from "../../../lib/core/thrown-message.ts";
import { UserError } from "../../local/user-error.ts";
import {
  type BackupManifest,
  type CopiedFile,
  decodeManifest,
  encodeManifest,
  MANIFEST_FILE,
  OBJECTS_LIST,
  syncedDigest,
} from "./backup-files.ts";

/** A backup in a bucket: the manifest, the files and the copies that a folder would hold, under the same names. */
export interface BackupBucket {
  /** As the command line names it. */
  readonly address: string;
  readonly client: S3Client;
  readonly bucket: string;
  /** The key of a file of the backup, or of the copy of an object. */
  keyOf(name: string): string;
  readManifest(): Promise<BackupManifest | undefined>;
  /** Makes a backup the one of its place. */
  writeManifest(manifest: Omit<BackupManifest, "v">): Promise<void>;
  putFile(name: string, path: string): Promise<void>;
  /** Brings a file to this machine; undefined where there is none. */
  fetchFile(name: string, path: string): Promise<CopiedFile | undefined>;
  /** What lies below a name, with the length of each. */
  list(prefix: string): Promise<ReadonlyMap<string, number>>;
  /** The names of the files beside the manifest. */
  files(): Promise<readonly string[]>;
  /** Length and digest of a file, as the store keeps them; undefined where it keeps no digest of the whole file. */
  digestOf(name: string): Promise<CopiedFile | undefined>;
  remove(names: readonly string[]): Promise<void>;
}

/** The copies of objects, below the prefix of a backup. */
export const COPIES = "objects/";

/** Says who writes to the place. */
export const LOCK_FILE = "backup.hold";

const ADDRESS = /^s3:\/\/([^/]+)(?:\/(.*?))?\/?$/;

/** Whether a place of the command line is in a store and not on this machine. */
export const isBucket = (place: string): boolean => place.startsWith("s3://");

/** A store that is asked for too much at once says so for a while. */
const TRIES = 8;

/** The caller's own client, which finds out where a bucket lies. An embedded store knows a bucket by the path. */
export const callersStore = (): S3Client =>
  new S3Client({ maxAttempts: TRIES, followRegionRedirects: true, forcePathStyle: process.env.AWS_ENDPOINT_URL !== undefined });

/** Opens `s3://BUCKET[/PREFIX]` with the caller's credentials. Throws a `UserError` where the bucket cannot be read, or holds something else there. */
export const openBackupBucket = async (address: string): Promise<BackupBucket> => {
  const [, bucket, prefix = ""] = ADDRESS.exec(address) ?? [];
  if (bucket === undefined) throw new UserError(`"${address}" is no place for a backup: s3://BUCKET or s3://BUCKET/PREFIX.`);
  const client = callersStore();
  const objects = s3Objects(client, bucket);
  const keyOf = (name: string): string => (prefix === "" ? name : `${prefix}/${name}`);
  const place: BackupBucket = {
    ...{ address, client, bucket, keyOf },
    async readManifest() {
      const bytes = await objects.get(keyOf(MANIFEST_FILE));
      return bytes && decodeManifest(Buffer.from(bytes).toString(), address);
    },
    writeManifest: (manifest) => objects.put(keyOf(MANIFEST_FILE), Buffer.from(encodeManifest(manifest))),
    putFile: (name, path) => objects.putFile(keyOf(name), path),
    async fetchFile(name, path) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const body = await unlessMissing(async () => (await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(name) }))).Body);
      if (!(body instanceof Readable)) return undefined;
      await pipeline(body, createWriteStream(path, { mode: 0o600 }));
      return await syncedDigest(path);
    },
    async list(below) {
      const lengths = new Map<string, number>();
      let cursor: string | null = null;
      do {
        const page = await objects.list(keyOf(below), cursor);
        for (const { key, bytes } of page.objects) lengths.set(key.slice(keyOf(below).length), bytes);
        cursor = page.cursor;
      } while (cursor !== null);
      return lengths;
    },
    async files() {
      const page = await client.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: keyOf(""), Delimiter: "/" }));
      return (page.Contents ?? []).map(({ Key = "" }) => Key.slice(keyOf("").length));
    },
    async digestOf(name) {
      const head = await unlessMissing(() =>
        client.send(new HeadObjectCommand({ Bucket: bucket, Key: keyOf(name), ChecksumMode: "ENABLED" })),
      );
      const sha256 = hexDigest(head?.ChecksumSHA256);
      return head?.ContentLength === undefined || sha256 === undefined ? undefined : { bytes: head.ContentLength, sha256 };
    },
    remove: (names) => objects.remove(names.map(keyOf)),
  };
  await checkPlace(place);
  return place;
};

const checkPlace = async ({ address, client, bucket, keyOf }: BackupBucket): Promise<void> => {
  const names = async (prefix: string) => (await s3Objects(client, bucket, { pageSize: 1 }).list(prefix, null)).objects;
  try {
    const [anything] = await names(keyOf(""));
    const isBackup = [...(await names(keyOf(OBJECTS_LIST))), ...(await names(keyOf(LOCK_FILE)))].length > 0;
    if (anything !== undefined && !isBackup)
      throw new UserError(`${address} is not empty and holds no backup: name another place, such as ${address.replace(/\/$/, "")}/backup.`);
  } catch (thrown) {
    if (thrown instanceof UserError) throw thrown;
    throw new UserError(`${address} cannot be read: ${thrownMessage(thrown)}`);
  }
};

/** How a store is told what it is to copy. */
export const copySource = (bucket: string, key: string, version?: string): string =>
  `${bucket}/${key}`.split("/").map(encodeURIComponent).join("/") + (version === undefined ? "" : `?versionId=${version}`);

/** A digest as lists of objects hold it, of one as the store gives it. Of what was put in parts it has none of the whole. */
export const hexDigest = (base64: string | undefined): string | undefined =>
  base64 === undefined || base64.includes("-") ? undefined : Buffer.from(base64, "base64").toString("hex");

/** What a store answers; undefined where it has no such object. */
export const unlessMissing = async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await ask();
  } catch (thrown) {
    if (thrown instanceof NoSuchKey || thrown instanceof NotFound) return undefined;
    throw thrown;
  }
};
