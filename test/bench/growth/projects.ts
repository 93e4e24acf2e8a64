import { settings } from "../../../lib/aws/environment.ts";
import { commitItem } from "../../../lib/lake/catalogue/commits.ts";
import { putManifest } from "../../../lib/lake/catalogue/manifests.ts";
import { CATALOGUE_FORMAT, type FileFacts } from "../../../lib/lake/catalogue.ts";
import { initialHead, renameWrite } from "../../../lib/lake/head.ts";
import { eventFileKey, segmentKey } from "../../../lib/lake/paths.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { sweep, sweepMemory } from "../../../lib/lake/sweep.ts";
import { memoryObjects } from "../../simulation/ports/objects.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { cpuMs } from "../cpu.ts";

const NOW = Date.UTC(2026, 2, 12);
const HOUR_MS = 3_600_000;
const PARTITION = "2026-03";
const DAY = NOW / 86_400_000;

/** What one sweep over so many projects costs, each with a commit that is to be gathered. */
export interface SweepCosts {
  readonly projects: number;
  readonly ms: number;
  readonly tableCalls: number;
  readonly readUnits: number;
  readonly objectCalls: number;
  readonly messages: number;
}

export const measureSweep = async (projects: number): Promise<SweepCosts> => {
  const counts = { tableCalls: 0, readUnits: 0, objectCalls: 0, messages: 0 };
  const table = memoryTable({
    meter: {
      record({ readUnits }) {
        counts.tableCalls += 1;
        counts.readUnits += readUnits;
      },
    },
  });
  const stored = memoryObjects();
  for (let project = 1; project <= projects; project += 1) {
    await table.put(initialHead(project, NOW));
    const file = { ...FACTS, key: eventFileKey(project, PARTITION, "f") };
    const manifest = {
      v: CATALOGUE_FORMAT,
      id: "m",
      partition: PARTITION,
      files: [file],
      loose: [],
      absorbed: [],
      absorbedAt: [],
      sealed: false,
    };
    await putManifest(stored, project, PARTITION, manifest);
    await table.transact([renameWrite(project, PARTITION, null, "m", null)]);
    const segments = [{ ...FACTS, key: segmentKey(project, PARTITION, "s"), partition: PARTITION }];
    await table.put(
      commitItem(project, { v: CATALOGUE_FORMAT, id: `c${project}`, at: NOW - 2 * HOUR_MS, lane: "live", segments, deltas: null }),
    );
  }
  Object.assign(counts, { tableCalls: 0, readUnits: 0 });
  const objects: typeof stored = {
    ...stored,
    get(key) {
      counts.objectCalls += 1;
      return stored.get(key);
    },
  };
  const queues = {
    async send(_: unknown, messages: readonly unknown[]) {
      counts.messages += messages.length;
      return [];
    },
  };
  const parts = { table, objects, queues, clock: { now: () => NOW }, log: { line: () => undefined }, config: settings({}) };
  const ms = await cpuMs(() => sweep({ ...parts, organizationOf: async () => undefined }, POLICIES.deployed, sweepMemory()));
  return { projects, ms, ...counts };
};

const FACTS: Omit<FileFacts, "key"> = {
  ...{ bytes: 8_000, rows: 100, plainBytes: 100_000, days: [DAY, DAY], times: ["0", "1"], ids: ["a", "b"], events: ["$pageview"] },
  ...{ usage: { [DAY]: { event_count_in_period: 100 } }, rare: false, footerBytes: 14_000 },
};
