import { DuckDBInstance } from "@duckdb/node-api";
import type { Statement } from "./world.ts";

const MEMORY_MB = 1_500;
const THREADS = 2;

/** Operators that took the most time are named, at most so many. */
const MOST_NAMED = 4;

interface Operator {
  readonly operator_type?: string;
  readonly operator_timing?: number;
  readonly operator_cardinality?: number;
  readonly children?: readonly Operator[];
}

/** Where the time of a statement went, in a line: the slowest operators, with their rows. */
export const profileOf = async ({ sql, parameters }: Statement): Promise<string> => {
  const instance = await DuckDBInstance.create(":memory:", { threads: String(THREADS), memory_limit: `${MEMORY_MB}MB` });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  try {
    const values = parameters.map((value) => (typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value));
    const rows = await connection.runAndReadAll(`EXPLAIN (ANALYZE, FORMAT json) ${sql}`, values);
    const text = String(rows.getRows()[0]?.[1]);
    const operators = [...operatorsOf(JSON.parse(text))].sort((a, b) => (b.operator_timing ?? 0) - (a.operator_timing ?? 0));
    return operators
      .slice(0, MOST_NAMED)
      .map(
        ({ operator_type: type, operator_timing: s = 0, operator_cardinality: count = 0 }) =>
          `${type} ${Math.round(s * 1000)} ms ${count} rows`,
      )
      .join("; ");
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};

function* operatorsOf(operator: Operator): Generator<Operator> {
  yield operator;
  for (const child of operator.children ?? []) yield* operatorsOf(child);
}
