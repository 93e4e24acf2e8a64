import { notAcceptable, notFound } from "./errors.ts";
import type { Reply } from "./reply.ts";
import type { HttpRequest } from "./request.ts";

/** Throws 406 where the client takes nothing we send, and 404 for `?format=` of another kind. Operations that answer text take any client. */
export const negotiate = (request: HttpRequest, query: Readonly<Record<string, string>>, reply: Reply): void => {
  if (reply.kind === "text") return;
  const format = query.format;
  if (format !== undefined && format !== "" && format !== "json") throw notFound();
  const accept = request.headers.accept;
  if (accept === undefined || accept.trim() === "") return;
  if (!accept.split(",").some(admitsJson)) throw notAcceptable();
};

const JSON_RANGES: ReadonlySet<string> = new Set(["*/*", "application/*", "application/json"]);

const admitsJson = (range: string): boolean => JSON_RANGES.has((range.split(";", 1)[0] ?? "").trim().toLowerCase());
