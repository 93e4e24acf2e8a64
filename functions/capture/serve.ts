import type { World } from "../../lib/app/world.ts";
import { Refused } from "../../lib/event/refused.ts";
import { type BeginningVerdict, type HttpReply, type HttpRequest, queryValue } from "../../lib/http/request.ts";
import { logRequest, refusedPath } from "../../lib/http/request-log.ts";
import { corsHeaders, SDK_METHODS } from "../../lib/http/sdk.ts";
import { type AcceptedRequest, accept } from "./accept.ts";
import { checkBeginning } from "./known-sender.ts";
import { type CapturePath, pathAt } from "./paths.ts";
import { acceptRecording } from "./recordings.ts";

const TEXT = { "content-type": "text/plain; charset=utf-8" } as const;
const COME_AGAIN = { ...TEXT, "retry-after": "5" } as const;
const JSON_TYPE = { "content-type": "application/json" } as const;
/** The one refusal with an alarm of its own: some SDKs drop what is too large without a word. */
const TOO_LARGE = 413;
const OK = '{"status":"Ok"}';
/** An SDK that reads this stops recording for a minute. */
const RECORD_NOTHING = '{"status":"Ok","quota_limited":["recordings"]}';
const ENDPOINT_NOT_FOUND = '{"type":"invalid_request","code":"not_found","detail":"Endpoint not found.","attr":null}';

/** Answers one request of the ingest host. Never throws; an `Authorization` header is not read. */
export const serve = async (request: HttpRequest, world: World): Promise<HttpReply> => {
  const reply = await answer(request, pathAt(request.path), world);
  const headers = { ...reply.headers, ...corsHeaders(request) };
  return { status: reply.status, headers, body: request.method === "HEAD" ? "" : reply.body };
};

const answer = async (request: HttpRequest, endpoint: CapturePath | undefined, world: World): Promise<HttpReply> => {
  if (endpoint === undefined) {
    logRequest(world, { request, route: "none", status: 404, began: world.clock.now() });
    return { status: 404, headers: JSON_TYPE, body: ENDPOINT_NOT_FOUND };
  }
  switch (request.method) {
    case "OPTIONS":
      return { status: 200, headers: {}, body: "" };
    case "GET":
    case "HEAD":
    case "POST":
      return endpoint.kind === "health" ? { status: 200, headers: TEXT, body: endpoint.text } : take(request, endpoint, world);
    default:
      return { status: 405, headers: { allow: SDK_METHODS }, body: "" };
  }
};

type TakingPath = Exclude<CapturePath, { readonly kind: "health" }>;

const take = async (request: HttpRequest, endpoint: TakingPath, world: World): Promise<HttpReply> => {
  const began = world.clock.now();
  try {
    const { accepted, body } = await acceptAt(request, endpoint, world);
    const reply = queryValue(request, "beacon") === "1" ? beacon() : success(body);
    logTaken(request, world, { began, status: reply.status, ...accepted });
    return reply;
  } catch (thrown) {
    return refusal(request, world, began, thrown);
  }
};

const refusal = async (request: HttpRequest, world: World, began: number, thrown: unknown): Promise<HttpReply> => {
  const refused = thrown instanceof Refused ? thrown : new Refused(503, "transient error, please retry");
  const fault = thrown instanceof Refused ? undefined : String(thrown);
  logTaken(request, world, { began, status: refused.status, reason: refused.message, hint: refused.hint, fault });
  if (refused.status === TOO_LARGE) await world.counts.add("RequestsTooLarge");
  return { status: refused.status, headers: refused.status === 503 ? COME_AGAIN : TEXT, body: refused.message };
};

/** What the beginning of a request tells of its sender: an answer where it names a token that no project has. Never throws. */
export const judgeBeginning = async (beginning: HttpRequest, world: World): Promise<BeginningVerdict> => {
  const endpoint = pathAt(beginning.path);
  if (endpoint === undefined || endpoint.kind === "health") return "unknown";
  const began = world.clock.now();
  try {
    const isKnown = await checkBeginning(beginning, { legacy: endpoint.kind === "recordings" || endpoint.legacy }, world);
    return isKnown ? "known" : "unknown";
  } catch (thrown) {
    const { status, headers, body } = await refusal(beginning, world, began, thrown);
    return { status, headers: { ...headers, ...corsHeaders(beginning) }, body };
  }
};

/** Accepts what was posted to a path, and chooses the body of its answer. Throws `Refused`. */
const acceptAt = async (
  request: HttpRequest,
  endpoint: TakingPath,
  world: World,
): Promise<{ readonly accepted: AcceptedRequest; readonly body: string }> => {
  if (endpoint.kind === "events") return { accepted: await accept(request, endpoint, world), body: OK };
  const { limited, ...accepted } = await acceptRecording(request, world);
  return { accepted, body: limited ? RECORD_NOTHING : OK };
};

/** The one line of a request, with what only capture knows. */
const logTaken = (
  request: HttpRequest,
  world: World,
  line: {
    readonly began: number;
    readonly status: number;
    readonly reason?: string;
    readonly hint?: string | undefined;
    readonly fault?: string | undefined;
  } & Partial<AcceptedRequest>,
): void => {
  const { began, ...rest } = line;
  world.log.line(logLevel(rest.status), "request", {
    request_id: request.id,
    method: request.method,
    route: "capture",
    body_bytes: request.body.length,
    ...refusedPath(request, rest.status),
    ...rest,
    duration_ms: world.clock.now() - began,
  });
};

const logLevel = (status: number) => (status >= 500 ? "error" : status >= 400 ? "info" : "debug");

const success = (body: string): HttpReply => ({ status: 200, headers: JSON_TYPE, body });
const beacon = (): HttpReply => ({ status: 204, headers: {}, body: "" });
