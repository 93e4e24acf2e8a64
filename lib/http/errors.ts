import { Busy } from "../core/concurrency.ts";
import { shortened } from "../core/shortened.ts";
import { isDiskFull, Unavailable } from "../core/unavailable.ts";
import { TableUnavailable } from "../ports/table.ts";

/** The body of every error of `/api`, unless the contract gives an operation a body of its own (see `bare`). */
export interface ErrorBody {
  readonly type: ErrorType;
  readonly code: string;
  readonly detail: string;
  /** The field that is wrong, nested parts joined by `__`; null when no field is. */
  readonly attr: string | null;
  readonly error_event_id?: string;
}

export const ERROR_TYPES = ["validation_error", "invalid_request", "authentication_error", "throttled_error", "server_error"] as const;
export type ErrorType = (typeof ERROR_TYPES)[number];

/** An answer that is no success: thrown anywhere below a route, sent by `serve`. The body is public, the cause goes to the log. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** Sent as JSON; null is sent as an empty body. */
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    status: number,
    body: unknown,
    options: { readonly headers?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
  ) {
    super(typeof body === "object" && body !== null && "detail" in body ? String(body.detail) : `status ${status}`, {
      cause: options.cause,
    });
    this.status = status;
    this.body = body;
    this.headers = options.headers ?? {};
  }
}

/** Longest sentence of an error, in characters: some quote what was sent, and that may be more than an answer holds. */
const MAX_DETAIL = 10_000;

/** An error with the standard body, for the few whose status, type and code no function below names. */
export const standardError = (
  status: number,
  type: ErrorType,
  code: string,
  detail: string,
  options: { readonly attr?: string | null; readonly headers?: Readonly<Record<string, string>>; readonly cause?: unknown } = {},
): ApiError => {
  const { attr = null, ...rest } = options;
  return new ApiError(status, { type, code, detail: shortened(detail, MAX_DETAIL), attr } satisfies ErrorBody, rest);
};

/** An error whose body is not the standard one, such as `{"error": …}`; null for an empty body. */
export const bare = (status: number, body: unknown): ApiError => new ApiError(status, body);

/** 400 for a field, or with null for the body as a whole. */
export const invalid = (attr: string | null, detail: string, code = "invalid_input"): ApiError =>
  standardError(400, "validation_error", code, detail, { attr });

/** 400 for a body that cannot be read; `reason` follows the contract's fixed beginning. */
export const parseError = (reason: string, cause?: unknown): ApiError =>
  standardError(400, "invalid_request", "parse_error", `JSON parse error - ${reason}`, { cause });

export const notAuthenticated = (): ApiError =>
  standardError(401, "authentication_error", "not_authenticated", "Authentication credentials were not provided.");

export const authenticationFailed = (detail: string): ApiError =>
  standardError(401, "authentication_error", "authentication_failed", detail);

export const permissionDenied = (detail = "You do not have permission to perform this action."): ApiError =>
  standardError(403, "authentication_error", "permission_denied", detail);

export const notFound = (detail = "Not found."): ApiError => standardError(404, "invalid_request", "not_found", detail);

/** No declared path is the one asked for. */
export const unknownPath = (): ApiError => notFound("Endpoint not found.");

export const methodNotAllowed = (method: string, allowed: readonly string[]): ApiError =>
  standardError(405, "invalid_request", "method_not_allowed", `Method "${method}" not allowed.`, {
    headers: { allow: allowed.join(", ") },
  });

export const notAcceptable = (): ApiError =>
  standardError(406, "invalid_request", "not_acceptable", "Could not satisfy the request Accept header.");

export const conflict = (detail: string): ApiError => standardError(409, "server_error", "conflict", detail);

export const payloadTooLarge = (detail: string): ApiError => standardError(413, "invalid_request", "payload_too_large", detail);

export const unsupportedMediaType = (mediaType: string): ApiError =>
  standardError(415, "invalid_request", "unsupported_media_type", `Unsupported media type "${mediaType}" in request.`);

/** 429; `waitSeconds` is rounded up to whole seconds and at least 1. */
export const throttled = (waitSeconds: number): ApiError => {
  const wait = Math.max(1, Math.ceil(waitSeconds));
  const unit = wait === 1 ? "second" : "seconds";
  return standardError(429, "throttled_error", "throttled", `Request was throttled. Expected available in ${wait} ${unit}.`, {
    headers: { "retry-after": String(wait) },
  });
};

/** 503 for what cannot be answered now and can be later; clients of every kind try that again. */
export const unavailable = (cause: unknown): ApiError =>
  standardError(503, "server_error", "service_unavailable", "The service cannot answer this now. Try again in a moment.", {
    headers: { "retry-after": String(RETRY_SECONDS) },
    cause,
  });

const RETRY_SECONDS = 5;

/** The answer to a fault that passes by itself, and is nobody's mistake: 429 or 503, both with `Retry-After`. Undefined for any other. */
export const passingError = (thrown: unknown): ApiError | undefined => {
  if (thrown instanceof Busy) return throttled(thrown.retrySeconds);
  const isAway = thrown instanceof Unavailable || thrown instanceof TableUnavailable;
  return isAway || isDiskFull(thrown) ? unavailable(thrown) : undefined;
};

/** 500 for a fault of ours: the text says nothing about it, the id finds it in the log. */
export const serverError = (requestId: string, cause: unknown): ApiError =>
  new ApiError(
    500,
    { type: "server_error", code: "error", detail: "A server error occurred.", attr: null, error_event_id: requestId } satisfies ErrorBody,
    { cause },
  );
