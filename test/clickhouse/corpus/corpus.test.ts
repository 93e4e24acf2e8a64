import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import * as z from "zod";
import { INSIGHTS } from "../../../lib/insight/query.ts";
import { CONTRACT } from "./contract.ts";
import { CORPUS } from "./corpus.ts";
import { FUNCTIONS } from "./functions.ts";
import { generateQuery } from "./generate.ts";
import { ordersRows } from "./queries.ts";
import { RETENTION } from "./retention.ts";
import { TRENDS } from "./trends.ts";

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

/** Of the corpus as JSON, when it was frozen. What is added later goes to a list of its own. */
const FROZEN = "a36b600982a5f17839ddf7e881ae3f7703418315902d96d504948f898cf7cb8f";

test("the corpus is as it was frozen", () => {
  const sizes = Object.entries(Object.groupBy(CORPUS, ({ part }) => part)).map(([part, cases]) => [part, cases.length]);

  expect(sizes).toEqual([
    ["contract", 373],
    ["generated", 100],
    ["documented", 57],
    ["trends", 132],
    ["retention", 55],
  ]);
  expect(createHash("sha256").update(JSON.stringify(CORPUS)).digest("hex")).toBe(FROZEN);
});

test("no name stands twice", () => {
  expect(new Set(CORPUS.map(({ name }) => name)).size).toBe(CORPUS.length);
  expect(CORPUS.filter(({ name }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
});

test.each([...TRENDS, ...RETENTION])("the insight fits the form in which insights are saved: $name", ({ insight }) => {
  expect(z.discriminatedUnion("kind", INSIGHTS).safeParse(insight).error?.issues).toBeUndefined();
});

test("the generator makes one query of a seed", () => {
  expect(generateQuery(7)).toBe(generateQuery(7));
  expect(new Set(Array.from({ length: 200 }, (_, seed) => generateQuery(seed))).size).toBeGreaterThan(190);
});
