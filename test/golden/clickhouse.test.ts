import { describe, expect, it } from "vitest";
import { EXPRESSIONS } from "./clickhouse-expressions.ts";
import { STATEMENTS } from "./clickhouse-statements.ts";
import { goldenProject } from "./golden-project.ts";

const golden = goldenProject();

/** Expressions asked for in one query: the parser's time is by query more than by expression. */
const BATCH = 12;

const batches = Array.from({ length: Math.ceil(EXPRESSIONS.length / BATCH) }, (_, index) =>
  EXPRESSIONS.slice(index * BATCH, (index + 1) * BATCH),
);

describe("expressions have ClickHouse's values", () => {
  it.each(batches.map((batch) => [batch.map(([expression]) => expression).join(", "), batch] as const))("%s", async (list, batch) => {
    const [row] = await golden.rows(`SELECT ${list}`);
    expect(batch.map(([expression], index) => [expression, row?.[index]])).toEqual(batch);
  });
});

describe("statements have ClickHouse's rows", () => {
  it.each(STATEMENTS)("%s", async (statement, rows) => {
    const found = await golden.rows(statement);
    if (statement.includes("ORDER BY")) expect(found).toEqual(rows);
    else expect(inAnyOrder(found)).toEqual(inAnyOrder(rows));
  });
});

/** A statement that orders nothing may give its rows in any order. */
const inAnyOrder = (rows: readonly unknown[]): readonly string[] => rows.map((row) => JSON.stringify(row)).sort();
