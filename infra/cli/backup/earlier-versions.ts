import { GetObjectCommand, ListObjectVersionsCommand, type S3Client } from "@aws-sdk/client-s3";
import type { Objects } from "../../../lib/ports/objects.ts";

/** The last version of an object that was deleted, which the bucket of a stage keeps for 35 days; undefined where it keeps none. */
export const deletedVersion = async (client: S3Client, bucket: string, key: string): Promise<string | undefined> => {
  // Versions of one key come from the newest to the oldest, before those of any longer key.
  const { Versions = [] } = await client.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: key, MaxKeys: 10 }));
  return Versions.find(({ Key }) => Key === key)?.VersionId;
};

/** The objects of a stage with those that were deleted lately. Objects never change, so any version of one is the object. */
export const withDeleted = <Store extends Objects>(objects: Store, client: S3Client, bucket: string): Store => {
  const deleted = async (key: string, range?: string): Promise<Uint8Array | undefined> => {
    const VersionId = await deletedVersion(client, bucket, key);
    if (VersionId === undefined) return undefined;
    const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, VersionId, ...(range && { Range: range }) }));
    return await Body?.transformToByteArray();
  };
  return {
    ...objects,
    get: async (key) => (await objects.get(key)) ?? (await deleted(key)),
    getRange: async (key, from, to) => (await objects.getRange(key, from, to)) ?? (await deleted(key, `bytes=${from}-${to - 1}`)),
  };
};
