import { ApiError, bare, passingError } from "../../lib/http/errors.ts";
import type { HttpReply } from "../../lib/http/request.ts";

/** The classes of errors that the catalogue's clients tell apart. */
type Exception =
  | "BadRequestException"
  | "NotAuthorizedException"
  | "ForbiddenException"
  | "NoSuchNamespaceException"
  | "NoSuchTableException"
  | "NotFoundException"
  | "UnsupportedOperationException"
  | "TooManyRequestsException"
  | "ServiceUnavailableException";

/** The body of an error of the catalogue's API, in which the status stands once more. */
const errorBody = (code: number, type: Exception, message: string) => ({ error: { message, type, code } });

export const badRequest = (message: string): ApiError => bare(400, errorBody(400, "BadRequestException", message));

export const noSuchNamespace = (name: string): ApiError =>
  bare(404, errorBody(404, "NoSuchNamespaceException", `There is no namespace "${name}" that this key may read.`));

export const noSuchTable = (message: string): ApiError => bare(404, errorBody(404, "NoSuchTableException", message));

export const noSuchPath = (): ApiError => bare(404, errorBody(404, "NotFoundException", "This catalogue has nothing at this path."));

export const readOnly = (): ApiError =>
  bare(406, errorBody(406, "UnsupportedOperationException", "This catalogue is read only: its tables are written by the platform alone."));

/** The class of a refusal that is given in the platform's own words. */
const EXCEPTIONS: Readonly<Record<number, Exception>> = {
  401: "NotAuthorizedException",
  403: "ForbiddenException",
  404: "NoSuchNamespaceException",
  429: "TooManyRequestsException",
  503: "ServiceUnavailableException",
};

/** The answer to a request that failed for a reason that its client can read; what is a fault of ours is thrown on. */
export const errorReply = (thrown: unknown): HttpReply => {
  const { status, body, headers } = apiError(thrown);
  return { status, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(translated(status, body)) };
};

/** The error of the platform that a fault stands for. Throws a fault that stands for none. */
export const apiError = (thrown: unknown): ApiError => {
  if (thrown instanceof ApiError) return thrown;
  const passing = passingError(thrown);
  if (passing === undefined) throw thrown;
  return passing;
};

const translated = (status: number, body: unknown): unknown => {
  const detail = errorDetail(body);
  return detail === undefined ? body : errorBody(status, EXCEPTIONS[status] ?? "BadRequestException", detail);
};

/** The sentence of a standard error. */
export const errorDetail = (body: unknown): string | undefined =>
  typeof body === "object" && body !== null && "detail" in body ? String(body.detail) : undefined;
