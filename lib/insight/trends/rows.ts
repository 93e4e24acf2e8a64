import * as z from "zod";
import type { Breakdowns } from "../breakdowns/breakdowns.ts";
import type { EventsNode, Interval, TrendsQuery } from "../query.ts";
import { type InsightRow, NULL_VALUE, OTHER_VALUE } from "../rows.ts";
import { type Line, total } from "./lines.ts";
import type { Period, Shown } from "./period.ts";

const Breakdown = z.union([z.string(), z.number(), z.null()]);

/** A row of a trend: one series or formula, of one value of its breakdown. */
export const TrendRow = z
  .object({
    data: z.array(z.number()),
    days: z.array(z.string()),
    labels: z.array(z.string()).optional(),
    count: z.number(),
    aggregated_value: z.number().optional(),
    label: z.string(),
    order: z.int(),
    filter: z.record(z.string(), z.unknown()),
    action: z
      .object({
        days: z.array(z.string()),
        id: z.string().nullable(),
        type: z.string(),
        order: z.int(),
        name: z.string(),
        custom_name: z.string().nullable(),
        math: z.string().nullable(),
        math_property: z.string().nullable(),
        math_hogql: z.string().nullable(),
        math_group_type_index: z.int().nullable(),
        properties: z.record(z.string(), z.unknown()),
      })
      .nullable(),
    breakdown_value: z.union([Breakdown, z.array(Breakdown)]).optional(),
    compare: z.literal(true).optional(),
    compare_label: z.enum(["current", "previous"]).optional(),
  })
  .meta({ id: "TrendResultRow" });

/** Everything that the rows of one result share. */
export interface Result {
  readonly query: TrendsQuery;
  readonly interval: Interval;
  readonly form: Breakdowns["form"];
  readonly isTotal: boolean;
  readonly isCumulative: boolean;
  readonly isCompared: boolean;
}

/** A row shows a series, or a formula over them. */
export type Subject =
  | { readonly kind: "series"; readonly node: EventsNode; readonly order: number }
  | { readonly kind: "formula"; readonly label: string; readonly order: number };

/** One row of the result. */
export const makeRow = (result: Result, subject: Subject, line: Line, label: Period["label"], shown: Shown): InsightRow => ({
  ...rowNumbers(result, line, shown),
  label: rowLabel(result, subject, line),
  order: subject.order,
  filter: rowFilter(result, shown),
  action: subject.kind === "formula" ? null : rowAction(subject, result.isTotal ? [] : shown.moments),
  ...(line.values.length === 0 ? {} : { breakdown_value: breakdownValue(result, line) }),
  ...(result.isCompared ? { compare: true, compare_label: label } : {}),
});

const rowNumbers = ({ isTotal, isCumulative }: Result, { numbers }: Line, { days, labels }: Shown): InsightRow => {
  if (isTotal) return { data: [], days: [], count: 0, aggregated_value: numbers[0] ?? 0 };
  return { data: numbers, labels, days, count: isCumulative ? (numbers.at(-1) ?? 0) : total(numbers) };
};

const ALL_EVENTS = "All events";

const rowLabel = ({ query, form }: Result, subject: Subject, line: Line): string => {
  if (subject.kind === "formula") return subject.label;
  const event = subject.node.event ?? ALL_EVENTS;
  if (line.values.length === 0) return event;
  const value = form === "cohort" ? EVERYBODY : valueTexts(line).join("::");
  return query.series.length > 1 ? `${event} - ${value}` : value;
};

const EVERYBODY = "all users";

const valueTexts = ({ isOther, values }: Line): readonly string[] => values.map((value) => (isOther ? OTHER_VALUE : (value ?? NULL_VALUE)));

const breakdownValue = ({ form }: Result, line: Line): unknown => (form === "list" ? valueTexts(line) : valueTexts(line)[0]);

/** The query's settings in the words of older clients. */
const rowFilter = ({ query, interval }: Result, { range }: Shown): InsightRow => ({
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
const rowAction = ({ node, order }: Extract<Subject, { kind: "series" }>, days: readonly string[]): InsightRow => ({
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
