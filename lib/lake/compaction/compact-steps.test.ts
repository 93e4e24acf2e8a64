import { describe, expect, it } from "vitest";
import { memoryRowFiles, rowLists } from "../../../test/simulation/ports/row-files.ts";
import { anEventRow, countRows } from "../../../test/support/samples/event-rows.ts";
import { aCommit, aFile, aManifest, PROJECT, smallLake } from "../../../test/support/samples/small-lake.ts";
import { DAY_MS } from "../../core/time.ts";
import { partitionAt } from "../../event/time-partitions.ts";
import { Conflict } from "../../ports/table.ts";
import { readCommits } from "../catalogue/commits.ts";
import { getManifest } from "../catalogue/manifests.ts";
import { swap } from "../catalogue/swap.ts";
import { sortedBytes } from "../catalogue.ts";
import { type CompactionListener, compact } from "../compact.ts";
import { openEarned } from "../earned-properties.ts";
import { readHead, tombstone } from "../head.ts";
import { segmentKey } from "../paths.ts";
import { POLICIES, type Policy } from "../policy.ts";
import type { RowFiles, Shape } from "../row-files.ts";

const NOW = 1_800_000_000_000;
const PARTITION = partitionAt(BigInt(NOW) * 1_000n);

/** Commits of one row each wait in a project; a merge takes twenty seconds, and something may happen within one. */
const aLake = async (commits: number, within: (merges: number) => Promise<void> = async () => {}) => {
  const lake = await smallLake(NOW);
  const files = memoryRowFiles(lake.parts.objects, rowLists(), { countUsage: countRows });
  const shapes: Shape[] = [];
  const merge: RowFiles["merge"] = async (project, sources, shape, ...rest) => {
    lake.pass(20_000);
    await within(shapes.push(shape));
    return files.merge(project, sources, shape, ...rest);
  };
  const parts = { ...lake.parts, rowFiles: { ...files, merge } };
  for (let at = 0; at < commits; at += 1) {
    const { content, ...facts } = await files.write([anEventRow({ timestamp: BigInt(NOW) * 1_000n, distinct_id: `d${at}` })]);
    const key = segmentKey(PROJECT, PARTITION, `s${at}`);
    await parts.objects.put(key, content);
    await lake.commit(aCommit(`c${at}`, NOW, { segments: [{ ...facts, key, partition: PARTITION }] }));
  }
  return {
    ...lake,
    shapes,
    waiting: async () => (await readCommits(parts.table, PROJECT)).flatMap(({ segments }) => segments),
    manifest: async () => getManifest(parts.objects, PROJECT, PARTITION, (await readHead(parts.table, PROJECT)).manifests[PARTITION] ?? ""),
    compact: (policy: Partial<Policy> = {}, listener: CompactionListener = {}, other: Partial<typeof parts> = {}, upTo = "c9") =>
      compact(
        { ...parts, ...other },
        { ...POLICIES.deployed, ...policy },
        { project: PROJECT, partition: PARTITION, upTo, seal: false },
        listener,
      ),
  };
};

