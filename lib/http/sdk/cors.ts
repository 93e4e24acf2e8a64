import type { HttpRequest } from "../request.ts";

export const METHODS = "GET, POST, OPTIONS";

/** Any site may send events and read the answer, so the origin is mirrored; a wildcard would not do with credentials. */
export const corsHeaders = (request: HttpRequest): Readonly<Record<string, string>> => {
  const origin = request.headers.origin;
  if (origin === undefined || origin === "") return {};
  const asked = request.headers["access-control-request-headers"];
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-allow-methods": METHODS,
    ...(asked === undefined || asked === "" ? {} : { "access-control-allow-headers": asked }),
    vary: "origin, access-control-request-headers",
  };
};
