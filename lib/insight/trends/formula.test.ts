import { describe, expect, it } from "vitest";
import { QueryError } from "../../hogql/errors.ts";
import { evaluate, parseFormula } from "./formula.ts";

const value = (text: string, ...series: readonly number[]): number => evaluate(parseFormula(text, series.length), series);

describe("a formula", () => {
  it.each([
    ["A + B * 2", 7],
    ["(A + B) * 2", 8],
    ["A - B - 1", -3],
    ["b / a", 3],
    ["-B + +A", -2],
    ["2 ** 3 ** 2 / 512", 1],
    ["-2 ** 2", -4],
    ["-1 % 3", 2],
    [".5 * 1e1 + 1.", 6],
    ["\n A\t+\n1 ", 2],
  ])("%s is %d where A is 1 and B is 3", (text, expected) => {
    expect(value(text, 1, 3)).toBe(expected);
  });

  it("divided by nothing is nothing", () => {
    expect(value("A / B", 5, 0)).toBe(0);
    expect(value("A % B", 5, 0)).toBe(0);
    expect(value("1e308 * A", 1e308)).toBe(0);
  });

  it.each([
    ["A + C", "series C, but the series are A to B.*column 5"],
    ["A +", "ends too early.*column 4"],
    ["A B", "`B` here.*column 3"],
    ["(A", "not closed.*column 3"],
    ["median(A)", "no `median`.*column 1"],
    ["A ; B", "`;` here.*column 3"],
    ["A\n + '1'", "`'` here.*line 2, column 4"],
    ["", "ends too early"],
    [".", "`.` here"],
    ["_", "no `_`"],
    [`${"(".repeat(200)}A`, "more than 100 deep"],
    [`A${" + A".repeat(600)}`, "at most 2000 characters"],
  ])("is refused with its place: %j", (text, sentence) => {
    const parse = (): unknown => parseFormula(text, 2);
    expect(parse).toThrow(QueryError);
    expect(parse).toThrow(new RegExp(sentence, "s"));
  });
});
