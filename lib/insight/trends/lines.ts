import { evaluate, type Formula } from "./formula.ts";

/** The numbers of one series, or formula, and breakdown value. */
export interface Line {
  readonly isOther: boolean;
  /** By breakdown; null where events have no value. */
  readonly values: readonly (string | null)[];
  readonly numbers: readonly number[];
}

/** Greatest totals first, equal ones by value; then those without a value, then the others past the limit. */
export const inOrder = (lines: readonly Line[]): readonly Line[] =>
  lines
    .map((line) => ({ line, total: total(line.numbers) }))
    .sort((a, b) => kind(a.line) - kind(b.line) || b.total - a.total || byValues(a.line, b.line))
    .map(({ line }) => line);

const kind = ({ isOther, values }: Line): number => (isOther ? 2 : values.includes(null) ? 1 : 0);

const byValues = (a: Line, b: Line): number => {
  for (const [index, left] of a.values.entries()) {
    const right = b.values[index] ?? null;
    if (left === right) continue;
    if (left === null || right === null) return left === null ? 1 : -1;
    return left < right ? -1 : 1;
  }
  return 0;
};

/** A formula over the lines of each series: one line for every breakdown value that any of them has. */
export const applyFormula = (formula: Formula, series: readonly (readonly Line[])[]): readonly Line[] => {
  const named = series.map((lines) => new Map(lines.map((line) => [lineName(line), line])));
  const all = new Map(series.flat().map((line) => [lineName(line), line]));
  const computed = [...all].map(([name, { isOther, values, numbers }]) => ({
    isOther,
    values,
    numbers: numbers.map((_, index) =>
      evaluate(
        formula,
        named.map((lines) => lines.get(name)?.numbers[index] ?? 0),
      ),
    ),
  }));
  return inOrder(computed);
};

const lineName = ({ isOther, values }: Line): string => JSON.stringify([isOther, values]);

/** A value of each bucket so far: the sum of it and those before. */
export const runningTotal = (numbers: readonly number[]): readonly number[] => {
  let sum = 0;
  return numbers.map((number) => {
    sum += number;
    return sum;
  });
};

/** The mean of each bucket and those before it, at most `width` together, cut down to a whole number. */
export const smooth = (numbers: readonly number[], width: number): readonly number[] =>
  numbers.map((_, index) => {
    const window = numbers.slice(Math.max(0, index - width + 1), index + 1);
    return Math.floor(total(window) / window.length);
  });

export const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
