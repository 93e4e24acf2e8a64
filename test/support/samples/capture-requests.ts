import type { HttpReply, HttpRequest } from "../../../lib/http/request.ts";
import { TOKEN } from "../worlds/capture-world.ts";

/** One event that fulfils every rule; fields given as undefined are left out. */
export const anEvent = (fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> => ({
  event: "order placed",
  distinct_id: "user-1",
  properties: {},
  ...fields,
});

export const aBatch = (
  events: readonly unknown[] = [anEvent()],
  fields: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => ({
  api_key: TOKEN,
  batch: events,
  ...fields,
});

/** A request as a gateway hands it over: a POST of JSON to `/batch/` unless told. A body that is neither text nor bytes is sent as JSON. */
export const aRequest = (
  body: unknown,
  options: { readonly method?: string; readonly url?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): HttpRequest => {
  const url = new URL(options.url ?? "/batch/", "https://ingest.test");
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return {
    id: "request-1",
    method: options.method ?? "POST",
    path: url.pathname,
    query: [...url.searchParams],
    headers: { "content-type": "application/json", ...options.headers },
    body: bytes,
    origin: url.origin,
    ip: "127.0.0.1",
  };
};

/** Status and body text of a reply, which is what most guarantees are about. */
export const seen = (reply: HttpReply): { readonly status: number; readonly body: string } => ({
  status: reply.status,
  body: typeof reply.body === "string" ? reply.body : Buffer.from(reply.body).toString(),
});
