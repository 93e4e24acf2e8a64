import type { HttpReply, HttpRequest } from "../../lib/http/request.ts";
import { queryValue } from "../../lib/http/sdk/compression.ts";
import { packageVersion, type ScriptFile, scriptFile } from "./files.ts";

export const SCRIPT_TYPE = "application/javascript; charset=utf-8";

/** What names its exact version never changes; what does not is asked for again after a day, and mostly answered 304. */
const FOR_EVER = "public, max-age=31536000, immutable";
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
  return sent(request, file, exact ? FOR_EVER : FOR_A_DAY);
};

const sent = (request: HttpRequest, file: ScriptFile, caching: string): HttpReply => {
  const headers = { "cache-control": caching, etag: file.etag, vary: "accept-encoding" };
  if (holds(request.headers["if-none-match"], file.etag)) return { status: 304, headers, body: "" };
  const gzips = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  return {
    status: 200,
    headers: { ...headers, "content-type": SCRIPT_TYPE, ...(gzips && { "content-encoding": "gzip" }) },
    body: gzips ? file.gzipped : file.plain,
  };
};

const holds = (asked: string | undefined, etag: string): boolean =>
  asked?.split(",").some((each) => each.trim().replace(/^W\//, "") === etag || each.trim() === "*") ?? false;
