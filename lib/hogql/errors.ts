/** Codes that the query language's engine has names for, and clients know; the others are plain `invalid_input` on the wire. */
const ENGINE_CODES = [
  "number_of_arguments_doesnt_match",
  "illegal_type_of_argument",
  "type_mismatch",
  "no_common_type",
  "not_an_aggregate",
  "illegal_aggregation",
  "cannot_parse_text",
  "cannot_compile_regexp",
  "illegal_division",
  "incorrect_result_of_scalar_subquery",
] as const;

/** Faults of a query that its author can mend. Closed: a caller may switch over it. */
export const AUTHOR_CODES = [
  "syntax_error",
  "unsupported",
  "too_complex",
  "unknown_table",
  "unknown_field",
  "unknown_function",
  "unsupported_function",
  "placeholder",
  ...ENGINE_CODES,
  "invalid_input",
] as const;

/** Guards of cost: the query may be right, but this run of it was too dear. */
export const COST_CODES = ["query_timeout", "query_memory_limit", "query_too_large", "query_estimated_too_slow"] as const;

export type CostCode = (typeof COST_CODES)[number];
export type QueryErrorCode = (typeof AUTHOR_CODES)[number] | CostCode;

/** A place in the query's text: line from 1, column from 0, as the author sees it. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A query that cannot be run, with a sentence for its author. Its message is safe to show. */
export class QueryError extends Error {
  override readonly name = "QueryError";
  readonly code: QueryErrorCode;
  readonly position: Position | undefined;
  constructor(code: QueryErrorCode, sentence: string, position?: Position) {
    super(sentence);
    this.code = code;
    this.position = position;
  }
}

const ENGINE_NAMES: ReadonlySet<string> = new Set(ENGINE_CODES);

const COSTS: ReadonlySet<string> = new Set(COST_CODES);

/** Type and code of the error body of a run that failed with `error`; status 400 and a null `attr` in every case. */
export const wireError = (error: QueryError): { readonly type: "validation_error" | "server_error"; readonly code: string } => {
  if (COSTS.has(error.code)) return { type: "server_error", code: error.code };
  return { type: "validation_error", code: ENGINE_NAMES.has(error.code) ? error.code : "invalid_input" };
};

/**
 * Code of the error body for a text that cannot be saved, or laid over what was saved. The engine's names are for what fails when it is
 * run; only one that is too large says so here.
 */
export const savedCode = ({ code }: QueryError): string => (code === "query_too_large" ? code : "invalid_input");

/** The error's sentence, followed by the line of `text` it is about and a caret below the place. */
export const withCaret = (error: QueryError, text: string): string => {
  if (error.position === undefined) return error.message;
  const line = text.split("\n")[error.position.line - 1];
  if (line === undefined) return error.message;
  const { shown, column } = excerpt(line, error.position.column);
  // Double quotes make a name of what was meant as a text.
  const [, quoted] = error.code === "unknown_field" ? (/^"([^"\\]*)"/.exec(line.slice(error.position.column)) ?? []) : [];
  const hint = quoted === undefined ? "" : ` If a text is meant, write it in single quotes: '${quoted.replaceAll("'", "\\'")}'.`;
  return `${error.message}${hint} (line ${error.position.line}, column ${error.position.column + 1})\n${shown}\n${" ".repeat(column)}^`;
};

/** Characters of a long line that are shown around a fault. */
const EXCERPT = 120;

const excerpt = (line: string, column: number): { readonly shown: string; readonly column: number } => {
  const start = Math.max(0, Math.min(column - EXCERPT / 2, line.length - EXCERPT));
  return { shown: line.slice(start, start + EXCERPT), column: Math.max(0, column - start) };
};
