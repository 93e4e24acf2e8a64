import { notAcceptable, notFound } from "../errors.ts";
import { type Reply, takesAnyClient } from "../reply.ts";
import type { HttpRequest } from "../request.ts";

/**
 * Throws 406 where the client takes nothing we send, and 404 for `?format=` of another kind. Operations that answer text or a page take any
 * client; those that send a file, whoever takes its kind, and whoever says JSON of all calls alike.
 */
export const negotiate = (request: HttpRequest, query: Readonly<Record<string, string>>, reply: Reply): void => {
  if (takesAnyClient(reply)) return;
  const format = query.format;
  if (reply.kind !== "file" && format !== undefined && format !== "" && format !== "json") throw notFound();
  const accept = request.headers.accept;
  if (accept === undefined || accept.trim() === "") return;
  if (reply.kind === "json" && reply.accepts !== undefined && accept.includes(reply.accepts)) return;
  if (admits(accept, "application/json") || (reply.kind === "file" && admits(accept, reply.mediaType))) return;
  throw notAcceptable();
};

/** Of the ranges that a media type lies in the narrowest decides; one of quality 0 refuses it. */
const admits = (accept: string, mediaType: string): boolean => {
  const [main] = mediaType.split("/");
  // From the widest to the one that decides.
  const around = ["*/*", `${main}/*`, mediaType];
  let narrowest = -1;
  let admitted = false;
  for (const range of accept.split(",")) {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const width = around.indexOf(type);
    if (width < 0 || width < narrowest) continue;
    admitted = (width === narrowest && admitted) || !parameters.some((parameter) => NO_QUALITY.test(parameter));
    narrowest = width;
  }
  return admitted;
};

const NO_QUALITY = /^q\s*=\s*0(\.0*)?$/;
