import type { LoweringContext } from "../analysis/context.ts";
import type { Expression } from "../analysis/expression.ts";
import { QueryError } from "../errors.ts";
import { column, parameter, separated, sql } from "../sql/fragment.ts";
import { UINT64 } from "../types.ts";
import type { Relation } from "./relation.ts";

/** Most rows of `numbers(n)`. */
const MAX_NUMBERS = 1_000_000n;

/** `numbers(n)`, `numbers(from, n)` and `numbers(from, n, step)`: those of the `n` integers from `from` (or 0) on that `step` meets. */
export const numbersTable = (context: LoweringContext, name: string | null, args: readonly Expression[]): Relation => {
  const [first, second, step = 1n] = args.map(({ known }) => known);
  const count = second ?? first;
  const from = second === undefined ? 0n : first;
  if (
    typeof count !== "bigint" ||
    typeof from !== "bigint" ||
    typeof step !== "bigint" ||
    args.length > 3 ||
    count < 0n ||
    count > MAX_NUMBERS ||
    step < 1n
  ) {
    throw new QueryError(
      "invalid_input",
      `\`numbers\` takes a constant count between 0 and ${MAX_NUMBERS}, with a constant start before and a step after it if needed.`,
    );
  }
  const table = context.alias("n");
  const bounds = [from, from + count, step].map((number) => sql`${parameter(number)}::BIGINT`);
  return {
    name: name ?? "numbers",
    described: "numbers",
    star: ["number"],
    names: () => ["number"],
    member: (member) =>
      member === "number"
        ? { kind: "value", expression: { tree: column(table, "number"), type: UINT64, nullable: false, ungroupedColumn: member } }
        : undefined,
    joins: () => false,
    from: () => sql`(SELECT unnest(range(${separated(bounds)})) AS number) AS ${table}`,
  };
};
