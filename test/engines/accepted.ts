import { utcDay } from "../../lib/event/time-partitions.ts";
import { readCommits } from "../../lib/lake/catalogue/commits.ts";
import { getManifest } from "../../lib/lake/catalogue/manifests.ts";
import { STATE_ENTRY } from "../../lib/lake/catalogue.ts";
import { readHead } from "../../lib/lake/head.ts";
import { readParquet, type Value } from "../../lib/lake/parquet.ts";
import type { Lake } from "./lake.ts";

export type AcceptedRow = Readonly<Record<string, Value>>;

interface Waiting {
  readonly commit: string;
  readonly partition: string;
  readonly rows: readonly AcceptedRow[];
}

/**
 * The rows that an open table has to have: those of accepted events that have been gathered, without copies. Reads what ingest
 * wrote, row by row, and the lists of what was gathered, and nothing that compaction or the publisher writes.
 */
export class Accepted {
  readonly rows = new Map<string, AcceptedRow>();
  #waiting: Waiting[] = [];
  readonly #seen = new Set<string>();

  /** To be called after each drain, before anything is gathered. */
  async take({ world, project }: Lake): Promise<void> {
    for (const { id, segments } of await readCommits(world.table, project)) {
      if (this.#seen.has(id)) continue;
      this.#seen.add(id);
      for (const { key, partition } of segments) {
        const bytes = await world.objects.get(key);
        if (bytes === undefined) throw new Error(`the segment ${key} is missing`);
        this.#waiting.push({ commit: id, partition, rows: await readParquet(bytes) });
      }
    }
  }

  /** To be called after each swap. */
  async gathered({ world, project }: Lake): Promise<void> {
    const { manifests } = await readHead(world.table, project);
    const absorbed = new Set<string>();
    for (const [partition, id] of Object.entries(manifests)) {
      if (partition === STATE_ENTRY) continue;
      const manifest = await getManifest(world.objects, project, partition, id);
      for (const commit of manifest?.absorbed ?? []) absorbed.add(`${partition} ${commit}`);
    }
    const isGathered = ({ partition, commit }: Waiting): boolean => absorbed.has(`${partition} ${commit}`);
    const rows = this.#waiting.filter(isGathered).flatMap((each) => each.rows);
    for (const row of rows.toSorted(byArrival)) {
      const identity = JSON.stringify([utcDay(BigInt(String(row.timestamp))), row.event, row.distinct_id, row.uuid]);
      if (!this.rows.has(identity)) this.rows.set(identity, row);
    }
    this.#waiting = this.#waiting.filter((each) => !isGathered(each));
  }

  /** The partitions that rows wait for. */
  waiting(): readonly string[] {
    return [...new Set(this.#waiting.map(({ partition }) => partition))].sort();
  }
}

/** Of several copies that are gathered at once, the first of these stays. */
const byArrival = (a: AcceptedRow, b: AcceptedRow): number =>
  compare(BigInt(String(a.created_at)), BigInt(String(b.created_at))) ||
  compare(String(a.request), String(b.request)) ||
  Number(a.index) - Number(b.index);

const compare = <T extends string | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
