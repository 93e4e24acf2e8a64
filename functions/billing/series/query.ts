import * as z from "zod";
import { parseMoment } from "../../../lib/core/relative-dates.ts";
import { DAY_MS, isoDay } from "../../../lib/core/time.ts";
import { invalid, standardError } from "../../../lib/http/errors.ts";
import { integer } from "../../../lib/http/fields.ts";
import { isUsageType, USAGE_TYPES, type UsageType } from "../../../lib/usage/identifiers.ts";

/** Units, or money. */
export type Measure = "usage" | "spend";

const INTERVALS = ["day", "week", "month"] as const;
export type Interval = (typeof INTERVALS)[number];

const DIMENSIONS = ["type", "team"] as const;
type Dimension = (typeof DIMENSIONS)[number];

const MAX_PAGE = 1_000;
const MAX_TOP = 200;
const MAX_CURSOR = 512;

/** Text, where blank text is none. */
const optional = <S extends z.ZodType>(of: S) => z.preprocess((input) => (isBlank(input) ? undefined : input), of.optional());

const isBlank = (input: unknown): boolean => typeof input === "string" && input.trim() === "";

/** A list written as JSON; `of` says of each entry what is wrong with it. */
const jsonList = <T>(
  of: (entry: unknown) => T | undefined,
  problem: (entry: unknown) => { readonly code: string; readonly message: string },
) =>
  z.string().transform((text, context): readonly T[] => {
    const fail = (code: string, message: string): never[] => {
      context.addIssue({ code: "custom", message, params: { code } });
      return [];
    };
    const list = parsed(text);
    if (!Array.isArray(list)) return fail("invalid_input", "Must be a JSON-encoded array.");
    const entries: T[] = [];
    for (const entry of list) {
      const known = of(entry);
      if (known === undefined) {
        const { code, message } = problem(entry);
        return fail(code, message);
      }
      entries.push(known);
    }
    return entries;
  });

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const usageType = (entry: unknown): UsageType | undefined => (typeof entry === "string" && isUsageType(entry) ? entry : undefined);
const project = (entry: unknown): number | undefined => (Number.isSafeInteger(entry) ? Number(entry) : undefined);
const dimension = (entry: unknown): Dimension | undefined => DIMENSIONS.find((known) => known === entry);

/** The parameters that usage, spend and both exports share. */
export const SeriesQuery = z.object({
  start_date: optional(z.string().max(64)).meta({
    type: "string",
    description: "First day: a date, a time, so much before now such as `-30d`, or `all`. Thirty days before the end when left out.",
  }),
  end_date: optional(z.string().max(64)).meta({ type: "string", description: "Last day, inclusive; today when left out." }),
  usage_types: optional(
    jsonList(usageType, (entry) =>
      typeof entry === "string"
        ? { code: "invalid_choice", message: "Names a usage type that does not exist." }
        : { code: "invalid_input", message: "Must be a JSON-encoded array of strings." },
    ),
  ).meta({ type: "string", description: `JSON-encoded array of usage types: ${USAGE_TYPES.join(", ")}. All when left out.` }),
  team_ids: optional(jsonList(project, () => ({ code: "invalid_input", message: "Must be a JSON-encoded array of project ids." }))).meta({
    type: "string",
    description: "JSON-encoded array of project ids. All that the caller may see when left out.",
  }),
  breakdowns: optional(
    jsonList(dimension, () => ({ code: "invalid_input", message: "Must be a JSON-encoded array of `type` and `team`." })),
  ).meta({ type: "string", description: "JSON-encoded array of `type` and `team`. One series of everything when left out." }),
  interval: optional(z.enum(INTERVALS)).meta({ description: "What each point stands for; `day` when left out." }),
  top_projects: optional(integer({ min: 1, max: MAX_TOP })).meta({
    description: "With a breakdown by project: the projects with most are shown, all others as one series.",
  }),
  page_size: optional(integer({ min: 1, max: MAX_PAGE })).meta({
    description: "At most this many series and where to go on. Needs a breakdown by project.",
  }),
  after: optional(z.string().max(MAX_CURSOR)).meta({ type: "string", description: "`next` of the page before, which is kept for a day." }),
  team_id: z.string().optional().meta({ type: "integer", description: "The project whose organization is meant." }),
});
export type SeriesQuery = z.output<typeof SeriesQuery>;

/** The parameters of both exports. */
export const ExportQuery = SeriesQuery.extend({
  redirect: optional(z.enum(["true", "false"])).meta({
    description:
      "`false` to be told, as JSON, the address of a file that is too large to be sent from here, and not led there: a page's own calls may be kept from following to another host.",
  }),
});
export type ExportQuery = z.output<typeof ExportQuery>;

/** A question with all defaults filled in. Days are days since 1970, both inclusive. */
export interface SeriesRequest {
  readonly from: number;
  readonly to: number;
  readonly types: ReadonlySet<UsageType>;
  /** Whether no types were named. */
  readonly everyType: boolean;
  /** Null for all that the caller may see. */
  readonly projects: readonly number[] | null;
  readonly byType: boolean;
  readonly byProject: boolean;
  readonly interval: Interval;
  readonly top: number | null;
}

/** The first day of `all`. */
const ALL_FROM = Date.UTC(2020, 0) / DAY_MS;
const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** The request that a query makes at this moment. Throws 400. */
export const seriesRequest = (query: SeriesQuery, now: number): SeriesRequest => {
  const [from, to] = dayRange(query, now);
  const { usage_types = [], team_ids = [], breakdowns = [], interval = "day", top_projects } = query;
  return {
    from,
    to,
    types: new Set(usage_types.length === 0 ? USAGE_TYPES : usage_types),
    everyType: usage_types.length === 0,
    projects: team_ids.length === 0 ? null : [...new Set(team_ids)],
    byType: breakdowns.includes("type"),
    byProject: breakdowns.includes("team"),
    interval,
    top: top_projects ?? null,
  };
};

const dayRange = ({ start_date, end_date }: SeriesQuery, now: number): readonly [number, number] => {
  const to = end_date === undefined ? Math.floor(now / DAY_MS) : dayBound("end_date", end_date, now);
  const from = start_date === undefined ? to - DEFAULT_DAYS : start_date === "all" ? ALL_FROM : dayBound("start_date", start_date, now);
  if (to < from) throw invalid("end_date", `The end ${isoDay(to)} lies before the start ${isoDay(from)}.`);
  checkSpan(from, to);
  return [from, to];
};

/** The UTC day (days since 1970) that a date bound means: a date, a time, or so much before now. Throws 400 for what means none. */
const dayBound = (attr: string, text: string, now: number): number => {
  const at = parseMoment(text, now);
  if (at === undefined) throw invalid(attr, "Give a date such as 2026-04-23, or so much before now such as -30d.");
  return Math.floor(at / DAY_MS);
};

/** Throws 400 for more days than are answered at once. */
export const checkSpan = (from: number, to: number): void => {
  if (to - from <= MAX_DAYS) return;
  const detail = "The date range is longer than a year. Choose a range of at most a year.";
  throw standardError(400, "invalid_request", "usage_date_range_too_long", detail);
};

/** 400 for a question that took too long. */
export const tooSlow = () =>
  standardError(
    400,
    "invalid_request",
    "usage_query_timeout",
    "This took too long. Ask for fewer days, projects or usage types, or for pages with `page_size`.",
  );
