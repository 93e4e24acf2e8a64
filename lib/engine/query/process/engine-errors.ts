import { Defect } from "../../../core/unreachable.ts";
import { QueryError, type QueryErrorCode } from "../../../hogql/errors.ts";

/** A local file lacks bytes that the engine asked for: fetch the file whole and run again. */
export class IncompleteFile extends Error {
  override readonly name = "IncompleteFile";
}

interface Rule {
  readonly pattern: RegExp;
  readonly code: QueryErrorCode;
  readonly sentence: string;
}

export const TIMEOUT = "The query took too long. Narrow its time range, select fewer columns, or materialise the endpoint.";

export const MEMORY = "The query needs more memory than it may use. Narrow its time range, group by fewer values, or select fewer columns.";

/** Faults that a query's author can cause and mend. The engine's own text names internal relations and is never shown. */
const RULES: readonly Rule[] = [
  {
    pattern: /expression depth limit|tree depth of/i,
    code: "query_too_large",
    sentence: "An expression of the query is longer than the engine can read. Give its functions fewer arguments, or compute it in parts.",
  },
  {
    pattern: /^Conversion Error/i,
    code: "cannot_parse_text",
    sentence:
      "A value cannot be converted to the type that the query asks for. Use a conversion that gives NULL, such as toInt or toFloat.",
  },
  {
    pattern:
      /regular expression|regex|^Invalid Input Error: (missing [\])]|unexpected \)|trailing \\|no argument for repetition|invalid repetition|bad repetition|invalid perl|invalid named capture|invalid escape|invalid character class|pattern too large)/i,
    code: "cannot_compile_regexp",
    sentence: "A regular expression of the query cannot be compiled. Check its brackets and repetitions.",
  },
  {
    pattern: /^Out of Range Error|overflow/i,
    code: "invalid_input",
    sentence: "A number or date in the query is out of range. Use smaller values or toFloat.",
  },
  {
    pattern: /^(Binder|Invalid Input|Not implemented|Invalid Type|Mismatch Type|Parameter Not Resolved|Syntax) Error/i,
    code: "type_mismatch",
    sentence: "The types of an expression in the query do not fit together. Convert its parts with toString, toInt, toFloat or toDateTime.",
  },
];

/** A limit that was hit, or a file that lacks bytes, as the error that says so; else what was thrown. `expired`: the time was up. */
export const limitError = (thrown: unknown, expired: boolean): unknown => {
  if (thrown instanceof QueryError || thrown instanceof Defect || !(thrown instanceof Error)) return thrown;
  if (expired) return withCause(new QueryError("query_timeout", TIMEOUT), thrown);
  if (/^Out of Memory Error|max_temp_directory_size|failed to offload/i.test(thrown.message)) {
    return withCause(new QueryError("query_memory_limit", MEMORY), thrown);
  }
  if (/TProtocolException|Invalid string encoding found in Parquet|No magic bytes|Failed to read (Parquet|page)/i.test(thrown.message)) {
    return withCause(new IncompleteFile("a local file is incomplete"), thrown);
  }
  return thrown;
};

/** A fault of a tenant's query that its author can mend, as a `QueryError`; else what was thrown. */
export const authorError = (thrown: unknown): unknown => {
  if (thrown instanceof QueryError || thrown instanceof Defect || !(thrown instanceof Error)) return thrown;
  const rule = RULES.find(({ pattern }) => pattern.test(thrown.message));
  return rule ? withCause(new QueryError(rule.code, rule.sentence), thrown) : thrown;
};

const withCause = <E extends Error>(error: E, cause: Error): E => {
  error.cause = cause;
  return error;
};
