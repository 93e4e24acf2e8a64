import type { EmbeddedEngine } from "../../lib/engine/engine.ts";
import type { EventRow } from "../../lib/event/event.ts";
import { partitionAt } from "../../lib/event/time-partitions.ts";
import { swap } from "../../lib/lake/catalogue/swap.ts";
import { CATALOGUE_FORMAT, type FileFacts, type Manifest } from "../../lib/lake/catalogue.ts";
import { eventFileKey, segmentKey } from "../../lib/lake/paths.ts";
import { POLICIES } from "../../lib/lake/policy.ts";
import type { Objects } from "../../lib/ports/objects.ts";
import type { apiWorld } from "../support/worlds/api-world.ts";

/** Rows of a drain, as ingest would cut it. */
const DRAIN_ROWS = 50_000;

/** Stores so many rows of a project as ingest and compaction leave them: in compacted files, and none waiting. */
export const storeCompacted = async (
  world: ReturnType<typeof apiWorld>["world"],
  rowFiles: EmbeddedEngine["rowFiles"],
  objects: Objects,
  project: number,
  count: number,
  rowAt: (at: number) => EventRow,
): Promise<void> => {
  let keys = 0;
  const name = (): string => String(keys++).padStart(8, "0");
  const drains = new Map<string, FileFacts[]>();
  for (let from = 0; from < count; from += DRAIN_ROWS) {
    const rows = Array.from({ length: DRAIN_ROWS }, (_, at) => rowAt(from + at));
    for (const [partition, part] of Map.groupBy(rows, ({ timestamp }) => partitionAt(timestamp))) {
      const { content, ...facts } = await rowFiles.write(part);
      const key = segmentKey(project, partition, name());
      await objects.put(key, content);
      drains.set(partition, [...(drains.get(partition) ?? []), { key, ...facts }]);
    }
  }
  for (const [partition, segments] of drains) {
    const sources = segments.map((file) => ({ file, skip: [] }));
    const files = await rowFiles.merge(project, sources, "days", () => eventFileKey(project, partition, name()));
    const facts = { v: CATALOGUE_FORMAT, id: `bench-${partition}`, partition, absorbed: [], absorbedAt: [], sealed: false };
    const manifest: Manifest = { ...facts, files: [...files], loose: [] };
    await swap(world, POLICIES.deployed, project, partition, null, manifest, null, { retired: [] });
  }
};
