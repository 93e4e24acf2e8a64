import { withinRights } from "../../../infra/local/function-rights.ts";
import { systemIds } from "../../../lib/app/system.ts";
import type { World } from "../../../lib/app/world.ts";
import { openSegments } from "../../../lib/aws/parts/segments.ts";
import { readCommits } from "../../../lib/lake/catalogue/commits.ts";
import { initialHead } from "../../../lib/lake/head.ts";
import { readParquet } from "../../../lib/lake/parquet.ts";
import type { CountName } from "../../../lib/ports/counts.ts";
import { type Outgoing, QUEUES, type QueueName } from "../../../lib/ports/queues.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { keptLog } from "../kept-log.ts";
import { memoryObjects } from "../memory-objects.ts";

/** The moment of an ingest world, milliseconds: 2026-01-12T12:00:00Z. */
export const NOW = Date.UTC(2026, 0, 12, 12);

/** The parts of a world that ingest touches, in memory, with some projects; `wrap` stands between ingest and the table. */
export const ingestWorld = async (projects: readonly number[], wrap: (table: Table) => Table = (table) => table) => {
  const stored = memoryTable();
  const table = wrap(stored);
  const objects = memoryObjects();
  const log = keptLog();
  let now = NOW;
  const clock = { now: () => now };
  const counted: CountName[] = [];
  const sent = new Map<QueueName, Outgoing[]>(QUEUES.map((queue) => [queue, []]));
  for (const project of projects) await stored.put(initialHead(project, NOW));
  const world: Pick<World, "table" | "objects" | "queues" | "segments" | "clock" | "ids" | "log" | "counts"> = {
    table: withinRights(table),
    objects,
    queues: {
      async send(queue, messages) {
        sent.get(queue)?.push(...messages);
        return [];
      },
    },
    segments: openSegments,
    clock,
    ids: systemIds(clock),
    log,
    counts: { add: async (name) => void counted.push(name) },
  };
  return {
    /** Guarantee of the cast: ingest uses no other part. */
    world: world as World,
    table,
    objects,
    log,
    /** The metrics that were counted, in order. */
    counted,
    /** Lets time go by, milliseconds. */
    pass: (ms: number): void => {
      now += ms;
    },
    /** What was sent to a queue, in order. */
    sent: (queue: QueueName): readonly Outgoing[] => sent.get(queue) ?? [],
    rows: async (project: number) => {
      const rows: Record<string, unknown>[] = [];
      for (const { segments } of await readCommits(table, project)) {
        for (const { key } of segments) rows.push(...(await readParquet(objects.contents.get(key) ?? new Uint8Array())));
      }
      return rows;
    },
  };
};
