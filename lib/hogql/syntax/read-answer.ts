import { Defect } from "../../core/unreachable.ts";
import { QueryError } from "../errors.ts";
import { KEPT_BACKSLASH, place } from "./guard-text.ts";
import type { ParserAnswer } from "./parser-program.ts";
import { type Piece, pieceNumber } from "./pieces.ts";

/**
 * One tree of what the parser answered for each piece of a text: a piece stands where its placeholder stood, and every place is one of
 * the whole text. Integers that a double cannot hold keep all their digits, and texts their backslashes. Throws `QueryError` for a piece
 * that the parser refuses; one that overflows its stack (null) is to its author one more query too deep.
 */
export const readAnswer = (text: string, parts: readonly Piece[], { jsons }: Pick<ParserAnswer, "jsons">): unknown => {
  const places = textPlaces(text);
  const trees: unknown[] = [];
  for (const [index, json] of jsons.entries()) {
    if (json === null) throw new QueryError("too_complex", "The query is nested too deeply to be parsed.");
    const base = places.characters(parts[index]?.at ?? 0);
    const read = (key: string, value: unknown, context?: { readonly source?: string }): unknown => {
      if (typeof value === "string") return value.replaceAll(KEPT_BACKSLASH, "\\");
      if (typeof value === "number") return exactly(value, context?.source);
      if (typeof value !== "object" || value === null) return value;
      if (Array.isArray(value)) return value.flatMap((item) => (item instanceof Arguments ? item.list : [item]));
      if ((key === "start" || key === "end") && "offset" in value) return places.place(Number(value.offset) + base);
      const number = pieceNumber(placeholderName(value));
      return number === undefined ? value : trees[number];
    };
    const tree = accepted(JSON.parse(json, read), text);
    trees.push(parts[index]?.isList ? new Arguments(tree) : tree);
  }
  return trees.at(-1);
};

/** What stands for the arguments of a call among which it is: all that the parser read of them as an array. */
class Arguments {
  readonly list: readonly unknown[];
  constructor(tree: unknown) {
    const { exprs } = Object(tree);
    if (!Array.isArray(exprs)) throw new Defect("the parser's array has no items");
    this.list = exprs;
  }
}

const exactly = (value: number, source: string | undefined): number | bigint => {
  const rounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return rounded && source !== undefined && /^-?\d+$/.test(source) ? BigInt(source) : value;
};

const placeholderName = (node: object): unknown => {
  if (!("node" in node && node.node === "Placeholder" && "expr" in node)) return undefined;
  const { expr } = node;
  return typeof expr === "object" && expr !== null && "chain" in expr && Array.isArray(expr.chain) ? expr.chain[0] : undefined;
};

/** Places in a text, which the parser counts in whole characters. */
const textPlaces = (text: string) => {
  const characterAt = new Uint32Array(text.length + 1);
  const lines: number[] = [];
  const columns: number[] = [];
  let [unit, line, column] = [0, 1, 0];
  for (const character of text) {
    characterAt.fill(lines.length, unit, unit + character.length);
    unit += character.length;
    lines.push(line);
    columns.push(column);
    [line, column] = character === "\n" ? [line + 1, 0] : [line, column + 1];
  }
  characterAt[unit] = lines.length;
  return {
    /** Characters before an offset in UTF-16 units. */
    characters: (units: number): number => characterAt[units] ?? lines.length,
    place: (offset: number) => ({ line: lines[offset] ?? line, column: columns[offset] ?? column, offset }),
  };
};

const accepted = (result: unknown, text: string): unknown => {
  if (typeof result !== "object" || result === null || !("error" in result)) return result;
  const message = "message" in result && typeof result.message === "string" ? result.message : "The query could not be parsed.";
  const offset = errorOffset(result);
  const at = offset === undefined ? undefined : place(text, offset);
  throw new QueryError("type" in result && result.type === "NotImplementedError" ? "unsupported" : "syntax_error", sentence(message), at);
};

/** Longest part of the parser's own words that is passed on: it likes to list its whole vocabulary. */
const MAX_WORDS = 160;

const sentence = (message: string): string => {
  const short = message.replace(/ expecting \{.*/s, "");
  return short.length > MAX_WORDS ? `…${short.slice(-MAX_WORDS)}` : short;
};

const errorOffset = (result: object): number | undefined => {
  if (!("start" in result) || typeof result.start !== "object" || result.start === null) return undefined;
  return "offset" in result.start && typeof result.start.offset === "number" ? result.start.offset : undefined;
};
