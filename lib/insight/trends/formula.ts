import { QueryError, withCaret } from "../../hogql/errors.ts";

/** Arithmetic over the series of an insight: `A` is the first. */
export type Formula =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "series"; readonly index: number }
  | { readonly kind: "negative"; readonly of: Formula }
  | { readonly kind: "operation"; readonly operator: Operator; readonly left: Formula; readonly right: Formula };

type Operator = "+" | "-" | "*" | "/" | "%" | "**";

/** Deepest nesting of brackets and signs. */
const MAX_DEPTH = 100;
/** Longest text of a formula, in characters. */
const MAX_LENGTH = 2_000;

/**
 * Parses numbers, letters of series in either case, `+ - * / % **`, signs and brackets. Throws `QueryError` with the place of the
 * fault, also for a letter without a series.
 */
export const parseFormula = (text: string, seriesCount: number): Formula => {
  if (text.length > MAX_LENGTH) throw new QueryError("invalid_input", `A formula may have at most ${MAX_LENGTH} characters.`);
  const tokens = tokenize(text);
  const formula = grammar(tokens, seriesCount).sum(0);
  if (tokens.current !== "") throw tokens.fault(`The formula cannot have \`${tokens.current}\` here.`);
  return formula;
};

const TOKEN = /\s*(\*\*|[-+*/%()]|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|\S|$)/y;

/** The tokens of a text, one after the other; an empty one stands for its end. */
interface Tokens {
  readonly current: string;
  advance(): void;
  /** An error at the place of the current one. */
  fault(sentence: string): QueryError;
}

const tokenize = (text: string): Tokens => {
  let token = "";
  let next = 0;
  const advance = (): void => {
    TOKEN.lastIndex = next;
    token = TOKEN.exec(text)?.[1] ?? "";
    next = TOKEN.lastIndex;
  };
  advance();
  return {
    get current() {
      return token;
    },
    advance,
    fault: (sentence) => {
      const lines = text.slice(0, next - token.length).split("\n");
      const error = new QueryError("invalid_input", sentence, { line: lines.length, column: lines.at(-1)?.length ?? 0 });
      return new QueryError(error.code, withCaret(error, text));
    },
  };
};

/** Reads a part of a formula; `depth` is how many brackets and signs it stands in. */
type Rule = (depth: number) => Formula;

/** The rules of a formula over tokens, from the loosest binding to the tightest. */
const grammar = (tokens: Tokens, seriesCount: number): { readonly sum: Rule } => {
  const series = (name: string): Formula => {
    const index = name.length === 1 && name !== "_" ? name.toUpperCase().charCodeAt(0) - FIRST_LETTER : -1;
    if (index < 0)
      throw tokens.fault(`A formula knows no \`${name}\`: it has the letters of the series, numbers, + - * / and brackets only.`);
    if (index >= seriesCount) throw tokens.fault(`The formula names series ${name.toUpperCase()}, but ${seriesLetters(seriesCount)}.`);
    tokens.advance();
    return { kind: "series", index };
  };
  const atom: Rule = (depth) => {
    const token = tokens.current;
    if (token === "(") {
      tokens.advance();
      const inner = sum(depth + 1);
      if (tokens.current !== ")") throw tokens.fault("A bracket of the formula is not closed.");
      tokens.advance();
      return inner;
    }
    if (/^[\d.]/.test(token) && token !== ".") {
      tokens.advance();
      return { kind: "number", value: Number(token) };
    }
    if (/^[A-Za-z_]/.test(token)) return series(token);
    throw tokens.fault(
      token === "" ? "The formula ends too early." : `The formula cannot have \`${token}\` here: write arithmetic such as \`(A + B) / 2\`.`,
    );
  };
  const signed: Rule = (depth) => {
    if (depth > MAX_DEPTH) throw tokens.fault(`The formula is nested more than ${MAX_DEPTH} deep.`);
    const sign = tokens.current;
    if (sign === "-" || sign === "+") {
      tokens.advance();
      const of = signed(depth + 1);
      return sign === "-" ? { kind: "negative", of } : of;
    }
    const base = atom(depth);
    if (tokens.current !== "**") return base;
    tokens.advance();
    return { kind: "operation", operator: "**", left: base, right: signed(depth + 1) };
  };
  const sum = operations(tokens, ["+", "-"], operations(tokens, ["*", "/", "%"], signed));
  return { sum };
};

/** Operands with operators of one rank between them, from the left. */
const operations =
  (tokens: Tokens, operators: readonly Operator[], operand: Rule): Rule =>
  (depth) => {
    const operator = (): Operator | undefined => operators.find((each) => each === tokens.current);
    let left = operand(depth);
    for (let found = operator(); found !== undefined; found = operator()) {
      tokens.advance();
      left = { kind: "operation", operator: found, left, right: operand(depth) };
    }
    return left;
  };

const FIRST_LETTER = "A".charCodeAt(0);

const seriesLetters = (count: number): string =>
  count === 1 ? "there is only A" : `the series are A to ${String.fromCharCode(FIRST_LETTER + Math.min(count, 26) - 1)}`;

/** The formula's value where the series have these; division by zero, and whatever is no finite number, gives 0. */
export const evaluate = (formula: Formula, values: readonly number[]): number => {
  const value = valueWith(formula, values);
  return Number.isFinite(value) ? value : 0;
};

const valueWith = (formula: Formula, values: readonly number[]): number => {
  switch (formula.kind) {
    case "number":
      return formula.value;
    case "series":
      return values[formula.index] ?? 0;
    case "negative":
      return -valueWith(formula.of, values);
    default:
      return operate(formula.operator, valueWith(formula.left, values), valueWith(formula.right, values));
  }
};

const operate = (operator: Operator, a: number, b: number): number => {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b === 0 ? 0 : a / b;
    case "%":
      return b === 0 ? 0 : ((a % b) + b) % b;
    default:
      return a ** b;
  }
};
