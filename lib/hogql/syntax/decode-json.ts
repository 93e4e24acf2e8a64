import { AT } from "../ast.ts";
import { type Position, QueryError } from "../errors.ts";

/** Deepest nesting of expressions and queries; every later step walks the tree by recursion. */
const MAX_DEPTH = 200;

/** Most nodes of a query. */
const MAX_NODES = 20_000;

export interface DecodeInput {
  /** Of the text: the parser counts its places in whole characters. */
  readonly characters: readonly string[];
  readonly depth: number;
  readonly budget: { nodes: number; orderBys: number };
}

export type Json = Readonly<Record<string, unknown>>;

/** The parser yields plain JSON, so whatever is a non-null object and no array is a record of unknown values. */
export const record = (value: unknown): Json => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new QueryError("syntax_error", "The query could not be read.");
  return value as Json;
};

export const deeper = (reading: DecodeInput, at: Position | undefined): DecodeInput => {
  reading.budget.nodes += 1;
  if (reading.budget.nodes > MAX_NODES) throw new QueryError("too_complex", `The query has more than ${MAX_NODES} parts.`, at);
  if (reading.depth >= MAX_DEPTH) throw new QueryError("too_complex", `The query is nested deeper than ${MAX_DEPTH} levels.`, at);
  return { ...reading, depth: reading.depth + 1 };
};

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const string = (value: unknown): string => {
  if (typeof value !== "string") throw new QueryError("syntax_error", "The query could not be read.");
  return value;
};
export const readName = (value: unknown): string | null => (typeof value === "string" ? value : null);
export const present = (value: unknown): boolean => value !== null && value !== undefined && value !== false;

export const placeInText = (node: Json): Position | undefined => {
  if (typeof node.start !== "object" || node.start === null) return undefined;
  const { line, column } = record(node.start);
  return typeof line === "number" && typeof column === "number" && line > 0 ? { line, column } : undefined;
};

/** `instead` says what to write in its place. */
export const refuse = (what: string, node: Json, instead?: string): never => {
  throw new QueryError("unsupported", `${what} is not supported${instead === undefined ? "" : `: ${instead}`}.`, placeInText(node));
};

/** The node's place, under the symbol that JSON leaves out. */
export const at = (node: Json): { readonly [AT]?: Position } => {
  const position = placeInText(node);
  return position === undefined ? {} : { [AT]: position };
};
