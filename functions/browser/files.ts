import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type HttpReply, type HttpRequest, queryValue } from "../../lib/http/request.ts";
import { FOR_EVER, type StaticFile, sendStatic, staticFile } from "../../lib/http/static-file.ts";

/** The folder of a bundle that the SDK's package is copied to, as far as it is served. */
export const PACKAGE_FOLDER = "posthog-js";

const root = import.meta.url.endsWith(".ts")
  ? dirname(createRequire(import.meta.url).resolve("posthog-js/package.json"))
  : fileURLToPath(new URL(`./${PACKAGE_FOLDER}/`, import.meta.url));

/** No name with a slash or a leading dot passes, so nothing outside of the folder can be named. */
const NAME = /^[a-z0-9][a-z0-9.-]{0,99}\.js$/;

const files = new Map<string, Promise<StaticFile | undefined>>();

/** A file of the package, read and compressed once; undefined where there is none of this name. */
const scriptFile = (name: string): Promise<StaticFile | undefined> => {
  if (!NAME.test(name)) return Promise.resolve(undefined);
  const known = files.get(name);
  if (known !== undefined) return known;
  const reading = read(name);
  // Only what exists is kept: names are the caller's.
  void reading.then((file) => file !== undefined && files.set(name, Promise.resolve(file)));
  return reading;
};

const read = async (name: string): Promise<StaticFile | undefined> => {
  const plain = await readFile(join(root, "dist", name)).catch((fault: unknown) => {
    if (fault instanceof Error && "code" in fault && fault.code === "ENOENT") return undefined;
    throw fault;
  });
  return plain && staticFile(plain);
};

let version: Promise<string> | undefined;

/** The version of the package, as its scripts name themselves. */
const packageVersion = (): Promise<string> => (version ??= readVersion());

const readVersion = async (): Promise<string> => {
  const described: unknown = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  return typeof described === "object" && described !== null && "version" in described ? String(described.version) : "";
};

export const SCRIPT_TYPE = "application/javascript; charset=utf-8";

/** A script that is not named with its exact version is asked for again after a day, and mostly answered 304. */
const FOR_A_DAY = "public, max-age=86400";

/** A script of the SDK; undefined where there is none of this name in this version. */
export const sendFile = async (
  request: HttpRequest,
  { file: name = "", version }: Readonly<Record<string, string>>,
): Promise<HttpReply | undefined> => {
  const own = await packageVersion();
  if (version !== undefined && version !== own && !own.startsWith(`${version}.`)) return undefined;
  const file = await scriptFile(name);
  if (file === undefined) return undefined;
  const exact = version === own || queryValue(request, "v") === own;
  return sendStatic(request, file, { mediaType: SCRIPT_TYPE, caching: exact ? FOR_EVER : FOR_A_DAY });
};
