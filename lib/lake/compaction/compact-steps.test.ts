import { describe, expect, it } from "vitest";
import { memoryRowFiles, rowLists } from "../../../test/simulation/ports/row-files.ts";
import { anEventRow, countRows } from "../../../test/support/samples/event-rows.ts";
import { aCommit, aFile, aManifest, PROJECT, smallLake } from "../../../test/support/samples/small-lake.ts";
import { partitionAt } from "../../event/time-partitions.ts";
import { readCommits } from "../catalogue/commits.ts";
import { swap } from "../catalogue/swap.ts";
import { readHead, sortedBytes, tombstone } from "../catalogue.ts";
import { compact, type GatherListener } from "../compact.ts";
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
  const merge: RowFiles["merge"] = async (project, sources, shape, name) => {
    lake.pass(20_000);
    await within(shapes.push(shape));
    return files.merge(project, sources, shape, name);
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
    compact: (policy: Partial<Policy> = {}, gathered?: GatherListener) =>
      compact(parts, { ...POLICIES.deployed, ...policy }, { project: PROJECT, partition: PARTITION, upTo: "c9", seal: false }, gathered),
  };
};

describe("a compaction", () => {
  it("stops when its time is over and there is more to do, but not before it has made a step", async () => {
    const lake = await aLake(3);
    const oneByOne = { stepBytes: 1, stepsWithinMs: 20_000 };
    expect(await lake.compact(oneByOne)).toEqual({ swaps: 1, outcome: "more" });
    expect(await lake.compact({ ...oneByOne, stepsWithinMs: 40_001 })).toEqual({ swaps: 2, outcome: "done" });
  });

  it("says each time that it has gathered rows, and not when there are none", async () => {
    const lake = await aLake(3);
    let gathered = 0;
    const count = async () => {
      gathered += 1;
    };
    await lake.compact({ stepBytes: 1 }, count);
    expect(gathered).toBe(3);
    expect(await lake.compact({ tierFiles: 3 }, count)).toEqual({ swaps: 1, outcome: "done" });
    expect(gathered).toBe(3);
  });

  it("cuts what it gathers into parts only where it fills a file and beside it lies more than a step may read", async () => {
    const row = sortedBytes((await (await aLake(1)).waiting())[0] ?? aFile("none"));
    const shapesOf = async (commits: number, policy: Partial<Policy>) => {
      const lake = await aLake(commits);
      await lake.compact({ ...policy, stepsWithinMs: 0 });
      return lake.shapes;
    };
    expect(await shapesOf(3, { fileBytes: row, stepBytes: 2 * row })).toEqual(["parts"]);
    expect(await shapesOf(3, { fileBytes: 2 * row, stepBytes: 2 * row })).toEqual(["one"]);
    expect(await shapesOf(2, { fileBytes: row, stepBytes: 2 * row })).toEqual(["one"]);
  });

  it("does nothing for a project that was removed", async () => {
    const lake = await aLake(1);
    await lake.parts.table.transact([tombstone(PROJECT, NOW, NOW)]);
    expect(await lake.compact()).toEqual({ swaps: 0, outcome: "removed" });
    expect(lake.shapes).toEqual([]);
  });

  it("begins anew when another one was quicker, and gives up when that happens again and again", async () => {
    const losing = async (times: number) => {
      let last: string | null = null;
      const lake = await aLake(1, async (merges) => {
        if (merges > times) return;
        const quicker = aManifest(`other${merges}`, { partition: PARTITION });
        await swap(lake.parts, POLICIES.deployed, PROJECT, PARTITION, last, quicker, { retired: [] });
        last = quicker.id;
      });
      return lake;
    };
    const thrice = await losing(3);
    expect(await thrice.compact()).toEqual({ swaps: 1, outcome: "done" });
    expect((await readHead(thrice.parts.table, PROJECT)).manifests[PARTITION]).not.toMatch("other");
    await expect((await losing(4)).compact()).rejects.toThrow("changed under 4 tries");
  });
});
