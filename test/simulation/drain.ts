import { createHash } from "node:crypto";
import { CATALOGUE_FORMAT, type DayCounts, type Segment } from "../../lib/lake/catalogue.ts";
import { commitItem } from "../../lib/lake/commits.ts";
import { type EventRow, HOT, partitionOf, utcDay } from "../../lib/lake/event.ts";
import { readHead } from "../../lib/lake/head.ts";
import { segmentKey } from "../../lib/lake/paths.ts";
import type { Delivery } from "../../lib/world/queues.ts";
import type { World } from "../../lib/world/world.ts";
import { identityOf } from "./ports/row-files.ts";
import type { SentEvent } from "./scenario.ts";

/** A message of the simulation: what capture fixed, and the events. */
export interface Message {
  readonly project: number;
  readonly request: string;
  /** Milliseconds since 1970. */
  readonly received: number;
  readonly historical: boolean;
  readonly events: readonly SentEvent[];
}

export const rowsOf = (message: Message): readonly EventRow[] =>
  message.events.map((sent, index) => {
    const created = BigInt(message.received) * 1000n;
    return {
      uuid: sent.uuid ?? derived(message, index),
      event: sent.event,
      distinct_id: sent.distinctId,
      person_id: "00000000-0000-0000-0000-000000000000",
      timestamp: sent.timestamp === null ? created : BigInt(sent.timestamp) * 1000n,
      created_at: created,
      identity: 0n,
      person_mode: "full",
      historical: message.historical,
      session_id: null,
      window_id: null,
      groups: [],
      elements_chain: "",
      properties: "{}",
      hot: NO_HOT,
      request: message.request,
      index,
    };
  });

const NO_HOT = HOT.map(() => null);

export const countRows = (rows: readonly EventRow[]): DayCounts => {
  const counts: Record<string, { events: number }> = {};
  for (const { timestamp } of rows) {
    const day = String(utcDay(timestamp));
    counts[day] = { events: (counts[day]?.events ?? 0) + 1 };
  }
  return counts;
};

/** One drain: the rows of the messages, in one commit per project. Throws where the messages have to be delivered again. */
export const drain = async (
  parts: Pick<World, "table" | "objects" | "clock" | "ids" | "segments">,
  lane: "live" | "historical",
  deliveries: readonly Delivery[],
  committed: (project: number, commit: string, identities: readonly string[]) => void,
): Promise<void> => {
  const messages = deliveries.map(({ body }) => asMessage(body));
  for (const project of new Set(messages.map((message) => message.project))) {
    if ((await readHead(parts.table, project)).removedAt !== null) continue;
    const rows = distinct(messages.filter((message) => message.project === project).flatMap(rowsOf));
    const segments: Segment[] = [];
    for (const [partition, own] of byPartition(rows)) {
      const { content, ...facts } = await parts.segments.write(own);
      const key = segmentKey(project, partition, parts.ids.ulid());
      await parts.objects.put(key, content);
      segments.push({ key, partition, ...facts });
    }
    const id = parts.ids.ulid();
    await parts.table.put(commitItem(project, { v: CATALOGUE_FORMAT, id, at: parts.clock.now(), lane, segments, deltas: null }));
    committed(project, id, rows.map(identityOf));
  }
};

/** Only the simulated client writes these. */
export const asMessage = (body: string): Message => JSON.parse(body) as Message;

const distinct = (rows: readonly EventRow[]): readonly EventRow[] => {
  const least = new Map<string, EventRow>();
  for (const row of rows) {
    const rival = least.get(identityOf(row));
    if (!rival || row.created_at < rival.created_at) least.set(identityOf(row), row);
  }
  return [...least.values()];
};

const byPartition = (rows: readonly EventRow[]): ReadonlyMap<string, readonly EventRow[]> => {
  const partitions = new Map<string, EventRow[]>();
  for (const row of rows) {
    const partition = partitionOf(row.timestamp);
    partitions.set(partition, [...(partitions.get(partition) ?? []), row]);
  }
  return partitions;
};

const derived = ({ request, received }: Message, index: number): string =>
  createHash("sha1").update(`${request} ${received} ${index}`).digest("hex").slice(0, 32);
