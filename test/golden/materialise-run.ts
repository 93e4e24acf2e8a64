import { variablesIn } from "../../lib/endpoints/materialisation/checks/variable-uses.ts";
import { type BucketOverrides, type TransformResult, transformed } from "../../lib/endpoints/materialisation/transform.ts";
import { TABLE_NAME } from "../../lib/endpoints/materialisations.ts";
import type { Cell } from "../../lib/engine/engine.ts";
import { lower } from "../../lib/hogql/lower.ts";
import type { LoweredQuery } from "../../lib/hogql/lowered-query.ts";
import type { LowerOptions } from "../../lib/hogql/options.ts";
import { parse } from "../../lib/hogql/parse.ts";
import { type Golden, NOW } from "./harness.ts";

const OPTIONS: Omit<LowerOptions, "variables" | "page"> = { project: 1, timezone: "UTC", now: NOW };
const NO_END = 100_000_000;

/** A query's rows as it runs live, and as a table of it is read. */
export interface BothWays {
  readonly live: Outcome;
  readonly table: Outcome;
}

interface Outcome {
  readonly rows: readonly (readonly Cell[])[];
  readonly columns: LoweredQuery["columns"];
}

/** What the checks and the transform make of a text. */
export const transformOf = async (text: string, overrides: BucketOverrides = null): Promise<TransformResult> => {
  const ast = await parse(text);
  return transformed(storedText(text, variablesIn(ast)), ast, overrides, { timezone: "UTC" });
};

const storedText = (query: string, names: readonly string[]) => ({
  kind: "HogQLQuery" as const,
  query,
  variables: names.length === 0 ? null : Object.fromEntries(names.map((name) => [name, { variableId: name, code_name: name }])),
  explain: null,
  filters: null,
  modifiers: null,
  name: null,
  response: null,
  tags: null,
  values: null,
  version: null,
});

/** Writes a table of a query once, and runs the query both ways for each set of values. */
export const bothWays = async (
  golden: Golden,
  text: string,
  values: readonly Readonly<Record<string, unknown>>[],
  overrides: BucketOverrides = null,
): Promise<readonly BothWays[]> => {
  const found = await transformOf(text, overrides);
  if (found.kind === "refused") throw new Error(`${found.reason.code}: ${found.reason.text}`);
  const { table, columns, read } = found.transform;
  const all = { ...OPTIONS, variables: {}, page: null, maxRows: NO_END, defaultRows: NO_END };
  const key = await golden.write(lower(table, all).lowered);
  const tables = new Map([[TABLE_NAME, { key, bytes: 0, columns }]]);
  const ast = await parse(text);
  const outcome = async (lowered: LoweredQuery): Promise<Outcome> => ({ rows: await golden.run(lowered), columns: lowered.columns });
  const both: BothWays[] = [];
  for (const variables of values) {
    both.push({
      live: await outcome(lower(ast, { ...OPTIONS, variables, page: null }).lowered),
      table: await outcome(lower(read, { ...OPTIONS, variables, page: null, tables }).lowered),
    });
  }
  return both;
};
