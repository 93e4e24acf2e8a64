import { REQUEST_MEDIA_TYPES } from "../input/body.ts";
import type { Reply } from "../reply.ts";
import type { HttpReply, HttpRequest } from "../request.ts";
import { type DeclaredRoute, METHODS, type Method } from "../route.ts";

/** Any page may call: keys travel in a header that a browser never adds by itself, and there are no cookies. */
export const CORS_HEADERS: Readonly<Record<string, string>> = Object.freeze({ "access-control-allow-origin": "*" });

/** The methods of a path, for `Allow`. */
export const allowedMethods = (offer: ReadonlyMap<string, unknown>): readonly string[] => [
  ...METHODS.filter((method: Method) => offer.has(method)),
  ...(offer.has("GET") ? ["HEAD"] : []),
  "OPTIONS",
];

/** The answer to OPTIONS: what lies at a path. */
export const optionsReply = (route: DeclaredRoute, allowed: readonly string[]): HttpReply => ({
  status: 200,
  headers: { "content-type": "application/json", allow: allowed.join(", ") },
  body: JSON.stringify({
    name: route.summary,
    description: route.description ?? "",
    renders: [mediaType(route.reply)],
    parses: REQUEST_MEDIA_TYPES,
  }),
});

const mediaType = (reply: Reply): string =>
  "mediaType" in reply ? reply.mediaType : reply.kind === "html" ? "text/html" : "application/json";

export const isPreflight = (request: HttpRequest): boolean =>
  request.method === "OPTIONS" && "origin" in request.headers && "access-control-request-method" in request.headers;

const DAY_S = 86_400;

/** The answer to a browser that asks before it sends; given without a key, because browsers send none here. */
export const preflight = (allowed: readonly string[]): HttpReply => ({
  status: 200,
  headers: {
    ...CORS_HEADERS,
    "access-control-allow-methods": allowed.join(", "),
    "access-control-allow-headers": "accept, authorization, content-type, idempotency-key, user-agent, x-requested-with",
    "access-control-max-age": String(DAY_S),
    "content-length": "0",
  },
  body: "",
});
