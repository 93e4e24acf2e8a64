import { afterAll, beforeAll, expect, it } from "vitest";
import type { Cell } from "../../lib/engine/engine.ts";
import type { LowerOptions } from "../../lib/hogql/analysis/options.ts";
import { type Golden, openGolden } from "./harness.ts";
import { EVENTS, STATE } from "./project.ts";

/** The small project for the tests of one file, opened before the first and closed after the last. */
export const goldenProject = () => {
  let golden: Golden;
  beforeAll(async () => {
    golden = await openGolden(EVENTS, STATE);
  });
  afterAll(() => golden.close());

  const rows: Golden["rows"] = (...given) => golden.rows(...given);

  /** Expressions and the values ClickHouse has for them, asked for in one query. */
  const values = async (expected: Readonly<Record<string, Cell>>, from = "", options?: Partial<LowerOptions>): Promise<void> => {
    const names = Object.keys(expected);
    const [row] = await rows(`SELECT ${names.map((name, index) => `${name} AS v${index}`).join(", ")}${from}`, options);
    expect(Object.fromEntries(names.map((name, index) => [name, row?.[index]]))).toEqual(expected);
  };

  return {
    lowered: ((...given) => golden.lowered(...given)) satisfies Golden["lowered"],
    rows,
    value: ((...given) => golden.value(...given)) satisfies Golden["value"],
    values,
    /** A test of its own of some expressions with the values ClickHouse has for them. */
    itHas: (pairs: readonly (readonly [expression: string, value: Cell])[], from = ""): void =>
      it(pairs.map(([expression]) => expression).join(", "), () => values(Object.fromEntries(pairs), from)),
  };
};
