import { NULL_SQL, type Sql, sql } from "../../sql/fragment.ts";
import { FLOAT } from "../../types.ts";
import type { Aggregate, AggregateCall, FunctionSpec } from "../spec.ts";
import { bound } from "./array-combinators.ts";

/** Sums of the powers of the values: `n` of them, `a` of the first power, `b` of the second, `c` of the third, `d` of the fourth. */
const powers = ({ args: [value], over }: AggregateCall): Sql => {
  const x = sql`CAST(${value?.tree ?? NULL_SQL} AS DOUBLE)`;
  const [b, c, d] = [sql`sum(${x} * ${x})`, sql`sum(${x} * ${x} * ${x})`, sql`sum(${x} * ${x} * ${x} * ${x})`];
  return sql`{'n': ${over(sql`count(${x})`)}, 'a': ${over(sql`sum(${x})`)}, 'b': ${over(b)}, 'c': ${over(c)}, 'd': ${over(d)}}`;
};

type Share = "population" | "sample";

const variance = (s: Sql, share: Share): Sql =>
  sql`((${s}.b - ${s}.a * ${s}.a / ${s}.n) / ${share === "population" ? sql`${s}.n` : sql`(${s}.n - 1)`})`;

const third = (s: Sql): Sql => sql`((${s}.c - (3 * ${s}.b - 2 * ${s}.a * ${s}.a / ${s}.n) * ${s}.a / ${s}.n) / ${s}.n)`;

const fourth = (s: Sql): Sql =>
  sql`((${s}.d - (4 * ${s}.c - (6 * ${s}.b - 3 * ${s}.a * ${s}.a / ${s}.n) * ${s}.a / ${s}.n) * ${s}.a / ${s}.n) / ${s}.n)`;

/** A moment about the average, in units of the variance's power; NULL where all values are equal, as of one or none. */
const standardised = (name: string, moment: (sums: Sql) => Sql, power: Sql, share: Share): Aggregate => ({
  kind: "aggregate",
  name,
  takes: ["number"],
  lower: (call) => {
    const tree = bound(
      powers(call),
      (s) => sql`CASE WHEN ${s}.n > 1 AND ${variance(s, share)} > 0 THEN ${moment(s)} / pow(${variance(s, share)}, ${power}) END`,
    );
    return { tree, type: FLOAT, nullable: true };
  },
});

/** How values lie about their average. The moment is the population's in all of them; only the variance may be a sample's. */
export const MOMENTS: readonly FunctionSpec[] = [
  standardised("skewPop", third, sql`1.5`, "population"),
  standardised("skewSamp", third, sql`1.5`, "sample"),
  standardised("kurtPop", fourth, sql`2`, "population"),
  standardised("kurtSamp", fourth, sql`2`, "sample"),
];
