import { type QueryError, wireError, withCaret } from "../hogql/errors.ts";
import { type ApiError, standardError } from "../http/errors.ts";
import type { ResolvedQuery } from "./run/resolved-query.ts";

/** A fault in a query is the caller's to read: 400 with its code, and with the place in the text that it is about. */
export const queryProblem = (error: QueryError, query: ResolvedQuery): ApiError => {
  const { type, code } = wireError(error);
  const sentence = query.kind === "sql" ? withCaret(error, query.query.query) : error.message;
  return standardError(400, type, code, sentence, { cause: error });
};
