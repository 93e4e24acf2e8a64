import { expect, it } from "vitest";
import { BreakdownFilter, type InsightQuery } from "../../insight/query.ts";
import { OTHER_VALUE } from "../../insight/rows.ts";
import { knowsAll, namesRows } from "./insight-table.ts";

const row = (order: number, value: string | readonly string[], action: object | null = {}) => ({ order, breakdown_value: value, action });

it("knows all rows of a value without others, and with others where each series that has some shows the value", () => {
  const [a, b, others] = [row(0, "a"), row(1, ["a"]), row(1, [OTHER_VALUE, OTHER_VALUE])];
  expect(knowsAll([a], [])).toBe(true);
  expect(knowsAll([a, b, others], [a, b])).toBe(true);
  expect(knowsAll([a, b, others], [a])).toBe(false);
  expect(knowsAll([a, others], [])).toBe(false);
});

it("takes no formula's row for whole, but all rows together", () => {
  const rows = [row(0, "a", null), row(0, OTHER_VALUE, null)];
  expect(knowsAll(rows, rows.slice(0, 1))).toBe(false);
  expect(knowsAll(rows, rows)).toBe(true);
});

it("does not look for joined values in rows that may be of others, but for each by itself", () => {
  const breakdownFilter = BreakdownFilter.parse({ breakdowns: [{ property: "x" }, { property: "y" }] });
  const names = (kind: InsightQuery["kind"], x: string, y: string) =>
    namesRows({ kind, breakdownFilter } as InsightQuery, { x, y }, { variables: ["x", "y"] });
  expect(names("RetentionQuery", "https://a.example", "")).toBe(true);
  for (const [x, y] of [
    ["a::b", "c"],
    ["a", "b::c"],
    ["a:", "b"],
    ["a", ":b"],
  ] as const) {
    expect(names("RetentionQuery", x, y)).toBe(false);
    expect(names("TrendsQuery", x, y)).toBe(true);
  }
});
