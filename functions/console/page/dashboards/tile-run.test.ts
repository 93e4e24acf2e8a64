import { expect, it } from "vitest";
import { isUnfiltered, tileRun } from "./tile-run.ts";

const sql = (...names: readonly string[]) => ({
  kind: "HogQLQuery" as const,
  query: "SELECT 1",
  variables: Object.fromEntries(names.map((name) => [name, { variableId: name, code_name: name }])),
});
const trend = { kind: "TrendsQuery", series: [] } as unknown as Parameters<typeof tileRun>[2];
const tile = (more: object = {}) =>
  ({ id: "a", endpoint: "a", version: null, title: null, plot: "auto", width: 6, height: 1, variables: {}, ...more }) as const;

const NONE = { date_from: null, date_to: null, properties: null };
const WEEK = { ...NONE, date_from: "-7d" };

it("an insight takes the filters as its override, and none where they change nothing", () => {
  expect(tileRun(tile({ version: 2 }), WEEK, trend)).toEqual({ version: 2, filters_override: WEEK });
  expect(tileRun(tile(), { ...NONE, properties: [] }, trend)).toEqual({});
  expect(isUnfiltered(tile(), WEEK, trend)).toBe(false);
});

it("SQL takes dates where it has variables for them and the tile gives none", () => {
  expect(tileRun(tile({ variables: { n: 1 } }), WEEK, sql("date_from", "n"))).toEqual({ variables: { date_from: "-7d", n: 1 } });
  expect(tileRun(tile({ variables: { date_from: "-1d" } }), WEEK, sql("date_from"))).toEqual({ variables: { date_from: "-1d" } });
  expect(tileRun(tile(), WEEK, sql("n"))).toEqual({});
});

it("knows what a tile passes over", () => {
  expect(isUnfiltered(tile(), WEEK, sql("date_from"))).toBe(false);
  expect(isUnfiltered(tile(), WEEK, sql())).toBe(true);
  expect(isUnfiltered(tile({ variables: { date_from: "-1d" } }), WEEK, sql("date_from"))).toBe(true);
});
