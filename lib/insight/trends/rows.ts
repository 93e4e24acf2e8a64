import type { Breakdowns } from "../breakdowns/breakdowns.ts";
import { type InsightRow, NULL_VALUE, OTHER_VALUE } from "../plan.ts";
import type { EventsNode, Interval, TrendsQuery } from "../query.ts";
import type { Line } from "./lines.ts";
import type { Period, Shown } from "./period.ts";
import { total } from "./shape.ts";

/** What all rows of a result have in common. */
export interface Result {
  readonly query: TrendsQuery;
  readonly interval: Interval;
  readonly form: Breakdowns["form"];
  readonly isTotal: boolean;
  readonly isCumulative: boolean;
  readonly isCompared: boolean;
}

/** What a row is of: a series, or a formula over them. */
export type Subject =
  | { readonly kind: "series"; readonly node: EventsNode; readonly order: number }
  | { readonly kind: "formula"; readonly label: string; readonly order: number };

/** One row of the result. */
export const rowOf = (result: Result, subject: Subject, line: Line, label: Period["label"], shown: Shown): InsightRow => ({
  ...numbersOf(result, line, shown),
  label: labelOf(result, subject, line),
  order: subject.order,
  filter: filterOf(result, shown),
  action: subject.kind === "formula" ? null : actionOf(subject, result.isTotal ? [] : shown.moments),
  ...(line.values.length === 0 ? {} : { breakdown_value: breakdownValue(result, line) }),
  ...(result.isCompared ? { compare: true, compare_label: label } : {}),
});

const numbersOf = ({ isTotal, isCumulative }: Result, { numbers }: Line, { days, labels }: Shown): InsightRow => {
  if (isTotal) return { data: [], days: [], count: 0, aggregated_value: numbers[0] ?? 0 };
  return { data: numbers, labels, days, count: isCumulative ? (numbers.at(-1) ?? 0) : total(numbers) };
};

const ALL_EVENTS = "All events";

const labelOf = ({ query, form }: Result, subject: Subject, line: Line): string => {
  if (subject.kind === "formula") return subject.label;
  const event = subject.node.event ?? ALL_EVENTS;
  if (line.values.length === 0) return event;
  const value = form === "cohort" ? EVERYBODY : textsOf(line).join("::");
  return query.series.length > 1 ? `${event} - ${value}` : value;
};

const EVERYBODY = "all users";

const textsOf = ({ isOther, values }: Line): readonly string[] => values.map((value) => (isOther ? OTHER_VALUE : (value ?? NULL_VALUE)));

const breakdownValue = ({ form }: Result, line: Line): unknown => (form === "list" ? textsOf(line) : textsOf(line)[0]);

/** What the query asked for, in the words of older clients. */
const filterOf = ({ query, interval }: Result, { range }: Shown): InsightRow => ({
  insight: "TRENDS",
  properties: query.properties ?? [],
  filter_test_accounts: query.filterTestAccounts ?? false,
  date_to: range.to,
  date_from: range.from,
  entity_type: "events",
  interval,
  ...(query.samplingFactor === null ? {} : { sampling_factor: query.samplingFactor }),
  ...(query.trendsFilter?.display == null ? {} : { display: query.trendsFilter.display }),
});

/** A total is of no days, and a table of ten thousand of them would not fit a reply with all days in each. */
const actionOf = ({ node, order }: Extract<Subject, { kind: "series" }>, days: readonly string[]): InsightRow => ({
  days,
  id: node.event,
  type: "events",
  order,
  name: node.event ?? ALL_EVENTS,
  custom_name: node.custom_name,
  math: node.math,
  math_property: node.math_property,
  math_hogql: node.math_hogql,
  math_group_type_index: node.math_group_type_index,
  properties: {},
});
