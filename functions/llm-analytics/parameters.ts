import * as z from "zod";
import { parseMoment } from "../../lib/core/relative-dates.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/core/time.ts";
import { invalid } from "../../lib/http/errors.ts";
import { boolean, integer, text } from "../../lib/http/fields.ts";

/** The products whose spend can be looked into. */
const PRODUCTS: ReadonlySet<string> = new Set(["service_code"]);

const PRODUCT_CHARACTERS = 64;
const DATE_CHARACTERS = 32;
const MOST_DAYS = 90;
const MOST_BUCKETS = 600;
const DEFAULT_FROM = "-30d";

export const SpendQuery = z.object({
  product: text({ max: PRODUCT_CHARACTERS }).meta({ description: "The product whose tools, models, days and traces are shown." }),
  date_from: text({ max: DATE_CHARACTERS })
    .optional()
    .meta({ description: "A date, or an amount of time such as -7d; -30d when left out." }),
  date_to: text({ max: DATE_CHARACTERS, blank: true }).optional().meta({ description: "The end, which is left out; now when left out." }),
  limit: integer({ min: 1, max: 200 }).default(50).meta({ description: "Rows of each breakdown, those of the highest cost." }),
  bucket_minutes: z
    .enum(["5", "15", "30", "60"])
    .optional()
    .meta({ type: "integer", enum: [5, 15, 30, 60], description: "Adds a series in steps of so many minutes." }),
  refresh: boolean().default(false).meta({ description: "Computes although an answer of the last five minutes is kept." }),
});
export type SpendQuery = z.output<typeof SpendQuery>;

/** A window with its defaults filled in: from inclusive, to exclusive, milliseconds since 1970. */
export interface SpendWindow {
  readonly from: number;
  readonly to: number;
  readonly product: string;
  readonly limit: number;
  readonly bucketMinutes: number | null;
}

/** Throws 400 for a window that is none, or too long. */
export const spendWindow = (query: SpendQuery, now: number): SpendWindow => {
  if (!PRODUCTS.has(query.product)) throw invalid("product", `This product is not supported; ${[...PRODUCTS].join(", ")} is.`);
  const from = moment("date_from", query.date_from ?? DEFAULT_FROM, now);
  const to = query.date_to ? moment("date_to", query.date_to, now) : now;
  if (to <= from) throw invalid("date_to", "The end must come after date_from.");
  if (to - from > MOST_DAYS * DAY_MS) throw invalid("date_from", `The window spans at most ${MOST_DAYS} days.`);
  const bucketMinutes = query.bucket_minutes === undefined ? null : Number(query.bucket_minutes);
  if (bucketMinutes !== null && bucketsIn(from, to, bucketMinutes * MINUTE_MS) > MOST_BUCKETS)
    throw invalid("bucket_minutes", `The window spans at most ${MOST_BUCKETS} buckets: shorten it, or take longer buckets.`);
  return { from, to, product: query.product, limit: query.limit, bucketMinutes };
};

/** The buckets that can hold something, those at the edges included. */
const bucketsIn = (from: number, to: number, bucketMs: number): number =>
  Math.floor(to / bucketMs) - Math.floor(from / bucketMs) + (to % bucketMs === 0 ? 0 : 1);

const SHAPE = /^-?\d+[hdwmqyHDWMQY](Start|End)?$|^\d/;
/** Units that are written large and mean nothing: what is asked for is now. */
const MEANS_NOW = /^-?\d+[HDWQY](Start|End)?$/;

const moment = (name: "date_from" | "date_to", text: string, now: number): number => {
  if (MEANS_NOW.test(text)) return now;
  const at = SHAPE.test(text) ? parseMoment(text, now) : undefined;
  if (at === undefined) throw invalid(name, "Give a date such as 2026-04-23, or an amount of time such as -7d.");
  return at;
};
