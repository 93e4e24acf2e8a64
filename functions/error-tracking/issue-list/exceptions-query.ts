import type { Expr, Select } from "../../../lib/hogql/ast.ts";
import { alias, arithmetic, call, compare, constant, every, field, from, select, wholeNumber } from "../../../lib/hogql/build.ts";
import { ISSUES } from "../../../lib/hogql/vocabulary.ts";
import type { Window } from "../../../lib/http/pagination.ts";
import { type Span, within } from "../../../lib/insight/dates.ts";
import type { Aggregation, CountedKey, Order } from "./parameters.ts";

/** A time that has a beginning, microseconds since 1970. */
export type ClosedSpan = Span & { readonly from: bigint };

const MICROS = call("toUnixTimestamp64Micro", field("timestamp"));

/** What is counted of an issue's exceptions: `last_seen` in microseconds since 1970. */
const MEASURES: Readonly<Record<CountedKey, Expr>> = {
  occurrences: call("count"),
  users: call("uniq", field("person_id")),
  sessions: call("uniq", call("nullIf", field("$session_id"), constant(""))),
  last_seen: call("max", MICROS),
};

/** The exceptions of a time, by issue. */
const exceptions = (span: ClosedSpan, columns: readonly Expr[], groupBy: readonly Expr[], more: readonly Expr[] = []): Select =>
  select(columns, {
    from: from("events"),
    where: every([compare("==", field("event"), constant("$exception")), ...within(span), ...more]),
    groupBy,
  });

const ISSUE = field("issue_id");

/**
 * The ids of one page of the issues that go along with the query as its table of issues, each with the number of all. With
 * `onlySeen` an issue without an exception in the time is left out; else it counts as nothing.
 */
export const pageQuery = (span: ClosedSpan, { key, descending }: Order, onlySeen: boolean, { limit, offset }: Window): Select => {
  const measure = key === "created_at" || key === "first_seen" ? MEASURES.occurrences : MEASURES[key];
  const counted = exceptions(span, [alias("issue", ISSUE), alias("measure", measure)], [ISSUE]);
  const id = field("i", "id");
  const by =
    key === "created_at" ? id : key === "first_seen" ? field("i", "first_seen") : call("ifNull", field("n", "measure"), constant(0));
  return select([id, { kind: "window", name: "count", args: [], over: { partitionBy: [], orderBy: [] } }], {
    from: from(ISSUES, "i"),
    joins: [
      { ...from(counted, "n"), join: onlySeen ? "INNER JOIN" : "LEFT JOIN", on: compare("==", field("n", "issue"), id), using: null },
    ],
    orderBy: [by, id].map((expr) => ({ expr, descending, nulls: "last" })),
    limit: constant(limit),
    offset: constant(offset),
  });
};

/** Of these issues, the id and what is asked for, in the order of `keys`. */
export const measuresQuery = (span: ClosedSpan, ids: readonly string[], keys: readonly CountedKey[]): Select => ({
  ...exceptions(span, [ISSUE, ...keys.map((key) => MEASURES[key])], [ISSUE], [among(ids)]),
  limit: constant(ids.length),
});

/** Of these issues, the id, the number of a step from `start` on, and how many exceptions it has. */
export const stepsQuery = (span: ClosedSpan, ids: readonly string[], { start, width, count }: Steps): Select => {
  const step = call("intDiv", arithmetic("-", MICROS, wholeNumber(start)), wholeNumber(width));
  return { ...exceptions(span, [ISSUE, step, call("count")], [ISSUE, step], [among(ids)]), limit: constant(ids.length * count) };
};

const among = (ids: readonly string[]): Expr => compare("in", ISSUE, { kind: "tuple", items: ids.map(constant) });

/** Equal steps of a time: from `start`, which may lie before it, each of `width` microseconds. */
export interface Steps {
  readonly start: bigint;
  readonly width: bigint;
  readonly count: number;
}

/** What of the aggregations is a number of the engine's; the steps are counted apart. */
export const measured = (aggregations: readonly Aggregation[]): readonly CountedKey[] =>
  aggregations.filter((each) => each !== "sparkline");
