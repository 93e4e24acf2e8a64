import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventRow } from "../../../lib/event/event.ts";
import { partitionAt } from "../../../lib/event/time-partitions.ts";
import { commitItem, readCommits } from "../../../lib/lake/catalogue/commits.ts";
import { getManifest } from "../../../lib/lake/catalogue/manifests.ts";
import { CATALOGUE_FORMAT, type FileFacts, sortedBytes, totalBytes } from "../../../lib/lake/catalogue.ts";
import { compact } from "../../../lib/lake/compact.ts";
import { nextStep } from "../../../lib/lake/compaction/layout.ts";
import { initialHead, readHead } from "../../../lib/lake/head.ts";
import { segmentKey } from "../../../lib/lake/paths.ts";
import { POLICIES, type Policy } from "../../../lib/lake/policy.ts";
import type { RowFiles } from "../../../lib/lake/row-files.ts";
import { memoryObjects } from "../../simulation/ports/objects.ts";
import { memoryRowFiles, readRows, rowLists } from "../../simulation/ports/row-files.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { anEventRow, countRows } from "../../support/samples/event-rows.ts";

const PROJECT = 16;
const FIRST_DAY = Date.UTC(2026, 2, 1) / 86_400_000;
const DURING = Date.UTC(2026, 2, 20);
const LONG_AFTER = Date.UTC(2026, 5, 1);
const DAY_US = 86_400_000_000n;
const PARTITION = "2026-03";

/** A row takes 342 bytes and what is drawn here: a few are larger than a file, and one alone than a step. */
const sizes = fc.oneof({ weight: 20, arbitrary: fc.constantFrom(0, 100, 900) }, { weight: 1, arbitrary: fc.constantFrom(5_000, 20_000) });
const aRow = fc.record({ day: fc.integer({ min: 0, max: 9 }), id: fc.integer({ min: 0, max: 3 }), bytes: sizes });
const aDrain = fc.array(aRow, { minLength: 1, maxLength: 12 });

/** Drains, and after each of them whether a job runs. */
const aHistory = fc.array(fc.tuple(aDrain, fc.boolean()), { minLength: 1, maxLength: 25 });

const aPolicy = fc
  .record({
    tierFiles: fc.constantFrom(2, 3, 8),
    rewriteMinRows: fc.constantFrom(1, 10),
    fileBytes: fc.constantFrom(1_500, 4_000),
    stepBytes: fc.constantFrom(4_000, 12_000, 50_000),
    fileRows: fc.constantFrom(5, 40),
  })
  .map((changes): Policy => ({ ...POLICIES.deployed, ...changes }));

const MOST_STEPS = 500;

