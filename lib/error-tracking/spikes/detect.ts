import { cache, perOwner } from "../../core/cache.ts";
import { forEachConcurrent } from "../../core/concurrency.ts";
import { isoMicros, MINUTE_MS } from "../../core/time.ts";
import { ConditionFailed } from "../../ports/table.ts";
import { plainItem } from "../../table/entity.ts";
import { TTL_ATTRIBUTE } from "../../table/layout.ts";
import { keyIn } from "../../table/partitions.ts";
import { transact } from "../../table/transact.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import type { SpikeDetectionConfig } from "../settings.ts";
import type { SpikeEvent } from "../spike-events.ts";
import { SPIKE_EVENT_LAYOUT } from "../stored/layouts.ts";
import { findSpikes, type Spike } from "./buckets.ts";
import { type DeliveryCounts, readCounts, writeCounts } from "./counts.ts";

/** Counts what a drain accepted, and reports each issue that has a spike now, once until its snooze ends: those that were reported. */
export const detectSpikes = async (
  parts: TrackingParts,
  project: number,
  config: Omit<SpikeDetectionConfig, "project">,
  accepted: DeliveryCounts,
): Promise<readonly Spike[]> => {
  if (accepted.size === 0) return [];
  await writeCounts(parts, project, accepted);
  const issues = new Set([...accepted.values()].flatMap((counts) => [...counts.keys()]));
  const counts = await readCounts(parts, project);
  const spikes = findSpikes(issues, counts, config);
  const reported = new Set<Spike>();
  await forEachConcurrent(spikes, LANES, async (spike) => {
    if (await reportSpike(parts, project, config.snooze_duration_minutes * MINUTE_MS, spike)) reported.add(spike);
  });
  return spikes.filter((spike) => reported.has(spike));
};

/** Spikes that are written side by side: thousands of issues may have one at once. */
const LANES = 16;

const MAX_SNOOZED = 10_000;

/** Issues that the process knows to be snoozed. */
const snoozed = perOwner((_: TrackingParts) => cache<string, true>({ capacity: MAX_SNOOZED }));

/** A spike event and the snooze after it are written together: neither is there without the other. False where it is snoozed. */
const reportSpike = async (parts: TrackingParts, project: number, snoozeMs: number, spike: Spike): Promise<boolean> => {
  const now = parts.clock.now();
  const name = `${project}#${spike.issueId}`;
  if (snoozed(parts).get(name, now)) return false;
  const until = now + snoozeMs;
  const event: SpikeEvent = {
    project,
    id: parts.ids.uuid(),
    issue_id: spike.issueId,
    detected_at: isoMicros(now),
    computed_baseline: spike.baseline,
    current_bucket_value: spike.current,
  };
  const snooze = { ...keyIn("snoozes", "snooze", { project, issue: spike.issueId }), entity: "spike_silence", v: 1, until };
  try {
    await transact(parts.table, [
      {
        kind: "put",
        item: { ...snooze, [TTL_ATTRIBUTE]: Math.ceil(until / 1_000) },
        when: { kind: "any", of: [{ kind: "absent" }, { kind: "less", attribute: "until", value: now + 1 }] },
      },
      { kind: "put", item: plainItem(SPIKE_EVENT_LAYOUT, event) },
    ]);
    snoozed(parts).set(name, true, until);
    return true;
  } catch (error) {
    // Another drain reported it first, perhaps with a shorter snooze: the next one asks the table again.
    if (!(error instanceof ConditionFailed)) throw error;
    return false;
  }
};
