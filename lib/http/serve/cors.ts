import type { HttpReply, HttpRequest } from "../request.ts";

/** Any page may call: keys travel in a header that a browser never adds by itself, and there are no cookies. */
export const CORS_HEADERS: Readonly<Record<string, string>> = Object.freeze({ "access-control-allow-origin": "*" });

const DAY_S = 86_400;

export const isPreflight = (request: HttpRequest): boolean =>
  request.method === "OPTIONS" && "origin" in request.headers && "access-control-request-method" in request.headers;

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
