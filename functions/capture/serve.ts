import type { HttpReply, HttpRequest } from "../../lib/http/request.ts";
import { Refused } from "../../lib/lake/refused.ts";
import type { World } from "../../lib/world/world.ts";
import { accept } from "./accept.ts";
import { corsHeaders, METHODS } from "./cors.ts";
import { type Endpoint, endpointAt } from "./endpoints.ts";
import { queryValue } from "./hints.ts";

const TEXT = { "content-type": "text/plain; charset=utf-8" } as const;
const JSON_TYPE = { "content-type": "application/json" } as const;
const OK = '{"status":"Ok"}';
const ENDPOINT_NOT_FOUND = '{"type":"invalid_request","code":"not_found","detail":"Endpoint not found.","attr":null}';

/** Answers one request of the ingest host. Never throws; an `Authorization` header is not read. */
export const serve = async (request: HttpRequest, world: World): Promise<HttpReply> => {
  const reply = await answer(request, endpointAt(request.path), world);
  const headers = { ...reply.headers, ...corsHeaders(request) };
  return { status: reply.status, headers, body: request.method === "HEAD" ? "" : reply.body };
};

const answer = async (request: HttpRequest, endpoint: Endpoint | undefined, world: World): Promise<HttpReply> => {
  if (endpoint === undefined) return { status: 404, headers: JSON_TYPE, body: ENDPOINT_NOT_FOUND };
  switch (request.method) {
    case "OPTIONS":
      return { status: 200, headers: {}, body: "" };
    case "GET":
    case "HEAD":
    case "POST":
      return endpoint.kind === "health" ? { status: 200, headers: TEXT, body: endpoint.text } : take(request, endpoint, world);
    default:
      return { status: 405, headers: { allow: METHODS }, body: "" };
  }
};

const take = async (request: HttpRequest, endpoint: Endpoint & { readonly kind: "events" }, world: World): Promise<HttpReply> => {
  const started = world.clock.now();
  const log = (level: "info" | "warn" | "error", status: number, fields: Parameters<World["log"]["line"]>[2]): void =>
    world.log.line(level, "capture", {
      request: request.id,
      status,
      ms: world.clock.now() - started,
      bytes: request.body.length,
      ...fields,
    });
  try {
    const accepted = await accept(request, endpoint, world);
    const reply = queryValue(request, "beacon") === "1" ? beacon() : success();
    log("info", reply.status, { ...accepted });
    return reply;
  } catch (fault) {
    if (fault instanceof Refused) {
      log(fault.status === 503 ? "error" : "info", fault.status, { reason: fault.message });
      return { status: fault.status, headers: TEXT, body: fault.message };
    }
    log("error", 503, { reason: String(fault) });
    return { status: 503, headers: TEXT, body: "transient error, please retry" };
  }
};

const success = (): HttpReply => ({ status: 200, headers: JSON_TYPE, body: OK });
const beacon = (): HttpReply => ({ status: 204, headers: {}, body: "" });
