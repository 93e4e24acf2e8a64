import { QueryError, type QueryErrorCode } from "../hogql/errors.ts";
import { TOO_LARGE } from "./row-slices.ts";

/** A fault of a run as its author reads it, whichever engine found it. */
export interface Fault {
  readonly code: QueryErrorCode;
  readonly sentence: string;
}

export const FAULTS = {
  timeout: {
    code: "query_timeout",
    sentence: "The query took too long. Narrow its time range, select fewer columns, or materialise the endpoint.",
  },
  memory: {
    code: "query_memory_limit",
    sentence: "The query needs more memory than it may use. Narrow its time range, group by fewer values, or select fewer columns.",
  },
  tooLarge: { code: "query_too_large", sentence: TOO_LARGE },
  tooDeep: {
    code: "query_too_large",
    sentence: "An expression of the query is longer than the engine can read. Give its functions fewer arguments, or compute it in parts.",
  },
  conversion: {
    code: "cannot_parse_text",
    sentence:
      "A value cannot be converted to the type that the query asks for. Use a conversion that gives NULL, such as toInt or toFloat.",
  },
  address: {
    code: "cannot_parse_text",
    sentence: "A text of the query is no address such as 10.0.0.1, or no range of addresses such as 10.0.0.0/8.",
  },
  pattern: {
    code: "cannot_compile_regexp",
    sentence: "A regular expression of the query cannot be compiled. Check its brackets and repetitions.",
  },
  range: {
    code: "invalid_input",
    sentence: "A number or date in the query is out of range. Use smaller values or toFloat.",
  },
  tooLong: {
    code: "invalid_input",
    sentence: "The query makes a text or an array that is too long: texts have up to 100,000 bytes, ranges a million numbers.",
  },
  division: {
    code: "illegal_division",
    sentence: "The query divides a whole number by zero. Use intDivOrZero, or divide by nullIf(x, 0).",
  },
  mapKeys: {
    code: "invalid_input",
    sentence: "A map of the query has a key twice, or one that is NULL. Give it each key once, and leave out NULL.",
  },
  mapSizes: {
    code: "invalid_input",
    sentence: "A map of the query is made of more or fewer keys than values. Give mapFromArrays two arrays of one length.",
  },
  subquery: {
    code: "incorrect_result_of_scalar_subquery",
    sentence: "A subquery that stands as a value has more than one row. Add LIMIT 1 to it, or an aggregate.",
  },
  types: {
    code: "type_mismatch",
    sentence: "The types of an expression in the query do not fit together. Convert its parts with toString, toInt, toFloat or toDateTime.",
  },
} as const satisfies Readonly<Record<string, Fault>>;

/** The error of a fault, with what the engine threw as its cause. */
export const queryError = ({ code, sentence }: Fault, cause?: Error): QueryError => {
  const error = new QueryError(code, sentence);
  if (cause !== undefined) error.cause = cause;
  return error;
};
