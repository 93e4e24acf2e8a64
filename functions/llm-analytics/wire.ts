import * as z from "zod";
import { isoBrief, MINUTE_MS } from "../../lib/core/time.ts";
import { INPUT_SIZES, NANOS_PER_USD } from "./numbers.ts";
import type { SpendWindow } from "./parameters.ts";
import type { SpendRow, SpendRows } from "./rows.ts";

const Usd = z.number();

const items = <S extends z.ZodType>(item: S) => z.object({ items: z.array(item), truncated: z.boolean() });

/** One person's spend on LLMs, broken down. */
export const PersonalSpend = z
  .object({
    summary: z.object({
      date_from: z.string(),
      date_to: z.string(),
      product: z.string(),
      total_cost_usd: Usd,
      event_count: z.int(),
      scoped_cost_usd: Usd,
      scoped_event_count: z.int(),
    }),
    by_product: items(z.object({ product: z.string().nullable(), event_count: z.int(), cost_usd: Usd })),
    by_tool: items(
      z.object({
        tool: z.string().nullable(),
        generation_count: z.int(),
        cost_usd: Usd,
        share_of_scoped: z.number(),
        avg_input_tokens: z.number(),
        cost_attributed_usd: Usd,
        share_attributed: z.number(),
      }),
    ),
    by_model: items(
      z.object({
        model: z.string().nullable(),
        generation_count: z.int(),
        cost_usd: Usd,
        input_tokens: z.int(),
        output_tokens: z.int(),
      }),
    ),
    by_day: items(z.object({ day: z.string(), event_count: z.int(), cost_usd: Usd })),
    by_bucket: items(
      z.object({
        bucket_start: z.string(),
        event_count: z.int(),
        cost_usd: Usd,
        input_cost_usd: Usd,
        output_cost_usd: Usd,
        cache_read_cost_usd: Usd,
        cache_creation_cost_usd: Usd,
        input_tokens: z.int(),
        output_tokens: z.int(),
        cache_read_input_tokens: z.int(),
        cache_creation_input_tokens: z.int(),
      }),
    )
      .extend({ bucket_minutes: z.int() })
      .optional(),
    top_traces: items(z.object({ trace_id: z.string(), generation_count: z.int(), cost_usd: Usd, started_at: z.string() })),
    by_input_size: items(
      z.object({
        bucket: z.string(),
        min_input_tokens: z.int(),
        generation_count: z.int(),
        cost_usd: Usd,
        share_of_scoped: z.number(),
        avg_cost_per_generation: Usd,
      }),
    ),
  })
  .meta({ id: "PersonalSpendAnalysisResponse" });
export type PersonalSpend = z.output<typeof PersonalSpend>;

/** The reply, field by field in the order in which it is documented. */
export const spendForm = (window: SpendWindow, rows: SpendRows): PersonalSpend => {
  const [all] = rows.all;
  const [scoped] = rows.scoped;
  const share = (nanos: number): number => (scoped && scoped.cost !== 0 ? rounded(nanos / scoped.cost) : 0);
  const first = <T>(found: readonly SpendRow[], form: (row: SpendRow) => T) => ({
    items: found.slice(0, window.limit).map(form),
    truncated: found.length > window.limit,
  });
  const whole = <T>(found: readonly SpendRow[], form: (row: SpendRow) => T) => ({
    items: found.toSorted((a, b) => a.at - b.at).map(form),
    truncated: false,
  });
  return {
    summary: {
      date_from: stamp(window.from),
      date_to: stamp(window.to),
      product: window.product,
      total_cost_usd: usd(all?.cost ?? 0),
      event_count: all?.events ?? 0,
      scoped_cost_usd: usd(scoped?.cost ?? 0),
      scoped_event_count: scoped?.events ?? 0,
    },
    by_product: first(rows.product, (row) => ({ product: row.label || null, event_count: row.events, cost_usd: usd(row.cost) })),
    by_tool: first(rows.tool, (row) => ({
      tool: row.label || null,
      generation_count: row.events,
      cost_usd: usd(row.cost),
      share_of_scoped: share(row.cost),
      avg_input_tokens: row.events === 0 ? 0 : roundHalfEven(row.input_tokens / row.events),
      cost_attributed_usd: usd(row.attributed),
      share_attributed: share(row.attributed),
    })),
    by_model: first(rows.model, (row) => ({
      model: row.label || null,
      generation_count: row.events,
      cost_usd: usd(row.cost),
      input_tokens: tokens(row.input_tokens),
      output_tokens: tokens(row.output_tokens),
    })),
    by_day: whole(rows.day, (row) => ({
      day: stamp(row.at * 1_440 * MINUTE_MS).slice(0, 10),
      event_count: row.events,
      cost_usd: usd(row.cost),
    })),
    ...(window.bucketMinutes !== null && {
      by_bucket: { ...whole(rows.bucket, bucketForm(window.bucketMinutes)), bucket_minutes: window.bucketMinutes },
    }),
    top_traces: first(rows.trace, (row) => ({
      trace_id: row.label,
      generation_count: row.events,
      cost_usd: usd(row.cost),
      started_at: stamp(Math.floor(row.at / 1_000)),
    })),
    by_input_size: whole(rows.size, (row) => ({
      ...sizeForm(row.at),
      generation_count: row.events,
      cost_usd: usd(row.cost),
      share_of_scoped: share(row.cost),
      avg_cost_per_generation: usd(row.events === 0 ? 0 : row.cost / row.events),
    })),
  };
};

const bucketForm = (minutes: number) => (row: SpendRow) => ({
  bucket_start: stamp(row.at * minutes * MINUTE_MS),
  event_count: row.events,
  cost_usd: usd(row.cost),
  input_cost_usd: usd(row.input_cost),
  output_cost_usd: usd(row.output_cost),
  cache_read_cost_usd: usd(row.cache_read_cost),
  cache_creation_cost_usd: usd(row.cache_creation_cost),
  input_tokens: tokens(row.input_tokens),
  output_tokens: tokens(row.output_tokens),
  cache_read_input_tokens: tokens(row.cache_read_tokens),
  cache_creation_input_tokens: tokens(row.cache_creation_tokens),
});

const SIZE_NAMES = ["<50k", "50k-100k", "100k-150k", "150k-200k", "200k-300k", ">300k"] as const;

const sizeForm = (at: number) => ({ bucket: SIZE_NAMES[at] ?? "", min_input_tokens: INPUT_SIZES[at - 1] ?? 0 });

/** As every other amount here, and as the query language's `round`: a half goes to the even neighbour. */
const roundHalfEven = (value: number): number => {
  const above = Math.round(value);
  return above - value === 0.5 && above % 2 !== 0 ? above - 1 : above;
};

/** A sum of tokens as a number that every client reads as an integer: one beyond that was made of absurd numbers. */
const tokens = (sum: number): number => Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, sum));

const MICROS_PER_USD = 1_000_000;

/** Dollars of nano-dollars, to the micro-dollar. */
const usd = (nanos: number): number => Math.round(nanos / (NANOS_PER_USD / MICROS_PER_USD)) / MICROS_PER_USD;

const rounded = (share: number): number => Math.round(share * MICROS_PER_USD) / MICROS_PER_USD;

const stamp = (ms: number): string => isoBrief(new Date(ms).toISOString());
