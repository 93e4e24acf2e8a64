import type { Endpoint, EndpointQuery } from "./calls.ts";

/** The kind of a query, in a word. */
export const kindWord = (query: Endpoint["query"]): string => (query === null ? "–" : KINDS[query.kind]);

const KINDS: Readonly<Record<EndpointQuery["kind"], string>> = { HogQLQuery: "SQL", TrendsQuery: "trends", RetentionQuery: "retention" };

/** Where the rows of a run come from, as far as the table decides it. */
export const pathWord = ({ materialization: { ready } }: Pick<Endpoint, "materialization">): "materialised" | "live" =>
  ready ? "materialised" : "live";

const HOUR = 3_600;

const UNITS = [
  ["week", 168 * HOUR],
  ["day", 24 * HOUR],
  ["hour", HOUR],
  ["minute", 60],
] as const;

/** A number of seconds in the largest unit that divides it. */
export const durationText = (seconds: number): string => {
  const [unit, size] = UNITS.find(([, size]) => seconds % size === 0) ?? ["second", 1];
  return `${seconds / size} ${unit}${seconds === size ? "" : "s"}`;
};

/** The ages that a result may have, as the API takes them. */
export const FRESHNESS = [900, 1_800, HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 168 * HOUR].map((seconds) => ({
  value: String(seconds),
  title: durationText(seconds),
}));

/** The engines that a version may ask for, as the API takes them. */
export const ENGINES = [
  { value: "auto", title: "whichever its size asks for" },
  { value: "embedded", title: "the platform's own engine" },
  { value: "clickhouse", title: "ClickHouse, where there is one" },
] as const satisfies readonly { readonly value: Endpoint["engine"]; readonly title: string }[];

type Person = Endpoint["created_by"];

export const personName = (person: Person | undefined): string =>
  person ? `${person.first_name} ${person.last_name}`.trim() || person.email : "someone who left";

/** A query as text to read: SQL with the defaults of its variables, an insight as JSON without what is absent. */
export const queryText = (query: EndpointQuery): string => {
  if (query.kind !== "HogQLQuery") return JSON.stringify(query, (_, value) => value ?? undefined, 2);
  const defaults = Object.values(query.variables ?? {}).map(({ code_name, value = null }) => `-- ${code_name} = ${JSON.stringify(value)}`);
  return [query.query, ...defaults].join("\n");
};
