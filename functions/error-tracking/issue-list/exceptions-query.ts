import type { Cte, Expr, Select } from "../../../lib/hogql/ast.ts";
import { alias, arithmetic, call, compare, constant, every, field, from, select, unionAll, wholeNumber } from "../../../lib/hogql/build.ts";
import { ISSUES } from "../../../lib/hogql/vocabulary.ts";
import type { Window } from "../../../lib/http/pagination.ts";
import { type Span, within } from "../../../lib/insight/dates.ts";
import { type Aggregation, type CountedKey, isStoredKey, type Order } from "./parameters.ts";

/** A time that has a beginning, microseconds since 1970. */
export type ClosedSpan = Span & { readonly from: bigint };

/** Equal steps of a time: from `start`, which may lie before it, each of `width` microseconds. */
export interface Steps {
  readonly start: bigint;
  readonly width: bigint;
  readonly count: number;
}

/** Which issues are asked about: these, or one page of those that go along with the query as its table of issues. */
export type IssueSelection =
  | { readonly ids: readonly string[] }
  | {
      readonly order: Order;
      /** An issue without an exception in the time is left out; else it counts as nothing. */
      readonly onlySeen: boolean;
      readonly window: Window;
    };

/** What a row of the answer says: the page's issue with the number of all and its place, what was counted of an issue, one step of it. */
export const ROWS = { page: 0, counted: 1, step: 2 } as const;

/** The names of the exceptions, read once for all that is asked of them, and of the page. */
const READ = "read";
const PAGE = "page";

const COLUMNS = {
  issue: field("issue_id"),
  micros: call("toUnixTimestamp64Micro", field("timestamp")),
  person: field("person_id"),
  session: call("nullIf", field("$session_id"), constant("")),
} as const;
type Column = keyof typeof COLUMNS;

/** What is counted of an issue's exceptions, and the column it needs: `last_seen` in microseconds since 1970. */
const MEASURES: Readonly<Record<CountedKey, { readonly of: Column; readonly expr: Expr }>> = {
  occurrences: { of: "issue", expr: call("count") },
  users: { of: "person", expr: call("uniq", field("person")) },
  sessions: { of: "session", expr: call("uniq", field("session")) },
  last_seen: { of: "micros", expr: call("max", field("micros")) },
};

const NOTHING = constant(0);

/**
 * One query for a page and all that it shows. Its rows are a kind of `ROWS`, the id of an issue, and four numbers: of a page the number of
 * all and the place; of what was counted occurrences, users, sessions and last_seen, 0 for what is not asked for; of a step its
 * number and how many exceptions it has.
 */
export const exceptionsQuery = (
  span: ClosedSpan,
  selection: IssueSelection,
  aggregations: readonly Aggregation[],
  steps: Steps,
): Select => {
  const measures = aggregations.filter((each) => each !== "sparkline");
  const measure = "order" in selection && !isStoredKey(selection.order.key) ? [selection.order.key] : [];
  const columns = new Set<Column>(["issue", ...[...measures, ...measure].map((key) => MEASURES[key].of)]);
  if (aggregations.includes("sparkline")) columns.add("micros");
  const among = "ids" in selection ? [compare("in", COLUMNS.issue, { kind: "tuple", items: selection.ids.map(constant) })] : [];
  const read = select(
    [...columns].map((column) => alias(column, COLUMNS[column])),
    { from: from("events"), where: every([compare("==", field("event"), constant("$exception")), ...within(span), ...among]) },
  );
  const where = "ids" in selection ? null : compare("in", field("issue"), select([field("id")], { from: from(PAGE) }));
  const ofPage = { from: from(READ), where } as const;
  const parts = [
    ...("ids" in selection ? [] : [row(ROWS.page, field("id"), [field("total"), field("place")], { from: from(PAGE) })]),
    ...(measures.length === 0 ? [] : [counted(measures, ofPage)]),
    ...(aggregations.includes("sparkline") ? [step(steps, ofPage)] : []),
  ];
  const [first, ...rest] = parts;
  return select(
    [KIND, ID, ...NUMBERS].map((name) => field(name)),
    {
      ctes: [once(READ, read), ...("ids" in selection ? [] : [once(PAGE, page(selection))])],
      from: first === undefined ? null : from(rest.length === 0 ? first : unionAll(first, rest)),
      limit: constant(MOST_ROWS),
    },
  );
};

/** A page has at most 1,000 issues, each with a row for itself, for its counts, and for each step. */
const MOST_ROWS = 50_000;

const once = (name: string, query: Select): Cte => ({ name, query, scalar: false, columns: null, once: true });

const KIND = "kind";
const ID = "of";
const NUMBERS = ["a", "b", "c", "d"] as const;

const row = (kind: number, id: Expr, numbers: readonly Expr[], parts: Partial<Omit<Select, "kind" | "columns">>): Select =>
  select(
    [alias(KIND, constant(kind)), alias(ID, id), ...NUMBERS.map((name, at) => alias(name, call("toInt", numbers[at] ?? NOTHING)))],
    parts,
  );

const counted = (keys: readonly CountedKey[], parts: Partial<Omit<Select, "kind" | "columns">>): Select => {
  const numbers = MEASURE_ORDER.map((key) => (keys.includes(key) ? MEASURES[key].expr : NOTHING));
  return row(ROWS.counted, field("issue"), numbers, { ...parts, groupBy: [field("issue")] });
};

/** The place of each in a row of what was counted. */
export const MEASURE_ORDER = ["occurrences", "users", "sessions", "last_seen"] as const satisfies readonly CountedKey[];

const step = ({ start, width }: Steps, parts: Partial<Omit<Select, "kind" | "columns">>): Select => {
  const number = call("intDiv", arithmetic("-", field("micros"), wholeNumber(start)), wholeNumber(width));
  return row(ROWS.step, field("issue"), [number, call("count")], { ...parts, groupBy: [field("issue"), number] });
};

const page = ({ order: { key, descending }, onlySeen, window }: Extract<IssueSelection, { readonly order: Order }>): Select => {
  const id = field("i", "id");
  const measure = isStoredKey(key) ? [] : [alias("measure", MEASURES[key].expr)];
  const counts = select([field("issue"), ...measure], { from: from(READ), groupBy: [field("issue")] });
  // As text: the language compares UUIDs by their second half, and the time of their making is in the first.
  const made = call("toString", id);
  const stored = key === "first_seen" ? field("i", "first_seen") : made;
  const by = isStoredKey(key) ? stored : call("ifNull", field("n", "measure"), NOTHING);
  const orderBy = [by, made].map((expr) => ({ expr, descending, nulls: "last" as const }));
  const over = (name: string, within: typeof orderBy): Expr => ({
    kind: "window",
    name,
    args: [],
    over: { partitionBy: [], orderBy: within },
  });
  return select([alias("id", id), alias("total", over("count", [])), alias("place", over("row_number", orderBy))], {
    from: from(ISSUES, "i"),
    joins: [{ ...from(counts, "n"), join: onlySeen ? "INNER JOIN" : "LEFT JOIN", on: compare("==", field("n", "issue"), id), using: null }],
    orderBy,
    limit: constant(window.limit),
    offset: constant(window.offset),
  });
};
