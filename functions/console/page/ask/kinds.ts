import type { FunctionComponent } from "preact";
import type { Query } from "./calls.ts";
import type { QuestionProps } from "./question.ts";
import { RetentionForm } from "./retention-form.tsx";
import { SqlForm } from "./sql-form.tsx";
import { TrendsForm } from "./trends-form.tsx";
import { sqlQuery } from "./variables.ts";

/** How something is asked. What is asked is a text: SQL, or the JSON of an insight's query. */
export interface QueryKind {
  readonly name: string;
  readonly title: string;
  /** What stands there at first. */
  readonly first: string;
  readonly form: FunctionComponent<QuestionProps>;
  /** The query of a text. Throws a `SyntaxError` for a text that is none. */
  query(text: string, variables: Readonly<Record<string, string>>): Query;
}

/** The insight of a JSON text that has what its form shows. */
const insight = (text: string, kind: Query["kind"], isWhole: (query: Readonly<Record<string, unknown>>) => boolean): Query => {
  const query = JSON.parse(text);
  if (Object(query).kind !== kind || !isWhole(query)) throw new SyntaxError("no such insight");
  return query;
};

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const json = (query: Query): string => JSON.stringify(query, null, 2);

const SQL: QueryKind = {
  name: "sql",
  title: "SQL",
  first:
    "SELECT toDate(timestamp) AS day, count() AS events\nFROM events\nWHERE timestamp >= now() - INTERVAL 30 DAY\nGROUP BY day\nORDER BY day",
  form: SqlForm,
  query: sqlQuery,
};

/** All kinds of queries, in the order of their tabs. */
export const QUERY_KINDS: readonly [QueryKind, ...QueryKind[]] = [
  SQL,
  {
    name: "trends",
    title: "Trends",
    first: json({
      kind: "TrendsQuery",
      series: [{ kind: "EventsNode", event: null, math: "total" }],
      interval: "day",
      dateRange: { date_from: "-30d" },
    }),
    form: TrendsForm,
    query: (text) => insight(text, "TrendsQuery", ({ series }) => Array.isArray(series) && series.every(isObject)),
  },
  {
    name: "retention",
    title: "Retention",
    first: json({ kind: "RetentionQuery", retentionFilter: { period: "Day", totalIntervals: 8 } }),
    form: RetentionForm,
    query: (text) => insight(text, "RetentionQuery", ({ retentionFilter }) => isObject(retentionFilter)),
  },
];

export const queryKind = (name: string | null): QueryKind => QUERY_KINDS.find((kind) => kind.name === name) ?? SQL;