/** A project whose jobs are watched: what they read in one step, what they write. */
const watchedProject = async (policy: Policy) => {
  let now = DURING;
  let ids = 0;
  const objects = memoryObjects();
  const lists = rowLists();
  const table = memoryTable();
  const files = memoryRowFiles(objects, lists, { countUsage: countRows, fileRows: policy.fileRows, fileBytes: policy.fileBytes });
  const newId = (): string => String(ids++).padStart(8, "0");
  const written = { rows: 0, bytes: 0 };
  const ingested = { rows: 0, bytes: 0 };
  const merged = new Set<string>();
  let step: FileFacts[] = [];
  let swaps = 0;
  const merge: RowFiles["merge"] = async (project, sources, shape, name) => {
    for (const { file } of sources) {
      expect(merged, "a file that was merged before").not.toContain(file.key);
      merged.add(file.key);
      step.push(file);
    }
    const outputs = await files.merge(project, sources, shape, name);
    for (const output of outputs) {
      written.rows += output.rows;
      written.bytes += sortedBytes(output);
      expect(output.rows === 1 || sortedBytes(output) <= policy.fileBytes, `${output.rows} rows of ${sortedBytes(output)} bytes`).toBe(
        true,
      );
    }
    return outputs;
  };
  const parts = {
    table: {
      ...table,
      async transact(writes: Parameters<typeof table.transact>[0]) {
        expect(step.length <= 1 || totalBytes(step) <= policy.stepBytes, `${totalBytes(step)} bytes in one step`).toBe(true);
        step = [];
        swaps += 1;
        expect(swaps, "steps without an end").toBeLessThan(MOST_STEPS);
        await table.transact(writes);
      },
    },
    objects,
    clock: { now: () => now },
    ids: { ulid: newId, uuid: newId, secret: (bytes: number) => new Uint8Array(bytes) },
    rowFiles: { ...files, merge },
  };
  await table.transact([{ kind: "put", item: initialHead(PROJECT, now) }]);
  return {
    policy,
    ingested,
    written,
    async drain(rows: readonly EventRow[]) {
      const { content, ...facts } = await files.write(rows);
      const key = segmentKey(PROJECT, PARTITION, newId());
      await objects.put(key, content);
      ingested.rows += facts.rows;
      ingested.bytes += sortedBytes(facts);
      const segments = [{ key, partition: PARTITION, ...facts }];
      await table.put(commitItem(PROJECT, { v: CATALOGUE_FORMAT, id: newId(), at: now, lane: "live", segments, deltas: null }));
    },
    async compact(at: number) {
      now = at;
      const upTo = (await readCommits(table, PROJECT)).at(-1)?.id ?? "";
      const job = { project: PROJECT, partition: PARTITION, upTo, seal: false };
      const asked: number[] = [];
      const listener = { shared: async (of: number) => void asked.push(of) };
      do {
        const of = asked.pop() ?? 1;
        for (let share = 1; share < of; share += 1)
          expect(await compact(parts, policy, { ...job, share: { at: share, of } })).toMatchObject({ outcome: "done" });
        expect(await compact(parts, policy, job, listener)).toMatchObject({ outcome: "done" });
      } while (asked.length > 0);
    },
    async manifest() {
      const { manifests } = await readHead(table, PROJECT);
      const manifest = await getManifest(objects, PROJECT, PARTITION, manifests[PARTITION] ?? "");
      if (!manifest) throw new Error("there is no manifest");
      return manifest;
    },
    rowsOf: async (all: readonly FileFacts[]) => (await Promise.all(all.map((file) => readRows(objects, lists, file)))).flat(),
  };
};

describe("compaction of whatever layout", () => {
  it("ends, in steps of bounded bytes that never repeat, and keeps every row", async () => {
    await fc.assert(
      fc.asyncProperty(aHistory, aPolicy, async (history, policy) => {
        const project = await watchedProject(policy);
        const sent: string[] = [];
        for (const [drain, compacts] of history) {
          const rows = drain.map(({ day, id, bytes }, at) => {
            const uuid = `0190a1b2-c3d4-7e5f-8a9b-${String(sent.length + at).padStart(12, "0")}`;
            const timestamp = BigInt(FIRST_DAY + day) * DAY_US;
            return anEventRow({ uuid, distinct_id: `user ${id}`, timestamp, properties: `{"a":"${"a".repeat(bytes)}"}` });
          });
          expect(rows.every(({ timestamp }) => partitionAt(timestamp) === PARTITION)).toBe(true);
          sent.push(...rows.map(({ uuid }) => uuid));
          await project.drain(rows);
          if (compacts) await project.compact(DURING);
        }
        await project.compact(DURING);
        expect(nextStep(await project.manifest(), policy, DURING)).toBeNull();
        await project.compact(LONG_AFTER);
        const { files, loose, sealed } = await project.manifest();
        expect([sealed, loose]).toEqual([true, []]);
        expect((await project.rowsOf(files)).map(({ uuid }) => uuid).sort()).toEqual(sent.toSorted());
        const { ingested, written } = project;
        expect(written.rows / ingested.rows, "rows written for each ingested").toBeLessThanOrEqual(15);
        expect(written.bytes / ingested.bytes, "bytes written for each ingested").toBeLessThanOrEqual(15);
      }),
      { numRuns: 150 },
    );
  });
});
