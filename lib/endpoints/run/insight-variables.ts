import { QueryError } from "../../hogql/errors.ts";
import { invalid } from "../../http/errors.ts";
import { endOf, startOf, WEEK_START } from "../../insight/dates.ts";
import type { GivenDates } from "../../insight/override.ts";
import { breakdownNames, type InsightQuery } from "../../insight/query.ts";

/** When and where a run takes place: milliseconds since 1970, and the project's time zone. */
export interface Moment {
  readonly now: number;
  readonly timezone: string;
}

const DATE_NAMES = ["date_from", "date_to"] as const;

/** The input of a run of an insight: dates in the place of its own, and values that its breakdowns are narrowed to. */
export interface InsightValues {
  readonly dates: GivenDates;
  readonly breakdowns: Readonly<Record<string, string>>;
}

/** The variables that an insight takes: its two dates, and each breakdown by its name. */
export const variableNames = (query: InsightQuery): readonly string[] => [...DATE_NAMES, ...breakdownNames(query.breakdownFilter)];

/** Reads the variables of an insight. Throws 400 for one whose value cannot narrow anything: none is ever dropped. */
export const insightValues = (sent: Readonly<Record<string, unknown>>, moment: Moment): InsightValues => {
  const breakdowns = Object.entries(sent).filter(([name]) => !isDate(name));
  return {
    dates: {
      date_from: readDate("date_from", sent.date_from, (text) => text === "all" || startOf(text, clock(moment), null)),
      date_to: readDate("date_to", sent.date_to, (text) => endOf(text, clock(moment), null)),
    },
    breakdowns: Object.fromEntries(breakdowns.map(([name, value]) => [name, readText(name, value)])),
  };
};

const isDate = (name: string): boolean => DATE_NAMES.some((date) => date === name);

const clock = (moment: Moment) => ({ ...moment, weekStart: WEEK_START });

const readDate = (name: string, value: unknown, read: (text: string) => unknown): string | undefined => {
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "") {
    throw invalid("variables", `The variable '${name}' must be a date: a text such as "2026-01-31" or "-7d".`);
  }
  try {
    read(value);
    return value;
  } catch (error) {
    if (error instanceof QueryError) throw invalid("variables", `The variable '${name}' must be a date: ${error.message}`);
    throw error;
  }
};

const readText = (name: string, value: unknown): string => {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw invalid("variables", `The variable '${name}' must be a text, a number or a boolean: the value of the breakdown, or "" for none.`);
};
