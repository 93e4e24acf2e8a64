import { type EarnedColumn, earnedColumn } from "../../../lib/event/earned-properties.ts";
import type { YearQuery } from "./queries.ts";

/** How a property of the set is read: from a column that all files have, from one that the project has earned, or from the JSON. */
export type ReadFrom = "hot" | "earned" | "cold";

export interface PropertyQuery extends YearQuery {
  readonly from: ReadFrom;
}

/** The columns that the files of a project have whose queries are these and those that are written as users do. */
export const EARNED: readonly EarnedColumn[] = [
  earnedColumn({ property: "plan", type: "text" }),
  earnedColumn({ property: "amount", type: "number" }),
  earnedColumn({ property: "duration_ms", type: "number" }),
];

const earnedAs = (property: string): string => EARNED.find((each) => each.property === property)?.column ?? "";

/** A text of few values, and a number: by where they are read from, as a customer names them and as ClickHouse reads them. */
const TEXTS: Readonly<Record<ReadFrom, { readonly name: string; readonly value: string; readonly clickhouse: string }>> = {
  hot: { name: "$os", value: "Linux", clickhouse: "hot_os" },
  earned: { name: "plan", value: "scale", clickhouse: earnedAs("plan") },
  cold: { name: "plan", value: "scale", clickhouse: "JSONExtractString(properties, 'plan')" },
};
/** No built-in column of the set holds a number. */
const NUMBERS: Readonly<Record<Exclude<ReadFrom, "hot">, string>> = {
  earned: earnedAs("amount"),
  cold: "JSONExtractFloat(properties, 'amount')",
};

const BETWEEN = "timestamp >= toDateTime({variables.from}) AND timestamp < toDateTime({variables.to}) AND event != {variables.event}";
const TIME = "toDateTime(timestamp)";

const none = (round: number): { readonly event: string } => ({ event: `none ${round}` });

/** `#` is where the property stands. */
const query = (name: string, from: ReadFrom, text: string, own: string, theirs: string, tolerance?: number): PropertyQuery => ({
  name: `${name}, ${from}`,
  from,
  text: text.replaceAll("#", own).replaceAll("WHERE ?", `WHERE ${BETWEEN}`),
  variables: none,
  clickhouse: (round, range) => text.replaceAll("#", theirs).replaceAll("WHERE ?", `WHERE ${range} AND event != 'none ${round}'`),
  ...(tolerance !== undefined && { tolerance }),
});

const ofText = (from: ReadFrom): readonly PropertyQuery[] => {
  const { name, value, clickhouse } = TEXTS[from];
  const is = `# = '${value}'`;
  const level = `windowFunnel(86400)(${TIME}, event = '$pageview' AND ${is}, event = 'action 3' AND ${is})`;
  const texts = {
    filter: `SELECT toStartOfDay(timestamp) AS day, count() AS n FROM events WHERE ? AND ${is} GROUP BY day ORDER BY day LIMIT 20000`,
    breakdown:
      "SELECT # AS value, toStartOfDay(timestamp) AS day, count() AS n, count(DISTINCT person_id) AS people FROM events WHERE ? GROUP BY value, day ORDER BY value, day LIMIT 20000",
    funnel: `SELECT countIf(level >= 1) AS entered, countIf(level >= 2) AS converted FROM (SELECT person_id, ${level} AS level FROM events WHERE ? AND event IN ('$pageview', 'action 3') GROUP BY person_id)`,
  };
  return Object.entries(texts).map(([kind, text]) => query(kind, from, text, `properties.${name}`, clickhouse));
};

const ofNumber = (from: keyof typeof NUMBERS): PropertyQuery => {
  const text = (value: string): string =>
    `SELECT toStartOfDay(timestamp) AS day, quantile(0.95)(${value}) AS p95 FROM events WHERE ? GROUP BY day ORDER BY day LIMIT 20000`;
  return query("percentile", from, text("#"), "toFloat(properties.amount)", NUMBERS[from], 0.03);
};

/** A filter, a breakdown and a funnel by a property of each kind, and a percentile of those that are numbers. */
export const propertyQueries: readonly PropertyQuery[] = [
  ...(["hot", "earned", "cold"] as const).flatMap(ofText),
  ofNumber("earned"),
  ofNumber("cold"),
];
