import type { HttpReply, HttpRequest } from "../../lib/http/request.ts";
import { queryValue } from "../../lib/http/sdk/compression.ts";
import { FOR_EVER, sendStatic } from "../../lib/http/serve/static-file.ts";
import { packageVersion, scriptFile } from "./files.ts";

export const SCRIPT_TYPE = "application/javascript; charset=utf-8";

/** What does not name its exact version is asked for again after a day, and mostly answered 304. */
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
