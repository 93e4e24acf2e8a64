import { expect, test } from "vitest";
import { CONTRACT } from "./contract.ts";
import { FUNCTIONS } from "./functions.ts";
import { ordersRows } from "./queries.ts";

const namesOf = (row: string): readonly string[] => row.split(/\s+/);

test.each(Object.entries(FUNCTIONS))("the corpus calls each of the contract's functions: %s", (_, row) => {
  const missing = namesOf(row).filter((name) => !CONTRACT.some(({ query }) => new RegExp(`(?<![\\w.])${name}\\(`).test(query)));

  expect(missing).toEqual([]);
});

test.each([
  ["SELECT 1 ORDER BY 1", true],
  ["SELECT * FROM (SELECT 1 ORDER BY 1)", false],
  ["SELECT ' order by ' FROM (SELECT row_number() OVER (ORDER BY x))", false],
  ["WITH a AS (SELECT 1) SELECT * FROM a ORDER BY x LIMIT 1 BY x", true],
])("only an ORDER BY on the outside orders a query's rows: %s", (query, ordered) => {
  expect(ordersRows(query)).toBe(ordered);
});
