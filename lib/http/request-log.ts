import type { Ports } from "../ports/ports.ts";
import type { HttpReply, HttpRequest } from "./request.ts";

/** The parts that writing a line needs. */
export type Logging = Pick<Ports, "clock" | "log">;

/** The one line of a request. The query and the body stay out of it: both may carry a key. */
export const logRequest = (
  world: Logging,
  line: {
    readonly request: HttpRequest;
    /** The route as declared. */
    readonly route: string;
    readonly status: number;
    readonly began: number;
    readonly project?: number | undefined;
    readonly fault?: unknown;
    /** Of a refusal. */
    readonly code?: string | undefined;
    /** What its operation says of it. */
    readonly logged?: HttpReply["logged"] | undefined;
  },
): void => {
  const { request, fault, began, logged, ...rest } = line;
  world.log.line(fault === undefined ? "info" : "error", "request", {
    request_id: request.id,
    method: request.method,
    ...refusedPath(request, rest.status),
    ...rest,
    ...logged,
    duration_ms: world.clock.now() - began,
    ...(fault !== undefined && faultFields(fault)),
  });
};

/** The path as sent, which the line of a refusal names: what was taken is told by its route alone. */
export const refusedPath = ({ path }: HttpRequest, status: number): { readonly path?: string } =>
  status >= 400 ? { path: shownPath(path) } : {};

/** A path without what could be a key, a token or an e-mail address in it, or could move the cursor of a terminal. */
const shownPath = (path: string): string =>
  path
    .slice(0, MAX_SHOWN)
    .replace(/[^!-~]/g, "?")
    .replace(/ph[a-z]_\w+|[^/]*(?:@|%40)[^/]+|[\w%-]{40,}/gi, "…");
const MAX_SHOWN = 200;

/** The fields of a fault in the log: its text and its causes, for us alone. */
export const faultFields = (fault: unknown): { readonly fault: string; readonly stack: string | undefined } =>
  fault instanceof Error
    ? { fault: `${fault.name}: ${fault.message}${fault.cause === undefined ? "" : ` (cause: ${String(fault.cause)})`}`, stack: fault.stack }
    : { fault: String(fault), stack: undefined };
