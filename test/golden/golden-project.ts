import { afterAll, beforeAll, expect, it } from "vitest";
import type { Cell } from "../../lib/engine/engine.ts";
import type { EventRow } from "../../lib/event/event.ts";
import type { LowerOptions } from "../../lib/hogql/options.ts";
import { type Golden, type OpenGolden, openGolden, type StateTables } from "./harness.ts";
import { EVENTS, STATE } from "./project.ts";

/** A project for the tests of one file or block, opened before the first and closed after the last: the small one where none is given. */
export const goldenProject = (events: readonly EventRow[] = EVENTS, state: StateTables = STATE) => {
  let golden: OpenGolden;
  beforeAll(async () => {
    golden = await openGolden(events, state);
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
    rows,
    value: (...given) => golden.value(...given),
    lowered: (...given) => golden.lowered(...given),
    run: (...given) => golden.run(...given),
    write: (...given) => golden.write(...given),
    values,
    /** A test of its own of some expressions with the values ClickHouse has for them. */
    itHas: (pairs: readonly (readonly [expression: string, value: Cell])[], from = ""): void =>
      it(pairs.map(([expression]) => expression).join(", "), () => values(Object.fromEntries(pairs), from)),
  } satisfies Golden & Readonly<Record<string, unknown>>;
};
