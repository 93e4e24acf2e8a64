import { open } from "node:fs/promises";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { Defect } from "../core/unreachable.ts";
import { type Download, type Downloads, type Objects, objectUri, type Uploads } from "../ports/objects.ts";
import { presignedForm } from "./parts/presigned-form.ts";
import { presignedUrl, type Signer } from "./parts/presigned-url.ts";

/** Above this many bytes an object is uploaded in parts of this size: large ones fail in one piece, small ones cost a request each. */
const PART_BYTES = 8 * 1024 * 1024;
/** Parts on their way at once: bounds the memory of an upload to four parts. */
const PARTS_AT_ONCE = 4;
const MAX_KEYS_PER_REMOVAL = 1_000;

/** The headers with which the store sends an object. */
interface Shown {
  readonly ContentType?: string;
  readonly ContentDisposition?: string;
  readonly ContentEncoding?: string;
}

interface CompletedPart {
  readonly PartNumber: number;
  readonly ETag: string | undefined;
  readonly ChecksumCRC32: string | undefined;
}

/** Reads `length` bytes at `position`; from memory or from a file. */
type ReadAt = (position: number, length: number) => Promise<Uint8Array>;

/**
 * How the parts of an upload are guarded on their way. A client adds a checksum to each part by itself, and neither tells the store so when
 * it opens the upload nor repeats the checksums when it closes it, both of which the store may insist on.
 */
const checksumOf = async (client: S3Client): Promise<{ readonly ChecksumAlgorithm?: "CRC32" }> =>
  (await client.config.requestChecksumCalculation()) === "WHEN_SUPPORTED" ? { ChecksumAlgorithm: "CRC32" } : {};

const uploadParts = async (
  client: S3Client,
  { Bucket, Key, ...shown }: { readonly Bucket: string; readonly Key: string } & Shown,
  total: number,
  read: ReadAt,
): Promise<void> => {
  const guarded = await checksumOf(client);
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key, ...shown, ...guarded }));
  const parts = Array.from({ length: Math.ceil(total / PART_BYTES) }, (_, index) => index);
  const finished: CompletedPart[] = [];
  const queue = parts.values();
  const worker = async (): Promise<void> => {
    for (const index of queue) {
      const from = index * PART_BYTES;
      const Body = await read(from, Math.min(PART_BYTES, total - from));
      const PartNumber = index + 1;
      const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body, ...guarded }));
      finished.push({ PartNumber, ETag, ChecksumCRC32 });
    }
  };
  try {
    await Promise.all(Array.from({ length: PARTS_AT_ONCE }, worker));
    const Parts = finished.sort((a, b) => a.PartNumber - b.PartNumber);
    await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
  } catch (cause) {
    // What is not given up here the store lets go of after a day: that it failed says less than what made it fail.
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })).catch(() => undefined);
    throw cause;
  }
};

/** A body of the sizes that are fetched in one piece comes within a fraction of this. */
const BODY_MS = 15_000;
const TRIES = 3;

/**
 * Reads a whole body, anew where it breaks off, comes short or stands still: the client tries requests again that fail, but not
 * answers that have begun.
 */
const wholeBody = async (
  client: S3Client,
  request: ConstructorParameters<typeof GetObjectCommand>[0],
  bodyMs: number,
): Promise<Uint8Array | undefined> => {
  for (let attempt = 1; ; attempt += 1) {
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), bodyMs);
    try {
      const { Body, ContentLength } = await client.send(new GetObjectCommand(request), { abortSignal: abort.signal });
      const bytes = await Promise.race([Body?.transformToByteArray(), aborted(abort.signal)]);
      if (ContentLength === undefined || bytes?.length === ContentLength) return bytes;
      throw new Error(`the object store sent ${bytes?.length ?? 0} of ${ContentLength} bytes of ${request.Key}`);
    } catch (thrown) {
      if (isAnswer(thrown) || attempt === TRIES) throw thrown;
    } finally {
      clearTimeout(timer);
      abort.abort();
    }
  }
};

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(new Error("the object store's answer took too long")), { once: true }),
  );

/** What the store said, which it would say again: the client has tried what may pass. */
const isAnswer = (thrown: unknown): boolean => thrown instanceof S3ServiceException;

const unlessMissing = async (read: () => Promise<Uint8Array | undefined>): Promise<Uint8Array | undefined> => {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof NoSuchKey) return undefined;
    throw thrown;
  }
};

const OFFER_SECONDS = 3_600;
/** A file of 100 MB takes a minute on a slow line, and a client asks for dozens of addresses at once. */
const ADMISSION_SECONDS = 900;

const shownAs = ({ name, mediaType, encoding }: Download): Shown => ({
  ContentType: mediaType,
  ContentDisposition: `attachment; filename="${name}"`,
  ...(encoding !== undefined && { ContentEncoding: encoding }),
});

