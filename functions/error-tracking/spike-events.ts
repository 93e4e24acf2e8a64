import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import { isHyphenatedUuid } from "../../lib/core/uuid.ts";
import type { Issue } from "../../lib/error-tracking/issues.ts";
import { readLiveIssues } from "../../lib/error-tracking/live-issues.ts";
import { type SpikeEvent, SpikeEvents } from "../../lib/error-tracking/spike-events.ts";
import { invalid } from "../../lib/http/errors.ts";
import { microseconds } from "../../lib/http/fields.ts";
import { PageQuery, page, paginated } from "../../lib/http/pagination.ts";
import { json } from "../../lib/http/reply.ts";
import { pages } from "../../lib/table/store.ts";
import { BASE, read, TAGS } from "./place.ts";
import { shortMicros } from "./timestamps.ts";

export const SpikeEventForm = z
  .object({
    id: z.guid(),
    issue: z.object({ id: z.guid(), name: z.string().nullable(), description: z.string().nullable() }),
    detected_at: z.string(),
    computed_baseline: z.number(),
    current_bucket_value: z.int(),
  })
  .meta({ id: "ErrorTrackingSpikeEvent" });

const ORDERS = [
  "detected_at",
  "-detected_at",
  "computed_baseline",
  "-computed_baseline",
  "current_bucket_value",
  "-current_bucket_value",
] as const;
type Order = (typeof ORDERS)[number];

/** A parameter with an empty text counts as left out. */
const unlessBlank = <S extends z.ZodType>(schema: S) => z.preprocess((value) => (value === "" ? undefined : value), schema.optional());

const Query = PageQuery.extend({
  issue_ids: z.string().optional().meta({ description: "Comma-separated ids of issues." }),
  date_from: unlessBlank(microseconds()).meta({ description: "ISO 8601; detected then or later." }),
  date_to: unlessBlank(microseconds()).meta({ description: "ISO 8601; detected then or earlier." }),
  order_by: unlessBlank(z.enum(ORDERS)).meta({
    description: "What decides the order, a minus before it for the greatest first; `-detected_at` when left out.",
  }),
});

const list = route({
  method: "GET",
  path: `${BASE}/spike_events/`,
  summary: "List spikes",
  description: "Newest first unless `order_by` says otherwise.",
  tags: TAGS,
  access: read,
  query: Query,
  reply: json(200, paginated(SpikeEventForm)),
  async handle({ query, grant, world, request }) {
    const project = grant.project.id;
    const wanted = issueIds(query.issue_ids ?? "");
    const found: SpikeEvent[] = [];
    for await (const events of pages(world.table, SpikeEvents, "key", { project })) {
      found.push(...events.filter((event) => isWithin(event, query)));
    }
    const issues = await readLiveIssues(world.table, project, [...found.map(({ issue_id }) => issue_id), ...wanted]);
    const asked = new Set([...wanted].map((id) => issues.get(id)?.id ?? id));
    const own = found.filter(({ issue_id }) => asked.size === 0 || asked.has(issues.get(issue_id)?.id ?? issue_id));
    const ordered = inOrder(own, query.order_by ?? "-detected_at");
    const shown = ordered.slice(query.offset, query.offset + query.limit);
    return page(
      request,
      query,
      ordered.length,
      shown.map((event) => spikeEventForm(event, issues.get(event.issue_id))),
    );
  },
});

/** The issues that are asked for; none for all. */
const issueIds = (text: string): ReadonlySet<string> => {
  const parts = text.split(",").flatMap((part) => part.trim() || []);
  if (!parts.every(isHyphenatedUuid)) throw invalid("issue_ids", "Must be a comma-separated list of valid UUIDs.");
  return new Set(parts.map((part) => part.toLowerCase()));
};

const isWithin = (
  { detected_at }: SpikeEvent,
  { date_from, date_to }: { readonly date_from?: number | undefined; readonly date_to?: number | undefined },
): boolean => {
  const at = parseMicros(detected_at);
  return (date_from === undefined || at >= date_from) && (date_to === undefined || at <= date_to);
};

/** Of a stored moment, which has six digits after the second. */
const parseMicros = (iso: string): number => Date.parse(iso) * 1_000 + Number(iso.slice(-4, -1));

/** Equal ones keep the order in which they were detected. */
const inOrder = (events: readonly SpikeEvent[], order: Order): readonly SpikeEvent[] => {
  const descending = order.startsWith("-");
  const measure = (event: SpikeEvent): number => {
    if (order.endsWith("detected_at")) return parseMicros(event.detected_at);
    return order.endsWith("computed_baseline") ? event.computed_baseline : event.current_bucket_value;
  };
  return events.toSorted((a, b) => (descending ? measure(b) - measure(a) : measure(a) - measure(b)));
};

const spikeEventForm = (event: SpikeEvent, issue: Issue | undefined): z.input<typeof SpikeEventForm> => ({
  id: event.id,
  issue: { id: issue?.id ?? event.issue_id, name: issue?.name ?? null, description: issue?.description ?? null },
  detected_at: shortMicros(event.detected_at),
  computed_baseline: event.computed_baseline,
  current_bucket_value: event.current_bucket_value,
});

export const spikeEventRoutes = [list];
