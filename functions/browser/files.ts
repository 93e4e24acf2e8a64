import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

/** The folder of a bundle that the SDK's package is copied to, as far as it is served. */
export const PACKAGE_FOLDER = "posthog-js";

/** A file of the browser's SDK as it is sent. */
export interface ScriptFile {
  readonly etag: string;
  readonly plain: Uint8Array;
  readonly gzipped: Uint8Array;
}

const root = import.meta.url.endsWith(".ts")
  ? dirname(createRequire(import.meta.url).resolve("posthog-js/package.json"))
  : fileURLToPath(new URL(`./${PACKAGE_FOLDER}/`, import.meta.url));

/** No name with a slash or a leading dot passes, so nothing outside of the folder can be named. */
const NAME = /^[a-z0-9][a-z0-9.-]{0,99}\.js$/;

const files = new Map<string, Promise<ScriptFile | undefined>>();

/** A file of the package, read and compressed once; undefined where there is none of this name. */
export const scriptFile = (name: string): Promise<ScriptFile | undefined> => {
  if (!NAME.test(name)) return Promise.resolve(undefined);
  const known = files.get(name);
  if (known !== undefined) return known;
  const reading = read(name);
  // Only what exists is kept: names are the caller's.
  void reading.then((file) => file !== undefined && files.set(name, Promise.resolve(file)));
  return reading;
};

const read = async (name: string): Promise<ScriptFile | undefined> => {
  const plain = await readFile(join(root, "dist", name)).catch((fault: unknown) => {
    if (fault instanceof Error && "code" in fault && fault.code === "ENOENT") return undefined;
    throw fault;
  });
  if (plain === undefined) return undefined;
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { etag, plain, gzipped: await promisify(gzip)(plain) };
};

let version: Promise<string> | undefined;

/** The version of the package, as its scripts name themselves. */
export const packageVersion = (): Promise<string> => (version ??= versionOf());

const versionOf = async (): Promise<string> => {
  const described: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return typeof described === "object" && described !== null && "version" in described ? String(described.version) : "";
};
