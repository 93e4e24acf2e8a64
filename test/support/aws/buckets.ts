import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storeDirectory } from "../../../infra/local/stores/queue-and-objects.ts";
import { objectFile } from "../../../infra/local/stores/store-names.ts";
import { openLine } from "../../../lib/core/concurrency.ts";
import { layOut } from "../../rehearsal/code.ts";
import { forward, type Reply } from "./aws.ts";

export interface S3Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A bucket of an embedded store; that of a stage keeps versions of what is deleted. */
export interface Bucket {
  readonly endpoint: string;
  readonly bucket: string;
  readonly dataDir?: string;
}

/** The store of all accounts, with what the embedded one lacks: versions, conditions of writes, and copies from bucket to bucket with their digests. */
export interface Buckets {
  add(name: string, bucket: Bucket): void;
  answer(request: S3Request): Promise<Reply>;
  /** Reads an object as it is. */
  get(bucket: string, key: string): Promise<Buffer | undefined>;
  put(bucket: string, key: string, bytes: Buffer): Promise<void>;
  /** The keys below a prefix, a thousand at most. */
  names(bucket: string, prefix: string): Promise<readonly string[]>;
  /** From now on a stage's bucket has what is in it as versions, whatever becomes of it. */
  keepVersions(bucket: string): Promise<void>;
  /** Throws the versions away. */
  stop(): Promise<void>;
  /** Objects that were copied, in their order. */
  readonly copied: readonly string[];
}

const VERSION = "kept";

export const openBuckets = (): Buckets => {
  const known = new Map<string, Bucket>();
  const kept = new Map<string, readonly string[]>();
  const copied: string[] = [];

  const at = (name: string): Bucket => {
    const bucket = known.get(name);
    if (bucket === undefined) throw new Error(`there is no bucket ${name}`);
    return bucket;
  };
  const pathOf = (name: string, key: string): string =>
    `${at(name).endpoint}/${at(name).bucket}/${key.split("/").map(encodeURIComponent).join("/")}`;
  const get = async (name: string, key: string): Promise<Buffer | undefined> => {
    const answer = await fetch(pathOf(name, key));
    return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined;
  };
  const versionFile = (name: string, key: string): string | undefined =>
    kept
      .get(name)
      ?.map((folder) => objectFile(folder)(key))
      .find(existsSync);
  const getVersion = async (name: string, key: string): Promise<Buffer | undefined> => {
    const file = versionFile(name, key);
    return file === undefined ? undefined : readFile(file);
  };
  const upload = async (name: string, key: string, bytes: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<void> => {
    const { status } = await fetch(pathOf(name, key), {
      method: "PUT",
      body: new Uint8Array(bytes),
      headers: { "content-type": "binary/octet-stream", ...headers },
    });
    if (status !== 200) throw new Error(`the store answered ${status}`);
  };

  const listVersions = (name: string, prefix: string): Reply => {
    // Of a prefix that is a whole key; those of longer keys come after it.
    const isKept = versionFile(name, prefix) !== undefined;
    const version = `<Version><Key>${escaped(prefix)}</Key><VersionId>${VERSION}</VersionId><IsLatest>false</IsLatest></Version>`;
    return xml(
      200,
      `<ListVersionsResult><Name>${name}</Name><IsTruncated>false</IsTruncated>${isKept ? version : ""}</ListVersionsResult>`,
    );
  };

  const copy = async (name: string, key: string, headers: S3Request["headers"]): Promise<Reply> => {
    const [path = "", version] = (headers["x-amz-copy-source"] ?? "").split("?versionId=");
    const [from = "", ...rest] = decodeURIComponent(path).split("/");
    const bytes = await (version === undefined ? get(from, rest.join("/")) : getVersion(from, rest.join("/")));
    if (bytes === undefined) return xml(404, "<Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>");
    const digest = createHash("sha256").update(bytes).digest("base64");
    const isAsked = headers["x-amz-checksum-algorithm"] === "SHA256";
    await upload(name, key, bytes, isAsked ? { "x-amz-checksum-sha256": digest } : {});
    copied.push(rest.join("/"));
    const checksum = isAsked ? `<ChecksumSHA256>${digest}</ChecksumSHA256>` : "";
    return xml(
      200,
      `<CopyObjectResult><ETag>"${digest}"</ETag><LastModified>${new Date().toISOString()}</LastModified>${checksum}</CopyObjectResult>`,
    );
  };

  /** Whether what lies under a key is what a request says that it replaces. */
  const isAsAsked = async (name: string, key: string, headers: S3Request["headers"]): Promise<boolean> => {
    const { "if-match": match } = headers;
    const head = await fetch(pathOf(name, key), { method: "HEAD" });
    return match === undefined ? !head.ok : head.headers.get("etag") === match;
  };

  /** Nobody writes between the look at a condition and what is written under it. */
  const inLine = openLine();

  const buckets: Buckets = {
    add: (name, bucket) => known.set(name, bucket),
    async answer(request) {
      const { url, headers, method } = request;
      const [, name = "", ...rest] = url.pathname.split("/");
      const key = rest.map(decodeURIComponent).join("/");
      if (url.searchParams.has("versions")) return listVersions(name, url.searchParams.get("prefix") ?? "");
      if (headers["x-amz-copy-source"] !== undefined) return copy(name, key, headers);
      if (url.searchParams.has("versionId")) {
        const bytes = await getVersion(name, key);
        const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? "") ?? [];
        if (bytes === undefined || method !== "GET") return xml(404, "<Error><Code>NoSuchVersion</Code></Error>");
        return { status: 200, headers: {}, body: from === undefined ? bytes : bytes.subarray(Number(from), Number(to) + 1) };
      }
      const onward = new URL(url);
      onward.pathname = `/${at(name).bucket}/${rest.join("/")}`;
      const answered = () => forward(at(name).endpoint, { ...request, url: onward });
      return method === "PUT" && ("if-match" in headers || "if-none-match" in headers)
        ? inLine(async () => ((await isAsAsked(name, key, headers)) ? answered() : NOT_AS_ASKED))
        : answered();
    },
    get,
    put: upload,
    async names(name, prefix) {
      const answer = await fetch(`${at(name).endpoint}/${at(name).bucket}?list-type=2&prefix=${encodeURIComponent(prefix)}`);
      return [...(await answer.text()).matchAll(/<Key>([^<]*)<\/Key>/g)].flatMap(([, key]) => key ?? []);
    },
    async keepVersions(name) {
      const { dataDir } = at(name);
      if (dataDir === undefined) return;
      const folder = await mkdtemp(join(tmpdir(), "versions-"));
      await layOut(storeDirectory(dataDir), folder);
      kept.set(name, [...(kept.get(name) ?? []), folder]);
    },
    async stop() {
      for (const folder of [...kept.values()].flat()) await rm(folder, { recursive: true, force: true });
    },
    copied,
  };
  return buckets;
};

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const xml = (status: number, text: string): Reply => ({
  status,
  headers: { "content-type": "application/xml" },
  body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`),
});

const NOT_AS_ASKED = xml(412, "<Error><Code>PreconditionFailed</Code><Message>A precondition does not hold.</Message></Error>");
