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
  const reader = readerOf(text, seriesCount);
  const formula = reader.sum(0);
  reader.end();
  return formula;
};

interface Reader {
  readonly sum: (depth: number) => Formula;
  readonly end: () => void;
}

const TOKEN = /\s*(\*\*|[-+*/%()]|\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|[A-Za-z_]\w*|\S|$)/y;

const readerOf = (text: string, seriesCount: number): Reader => {
  let at = 0;
  let token = "";
  let next = 0;
  const advance = (): void => {
    TOKEN.lastIndex = next;
    const match = TOKEN.exec(text);
    token = match?.[1] ?? "";
    next = TOKEN.lastIndex;
    at = next - token.length;
  };
  advance();
  const fault = (sentence: string): QueryError => {
    const lines = text.slice(0, at).split("\n");
    const error = new QueryError("invalid_input", sentence, { line: lines.length, column: lines.at(-1)?.length ?? 0 });
    return new QueryError(error.code, withCaret(error, text));
  };
  const isAt = (wanted: string): boolean => token === wanted;
  const take = (): string => {
    const taken = token;
    advance();
    return taken;
  };
  const operations =
    (operators: readonly Operator[], operand: (depth: number) => Formula) =>
    (depth: number): Formula => {
      let left = operand(depth);
      for (
        let operator = operators.find((each) => each === token);
        operator !== undefined;
        operator = operators.find((each) => each === token)
      ) {
        advance();
        left = { kind: "operation", operator, left, right: operand(depth) };
      }
      return left;
    };
  const atom = (depth: number): Formula => {
    if (token === "(") {
      advance();
      const inner = sum(depth + 1);
      if (!isAt(")")) throw fault("A bracket of the formula is not closed.");
      advance();
      return inner;
    }
    if (/^[\d.]/.test(token) && token !== ".") return { kind: "number", value: Number(take()) };
    if (/^[A-Za-z_]/.test(token)) return series(token);
    throw fault(
      token === "" ? "The formula ends too early." : `The formula cannot have \`${token}\` here: write arithmetic such as \`(A + B) / 2\`.`,
    );
  };
  const series = (name: string): Formula => {
    const index = name.length === 1 && name !== "_" ? name.toUpperCase().charCodeAt(0) - FIRST_LETTER : -1;
    if (index < 0) throw fault(`A formula knows no \`${name}\`: it has the letters of the series, numbers, + - * / and brackets only.`);
    if (index >= seriesCount) throw fault(`The formula names series ${name.toUpperCase()}, but ${lettersOf(seriesCount)}.`);
    advance();
    return { kind: "series", index };
  };
  const signed = (depth: number): Formula => {
    if (depth > MAX_DEPTH) throw fault(`The formula is nested more than ${MAX_DEPTH} deep.`);
    if (token === "-") {
      advance();
      return { kind: "negative", of: signed(depth + 1) };
    }
    if (token === "+") {
      advance();
      return signed(depth + 1);
    }
    const base = atom(depth);
    if (token !== "**") return base;
    advance();
    return { kind: "operation", operator: "**", left: base, right: signed(depth + 1) };
  };
  const sum = operations(["+", "-"], operations(["*", "/", "%"], signed));
  return {
    sum,
    end: () => {
      if (token !== "") throw fault(`The formula cannot have \`${token}\` here.`);
    },
  };
};

const FIRST_LETTER = "A".charCodeAt(0);

const lettersOf = (count: number): string =>
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
