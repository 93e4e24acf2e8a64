import { hash } from "node:crypto";
import { access, constants, open, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { s3Objects } from "../../../lib/aws/aws-objects.ts";
import { thrownMessage } from "../../../lib/core/thrown-message.ts";
import { UserError } from "../../local/user-error.ts";

/** A file to import, on this machine or in a store: bytes that can be read from any place. */
export interface Source {
  /** As people know it. */
  readonly name: string;
  readonly bytes: number;
  /** Bytes `from` (inclusive) to `to` (exclusive), as far as there are any. */
  read(from: number, to: number): Promise<Uint8Array>;
}

/** Bytes that are read at once: of a file, and of an object, where each read is a request. */
const FILE_CHUNK = 512 * 1024;
const OBJECT_CHUNK = 8 * 1024 * 1024;

/** More files than this are a mistake in a pattern or a prefix, and each is named in the import's record. */
const MAX_FILES = 10_000;

/** The files that words of a command line name: paths, and `s3://bucket/key` or `s3://bucket/prefix/`, in that order. */
export const openSources = async (words: readonly string[]): Promise<readonly Source[]> => {
  const found: Source[] = [];
  for (const word of words) {
    if (word.startsWith("s3://")) found.push(...(await objectsAt(word)));
    else found.push(await fileAt(word));
    if (found.length > MAX_FILES) throw new UserError(`${word} makes more than ${MAX_FILES} files: import them in parts.`);
  }
  return found;
};

const fileAt = async (path: string): Promise<Source> => {
  const facts = await stat(path).catch(() => {
    throw new UserError(`The file ${path} cannot be read.`);
  });
  if (facts.isDirectory()) throw new UserError(`${path} is no file: name the files in it, such as ${join(path, "*.jsonl")}.`);
  // Of a pipe nothing could be read a second time, and a command that is stopped goes on in the middle.
  if (!facts.isFile()) throw new UserError(`${path} is no file that lies on a disk: write what it gives into one first.`);
  const readable = await access(path, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (!readable) throw new UserError(`The file ${path} cannot be read.`);
  return {
    name: path,
    bytes: facts.size,
    // Opened for each read: a command may name more files than a process may have open.
    async read(from, to) {
      await using file = await open(path);
      const length = Math.max(0, to - from);
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    },
  };
};

const ADDRESS = /^s3:\/\/([^/]+)\/(.*)$/;

/** Objects by the caller's own credentials; those whose keys begin with the address, unless one is called exactly so. */
const objectsAt = async (address: string): Promise<readonly Source[]> => {
  const [, bucket, prefix] = ADDRESS.exec(address) ?? [];
  if (bucket === undefined || prefix === undefined) throw new UserError(`"${address}" is no address of an object: s3://bucket/key.`);
  const objects = s3Objects(new S3Client({ forcePathStyle: process.env.AWS_ENDPOINT_URL !== undefined }), bucket);
  const found: Source[] = [];
  try {
    for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
      const page = await objects.list(prefix, cursor);
      for (const { key, bytes } of page.objects) {
        const source: Source = {
          name: `s3://${bucket}/${key}`,
          bytes,
          read: (from, to) => range(objects, key, from, Math.min(to, bytes)),
        };
        if (key === prefix) return [source];
        if (bytes > 0) found.push(source);
        if (found.length > MAX_FILES) return found;
      }
      cursor = page.cursor;
    }
  } catch (cause) {
    throw new UserError(`${address} cannot be read: ${thrownMessage(cause)}`);
  }
  if (found.length === 0) throw new UserError(`There is no object at ${address}.`);
  return found;
};

const range = async (objects: ReturnType<typeof s3Objects>, key: string, from: number, to: number): Promise<Uint8Array> => {
  if (to <= from) return new Uint8Array();
  const bytes = await objects.getRange(key, from, to).catch((cause: unknown) => {
    throw new UserError(`The object ${key} cannot be read: ${thrownMessage(cause)}`);
  });
  if (bytes === undefined) throw new UserError(`The object ${key} is gone.`);
  return bytes;
};

/** The bytes of a source from a place on, one chunk ahead of its reader. */
export async function* chunksOf(source: Source, from: number): AsyncGenerator<Uint8Array> {
  const size = source.name.startsWith("s3://") ? OBJECT_CHUNK : FILE_CHUNK;
  let next = source.read(from, from + size);
  for (let at = from; at < source.bytes; at += size) {
    const chunk = await next;
    const isLast = at + size >= source.bytes;
    // A fault of the chunk ahead is thrown where that is asked for.
    if (!isLast) {
      next = source.read(at + size, at + 2 * size);
      next.catch(() => undefined);
    }
    if (chunk.length < Math.min(size, source.bytes - at)) throw new UserError(`${source.name} became shorter while it was read.`);
    yield chunk;
  }
}

/** Bytes at the beginning and at the end of a file that tell it from others of its name and size. */
const END_BYTES = 64 * 1024;

/** What a file is known by when a command is given again: its name without the folder, its size, its beginning and its end. */
export const sourceIdentity = async (source: Source): Promise<string> => {
  const { bytes } = source;
  const ends = [await source.read(0, Math.min(END_BYTES, bytes)), await source.read(Math.max(0, bytes - END_BYTES), bytes)];
  const known = [basename(source.name), bytes, ...ends.map((end) => hash("sha256", end, "hex"))];
  return hash("sha256", JSON.stringify(known), "hex").slice(0, ID_DIGITS);
};

const ID_DIGITS = 32;