describe("a compaction", () => {
  it("stops when its time is over and there is more to do, but not before it has made a step", async () => {
    const lake = await aLake(3);
    const oneByOne = { stepBytes: 1, stepsWithinMs: 20_000 };
    expect(await lake.compact(oneByOne)).toMatchObject({ swaps: 1, outcome: "more" });
    expect(await lake.compact({ ...oneByOne, stepsWithinMs: 40_001 })).toEqual({ swaps: 2, outcome: "done" });
  });

  it("says each time that it has gathered rows, and once where others had gathered what it was asked to", async () => {
    const lake = await aLake(3);
    let gathered = 0;
    const count = async () => {
      gathered += 1;
    };
    await lake.compact({ stepBytes: 1 }, { gathered: count });
    expect(gathered).toBe(3);
    expect(await lake.compact({ tierFiles: 3 }, { gathered: count })).toEqual({ swaps: 1, outcome: "done" });
    expect(gathered).toBe(4);
  });

  it("brings columns that properties have earned into one older file at a time, once there is nothing else to do", async () => {
    const lake = await aLake(3);
    const policy = { stepBytes: 1, rewriteMinRows: 1, rewriteShare: 0, stepsWithinMs: DAY_MS, shares: 1 };
    expect(await lake.compact(policy)).toMatchObject({ outcome: "done" });
    const lacking = async () => (await lake.manifest())?.files.filter(({ earned }) => earned === undefined).length;
    const files = (await lake.manifest())?.files.length ?? 0;
    expect(files).toBeGreaterThan(1);
    const earned = await openEarned(lake.parts.table, PROJECT, NOW - DAY_MS);
    earned.hasEarned()({ property: "plan", type: "text" });
    await earned.note("ad-hoc");
    for (let left = files - 1; left >= 0; left -= 1) {
      expect(await lake.compact(policy)).toEqual({ swaps: 1, outcome: "done" });
      expect(await lacking()).toBe(left);
    }
    expect(await lake.compact(policy)).toEqual({ swaps: 0, outcome: "done" });
  });

  it("comes back for the next older file where no commit asks", async () => {
    const lake = await aLake(3);
    const policy = { stepBytes: 1, rewriteMinRows: 1, rewriteShare: 0, stepsWithinMs: DAY_MS, shares: 1 };
    await lake.compact(policy);
    const files = (await lake.manifest())?.files.length ?? 0;
    const earned = await openEarned(lake.parts.table, PROJECT, NOW - DAY_MS);
    earned.hasEarned()({ property: "plan", type: "text" });
    await earned.note("ad-hoc");
    const outcomes: string[] = [];
    const again = async (): Promise<void> => {
      const { outcome } = await lake.compact(policy, {}, {}, "");
      outcomes.push(outcome);
      if (outcome === "more") await again();
    };
    await again();
    expect(outcomes).toEqual([...Array.from({ length: files }, () => "more"), "done"]);
  });

  it("cuts what it gathers into parts only where it fills a file and beside it lies more than a step may read, and around the busiest day beside more than a file", async () => {
    const row = sortedBytes((await (await aLake(1)).waiting())[0] ?? aFile("none"));
    const shapesOf = async (commits: number, policy: Partial<Policy>) => {
      const lake = await aLake(commits);
      await lake.compact({ ...policy, stepsWithinMs: 0 });
      return lake.shapes;
    };
    expect(await shapesOf(3, { fileBytes: row, stepBytes: 2 * row })).toEqual(["parts"]);
    expect(await shapesOf(3, { fileBytes: 2 * row, stepBytes: 2 * row })).toEqual(["busiest"]);
    expect(await shapesOf(2, { fileBytes: row, stepBytes: 2 * row })).toEqual(["busiest"]);
    expect(await shapesOf(2, { fileBytes: 2 * row, stepBytes: 2 * row })).toEqual(["one"]);
  });

  it("asks others for their shares of the merges, once it has gathered and once at all, and leaves the rest of its own", async () => {
    const lake = await aLake(12);
    const [row] = await lake.waiting();
    const log: string[] = [];
    const listener: CompactionListener = {
      gathered: async () => void log.push("gathered"),
      shared: async (of) => void log.push(`shared among ${of}`),
    };
    const small = { rewriteMinRows: 1, stepBytes: sortedBytes(row ?? aFile("none")), shares: 3, tierFiles: 100 };
    const done = await lake.compact({ ...small, stepsWithinMs: 12 * 20_000 + 1 }, listener);
    const rest = { project: PROJECT, partition: PARTITION, upTo: "c9", seal: false, share: { at: 0, of: 3 } };
    expect(log).toEqual([...Array.from({ length: 12 }, () => "gathered"), "shared among 3"]);
    expect(done).toEqual({ swaps: 13, outcome: "more", rest });
    expect((await lake.manifest())?.files).toHaveLength(1);
  });

  it("does nothing for a project that was removed", async () => {
    const lake = await aLake(1);
    await lake.parts.table.transact([tombstone(PROJECT, NOW, NOW)]);
    expect(await lake.compact()).toEqual({ swaps: 0, outcome: "removed" });
    expect(lake.shapes).toEqual([]);
  });

  it("swaps its work in where another one was quicker, without doing it again", async () => {
    let last: string | null = null;
    const lake = await aLake(3, async (merges) => {
      if (merges > 3) return;
      const quicker = aManifest(`other${merges}`, { partition: PARTITION, corrections: [{ key: `correction${merges}`, commits: ["c0"] }] });
      await swap(lake.parts, POLICIES.deployed, PROJECT, PARTITION, last, quicker, null, { retired: [] });
      last = quicker.id;
    });
    expect(await lake.compact()).toEqual({ swaps: 1, outcome: "done" });
    expect(lake.shapes).toEqual(["one"]);
    const manifest = await lake.manifest();
    expect([manifest?.loose.map(({ rows }) => rows), manifest?.absorbed, manifest?.corrections?.length]).toEqual([
      [3],
      ["c0", "c1", "c2"],
      1,
    ]);
  });

  it("does not swap in what is minutes old: the stay of what it names is counted from when it was written", async () => {
    const lake = await aLake(1);
    let tries = 0;
    const table: typeof lake.parts.table = {
      ...lake.parts.table,
      transact: (writes) => {
        tries += 1;
        lake.pass(POLICIES.deployed.swapWithinMs + 1);
        return tries < 2 ? Promise.reject(new Conflict("another transaction is under way")) : lake.parts.table.transact(writes);
      },
    };
    expect(await lake.compact({}, {}, { table })).toMatchObject({ swaps: 1, outcome: "more" });
    expect(lake.shapes).toHaveLength(2);
  });

  it("begins anew when another one was quicker with the same, and leaves it to them when that happens again", async () => {
    const losing = async (times: number) => {
      let last: string | null = null;
      const lake = await aLake(1, async (merges) => {
        if (merges > times) return;
        const quicker = aManifest(`other${merges}`, { partition: PARTITION, loose: [aFile(`gathered${merges}`, { rows: merges })] });
        await swap(lake.parts, POLICIES.deployed, PROJECT, PARTITION, last, quicker, null, { retired: [] });
        last = quicker.id;
      });
      return lake;
    };
    const once = await losing(1);
    expect(await once.compact()).toEqual({ swaps: 1, outcome: "done" });
    expect((await readHead(once.parts.table, PROJECT)).manifests[PARTITION]).not.toMatch("other");
    expect(await (await losing(2)).compact()).toEqual({ swaps: 0, outcome: "lost" });
  });
});