export interface S3Options {
  /** Where a store on this machine keeps an object as a plain file. */
  readonly localPath?: Objects["localPath"];
  /** Objects of a listing at most; the store's own bound is 1,000. */
  readonly pageSize?: number;
  /** How long one try to read an object may take. */
  readonly bodyMs?: number;
}

/** The object store over S3: an adapter, whose length is that of the port, a short method for each of its verbs. */
export const s3Objects = (client: S3Client, bucket: string, options: S3Options = {}): Objects & Downloads & Uploads => {
  const { localPath = () => undefined, pageSize, bodyMs = BODY_MS } = options;
  const get = (key: string, range?: string): Promise<Uint8Array | undefined> =>
    unlessMissing(() => wholeBody(client, { Bucket: bucket, Key: key, ...(range ? { Range: range } : {}) }, bodyMs));

  const putFile = async (key: string, path: string, shown: Shown): Promise<void> => {
    await using file = await open(path);
    const { size } = await file.stat();
    const read: ReadAt = async (position, length) => {
      const { bytesRead, buffer } = await file.read({ buffer: Buffer.alloc(length), position, length });
      if (bytesRead !== length) throw new Defect(`${path} became shorter while it was uploaded`);
      return buffer;
    };
    const object = { Bucket: bucket, Key: key, ...shown };
    if (size > PART_BYTES) await uploadParts(client, object, size, read);
    else await client.send(new PutObjectCommand({ ...object, Body: await read(0, size) }));
  };

  const signing = async (): Promise<Signer> => {
    const { region, credentials } = client.config;
    return { region: await region(), credentials: await credentials() };
  };

  /** The bucket's own address, with a slash at its end. */
  const bucketUrl = async (region: string): Promise<string> => {
    const { forcePathStyle, endpoint, endpointProvider } = client.config;
    const base = await endpoint?.();
    // The client knows which domain the services of a region have.
    if (base === undefined) return endpointProvider({ Bucket: bucket, Region: region }).url.href;
    const own = `${base.protocol}//${base.hostname}${base.port === undefined ? "" : `:${base.port}`}`;
    return `${own}${forcePathStyle ? `/${bucket}` : ""}/`;
  };

  const address = async (key: string): Promise<string> => {
    const signer = await signing();
    return presignedUrl(new URL(`${await bucketUrl(signer.region)}${key}`), signer, Date.now(), OFFER_SECONDS);
  };

  return {
    async put(key, bytes) {
      if (bytes.byteLength > PART_BYTES) {
        await uploadParts(client, { Bucket: bucket, Key: key }, bytes.byteLength, async (from, length) =>
          bytes.subarray(from, from + length),
        );
        return;
      }
      await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes }));
    },

    putFile: (key, path) => putFile(key, path, {}),

    async offer(key, path, download) {
      await putFile(key, path, shownAs(download));
      return address(key);
    },

    address,

    async admit(key, { most, exact }) {
      const signer = await signing();
      const place = await bucketUrl(signer.region);
      const now = Date.now();
      const [form, put] = await Promise.all([
        presignedForm({ url: place, bucket, key, most }, signer, now, ADMISSION_SECONDS),
        exact === undefined
          ? undefined
          : presignedUrl(new URL(`${place}${key}`), signer, now, ADMISSION_SECONDS, { method: "PUT", bytes: exact }),
      ]);
      return { form, put };
    },

    get: (key) => get(key),
    getRange: (key, from, to) => get(key, `bytes=${from}-${to - 1}`),

    async list(prefix, cursor) {
      const answer = await client.send(
        new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix,
          ...(pageSize && { MaxKeys: pageSize }),
          ...(cursor && { ContinuationToken: cursor }),
        }),
      );
      return {
        objects: (answer.Contents ?? []).map(({ Key, Size, LastModified }) => ({
          key: Key ?? "",
          bytes: Size ?? 0,
          modified: LastModified?.getTime() ?? 0,
        })),
        cursor: answer.NextContinuationToken ?? null,
      };
    },

    async remove(keys) {
      for (let start = 0; start < keys.length; start += MAX_KEYS_PER_REMOVAL) {
        const some = keys.slice(start, start + MAX_KEYS_PER_REMOVAL).map((Key) => ({ Key }));
        const answer = await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: some, Quiet: true } }));
        const [failed] = answer.Errors ?? [];
        if (failed) throw new Error(`the object store kept ${failed.Key}: ${failed.Code}`);
      }
    },

    localPath,
    uri: (key) => objectUri(bucket, key),
  };
};

/** Until a connection stands, and until an answer begins; an upload of the largest part takes seconds. */
const CONNECT_TIMEOUT_MS = 2_000;
const REQUEST_TIMEOUT_MS = 20_000;

export const openObjects = (bucket: string): Objects & Downloads & Uploads => {
  const requestHandler = { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, throwOnRequestTimeout: true };
  return s3Objects(new S3Client({ maxAttempts: TRIES, requestHandler }), bucket);
};
