import * as z from "zod";
import { route } from "../../lib/app/routes.ts";
import { isoOfMicros } from "../../lib/core/time.ts";
import { isHyphenatedUuid } from "../../lib/core/uuid.ts";
import type { Issue } from "../../lib/error-tracking/issues.ts";
import { readLiveIssues } from "../../lib/error-tracking/live-issues.ts";
import { type SpikeEvent, SpikeEvents } from "../../lib/error-tracking/spike-events.ts";
import { invalid } from "../../lib/http/errors.ts";
import { microseconds } from "../../lib/http/fields.ts";
import { PageQuery, page, paginated } from "../../lib/http/pagination.ts";
import { json } from "../../lib/http/reply.ts";
import type { Table } from "../../lib/ports/table.ts";
import { readWindow, type Window } from "../../lib/table/paging.ts";
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
    const { count, items } = await spikeWindow(world.table, project, query);
    const issues = await readLiveIssues(
      world.table,
      project,
      items.map(({ issue_id }) => issue_id),
    );
    return page(
      request,
      query,
      count,
      items.map((event) => spikeEventForm(event, issues.get(event.issue_id))),
    );
  },
});

/** In the order of time a page costs what it shows; in another order, or of some issues, all spikes of the time are read. */
const spikeWindow = async (table: Table, project: number, query: z.output<typeof Query>): Promise<Window<SpikeEvent>> => {
  const { limit, offset, order_by: order = "-detected_at" } = query;
  const bounds = timeBounds(query);
  const wanted = issueIds(query.issue_ids ?? "");
  const descending = order === "-detected_at";
  if (wanted.size === 0 && order.endsWith("detected_at"))
    return readWindow(table, SpikeEvents, "key", { project }, { limit, offset, descending, ...bounds });
  const found: SpikeEvent[] = [];
  for await (const events of pages(table, SpikeEvents, "key", { project }, { ...bounds, descending })) found.push(...events);
  const own = wanted.size === 0 ? found : await ofIssues(table, project, found, wanted);
  return { count: own.length, items: inOrder(own, order).slice(offset, offset + limit) };
};

/** Those whose issue is one of these by now. */
const ofIssues = async (
  table: Table,
  project: number,
  events: readonly SpikeEvent[],
  wanted: ReadonlySet<string>,
): Promise<readonly SpikeEvent[]> => {
  const issues = await readLiveIssues(table, project, [...events.map(({ issue_id }) => issue_id), ...wanted]);
  const now = (id: string): string => issues.get(id)?.id ?? id;
  const asked = new Set([...wanted].map(now));
  return events.filter(({ issue_id }) => asked.has(now(issue_id)));
};

/** The issues that are asked for; none for all. */
const issueIds = (text: string): ReadonlySet<string> => {
  const parts = text.split(",").flatMap((part) => part.trim() || []);
  if (!parts.every(isHyphenatedUuid)) throw invalid("issue_ids", "Must be a comma-separated list of valid UUIDs.");
  return new Set(parts.map((part) => part.toLowerCase()));
};

/** Moments as they are stored, which begin in 1970 and have years of four digits. */
const timeBounds = ({ date_from, date_to }: Pick<z.output<typeof Query>, "date_from" | "date_to">) => ({
  ...(date_from !== undefined && { from: storedMoment(date_from) }),
  ...(date_to !== undefined && { to: storedMoment(date_to) }),
});

const storedMoment = (micros: number): string => isoOfMicros(BigInt(Math.min(Math.max(micros, 0), LAST_MICROS)));

/** 9999-12-31T23:59:59Z. */
const LAST_MICROS = 253_402_300_799_000_000;

/** In the order of a number; those that are equal, and all in the order of time, stay as they were read. */
const inOrder = (events: readonly SpikeEvent[], order: Order): readonly SpikeEvent[] => {
  if (order.endsWith("detected_at")) return events;
  const field = order.endsWith("computed_baseline") ? "computed_baseline" : "current_bucket_value";
  return events.toSorted((a, b) => (order.startsWith("-") ? b[field] - a[field] : a[field] - b[field]));
};

const spikeEventForm = (event: SpikeEvent, issue: Issue | undefined): z.input<typeof SpikeEventForm> => ({
  id: event.id,
  issue: { id: issue?.id ?? event.issue_id, name: issue?.name ?? null, description: issue?.description ?? null },
  detected_at: shortMicros(event.detected_at),
  computed_baseline: event.computed_baseline,
  current_bucket_value: event.current_bucket_value,
});

export const spikeEventRoutes = [list];
