import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Cell } from "../../../lib/engine/engine.ts";
import { goldenProject } from "../../golden/golden-project.ts";
import { bothWays, transformOf } from "../../golden/materialise-run.ts";

const golden = goldenProject();

/** A condition with a variable, what the variable may be, and how many values of its column one value of it may fit. */
interface Condition {
  readonly text: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly fits: "one" | "many";
  /** Why no table can be made of a query with it. */
  readonly refused?: string;
}

const DAYS = ["2026-01-01", "2026-01-03", "2026-01-10", "2027-01-01"];
const NAMES = ["$pageview", "click", "buy", "none", ""];
const IDS = ["ann", "bob", "none"];

const CONDITIONS: readonly Condition[] = [
  { text: "event = {variables.e}", values: { e: NAMES }, fits: "one" },
  { text: "{variables.e} = event AND event = {variables.e}", values: { e: NAMES }, fits: "one" },
  { text: "lower(event) = lower({variables.e})", values: { e: NAMES }, fits: "one" },
  { text: "properties.plan = {variables.p}", values: { p: ["free", "pro", ""] }, fits: "one" },
  { text: "JSONExtractString(properties, 'plan') = {variables.p}", values: { p: ["free", "pro", ""] }, fits: "one" },
  { text: "person.properties.email = {variables.m}", values: { m: ["ann@example.com", "x"] }, fits: "one" },
  { text: "equals(distinct_id, {variables.i})", values: { i: IDS }, fits: "one" },
  { text: "distinct_id LIKE {variables.i}", values: { i: ["ann%", "%", "x"] }, fits: "many" },
  { text: "distinct_id NOT ILIKE {variables.i}", values: { i: ["ANN%", "%", "x"] }, fits: "many" },
  { text: "timestamp >= {variables.a} AND timestamp < {variables.b}", values: { a: DAYS, b: DAYS }, fits: "many" },
  { text: "timestamp >= toDateTime({variables.a})", values: { a: DAYS }, fits: "many" },
  { text: "toDate(timestamp) <= toDate({variables.a})", values: { a: DAYS }, fits: "many" },
  { text: "toDate(timestamp) = {variables.a}", values: { a: DAYS }, fits: "one" },
  { text: "(coalesce({variables.i}, '') = '' OR distinct_id = {variables.i})", values: { i: [...IDS, ""] }, fits: "many" },
  {
    text: "(coalesce({variables.i}, '') = '' OR distinct_id IN splitByChar(',', {variables.i}))",
    values: { i: ["ann,bob", "bob", ""] },
    fits: "many",
  },
  { text: "event != {variables.e}", values: { e: NAMES }, fits: "many", refused: "unsupported_operator" },
  { text: "event IN {variables.e}", values: { e: NAMES }, fits: "many", refused: "unsupported_operator" },
  { text: "match(event, {variables.e})", values: { e: NAMES }, fits: "many", refused: "unsupported_operator" },
  { text: "(event = {variables.e} OR distinct_id = 'ann')", values: { e: NAMES }, fits: "many", refused: "variable_in_or" },
  { text: "'a' = {variables.e}", values: { e: NAMES }, fits: "many", refused: "variable_not_in_where" },
  {
    text: "event = {variables.e} AND distinct_id = {variables.e}",
    values: { e: NAMES },
    fits: "one",
    refused: "variable_multiple_columns",
  },
];

const KEYS = [
  "event",
  "toDate(timestamp)",
  "toStartOfHour(timestamp) AS hour",
  "properties.$browser AS browser",
  "lower(event)",
  "person_id",
];
const PARTS = [
  "count()",
  "countIf(event = 'click')",
  "sum(toInt(properties.price))",
  "min(timestamp) AS first",
  "max(distinct_id)",
  "count() * 2 + 1 AS twice",
  "minIf(toHour(timestamp), event = 'click')",
  "maxIf(distinct_id, properties.plan = 'pro')",
];
const WHOLES = [
  "uniq(distinct_id)",
  "avg(toInt(properties.price))",
  "quantile(0.5)(toHour(timestamp))",
  "argMax(event, timestamp)",
  "sum(DISTINCT toInt(properties.price))",
];
const FIXED = ["", "distinct_id != 'cid'", "timestamp >= '2026-01-02'"];

interface Drawn {
  readonly text: string;
  readonly condition: Condition;
  readonly expected: string | null;
  readonly values: Readonly<Record<string, unknown>>;
}

const drawn: fc.Arbitrary<Drawn> = fc
  .record({
    condition: fc.constantFrom(...CONDITIONS),
    keys: fc.subarray(KEYS, { maxLength: 2 }),
    parts: fc.subarray(PARTS, { maxLength: 3 }),
    whole: fc.option(fc.constantFrom(...WHOLES), { freq: 3 }),
    fixed: fc.constantFrom(...FIXED),
    having: fc.boolean(),
    limit: fc.option(fc.integer({ min: 1, max: 3 })),
    shape: fc.constantFrom("groups", "groups", "rows", "distinct", "cte"),
    pick: fc.array(fc.nat(), { minLength: 3, maxLength: 3 }),
  })
  .map(({ condition, keys, parts, whole, fixed, having, limit, shape, pick }) => {
    const isRows = shape === "rows" || shape === "distinct";
    const aggregates = isRows
      ? []
      : [...(parts.length + (whole === null ? 0 : 1) === 0 ? ["count()"] : parts), ...(whole === null ? [] : [whole])];
    const groups = isRows && keys.length === 0 ? ["event"] : keys;
    const columns = [...groups, ...aggregates];
    const where = [fixed, condition.text].filter((text) => text !== "").join(" AND ");
    const source = shape === "cte" ? "base" : "events";
    const before = shape === "cte" ? `WITH base AS (SELECT *, person_id FROM events WHERE ${where}) ` : "";
    const positions = columns.map((_, index) => index + 1).join(", ");
    const text = [
      `${before}SELECT ${shape === "distinct" ? "DISTINCT " : ""}${columns.join(", ")} FROM ${source}`,
      ...(shape === "cte" ? [] : [`WHERE ${where}`]),
      ...(isRows || groups.length === 0 ? [] : [`GROUP BY ${groups.map((_, index) => index + 1).join(", ")}`]),
      ...(having && !isRows ? ["HAVING count() > 1"] : []),
      `ORDER BY ${positions}`,
      ...(limit === null ? [] : [`LIMIT ${limit}`]),
    ].join(" ");
    const lasts = !isRows && whole !== null && condition.fits === "many";
    const values = Object.fromEntries(
      Object.entries(condition.values).map(([name, all], index) => [name, all[(pick[index] ?? 0) % all.length]]),
    );
    return { text, condition, expected: condition.refused ?? (lasts ? "aggregate_not_reaggregatable" : null), values };
  });

/** Sums of floats depend on their order in the last digits. */
const rounded = (rows: readonly (readonly Cell[])[]): unknown =>
  rows.map((row) => row.map((cell) => (typeof cell === "number" ? Number(cell.toPrecision(12)) : cell)));

it("rows of a table are those of the query for any values of its variables, or the reason why there is none is right", async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async ({ text, expected, values }) => {
      if (expected !== null) {
        expect(await transformOf(text)).toMatchObject({ kind: "refused", reason: { code: expected } });
        return;
      }
      const [both] = await bothWays(golden, text, [values]);
      expect(both?.table.columns).toEqual(both?.live.columns);
      expect(rounded(both?.table.rows ?? [])).toEqual(rounded(both?.live.rows ?? []));
    }),
    { numRuns: 200 },
  );
});
