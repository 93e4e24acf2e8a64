import { describe, expect, it } from "vitest";
import { keptLog } from "../../test/support/kept-log.ts";
import { aCommit, aFile, aManifest, aState, PROJECT, smallLake } from "../../test/support/samples/small-lake.ts";
import { readCommits } from "./catalogue/commits.ts";
import { swap } from "./catalogue/swap.ts";
import { STATE_ENTRY } from "./catalogue.ts";
import { recordFailure } from "./failures.ts";
import { tombstone } from "./head.ts";
import { lakePk, laterShard } from "./paths.ts";
import { POLICIES, policyOf } from "./policy.ts";
import { publicationItem, takePublishMarks } from "./published.ts";
import { reminder } from "./removal/change-removals.ts";
import { sweep, sweepMemory } from "./sweep.ts";

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const NOW_DAY = Math.floor(NOW / (24 * HOUR_MS));
const POLICY = POLICIES.deployed;
const PUBLISHING = policyOf({ compaction: "deployed", publish: "iceberg" });
const PARTITION = "2024-10";

/** A project whose jobs nobody works: what the sweep asks for is kept. */
const aLake = async () => {
  const lake = await smallLake(NOW);
  const asked: string[] = [];
  const queues = {
    // The queue answers after a while, as one over a network does.
    send: async (_: unknown, messages: readonly { readonly body: string }[]) => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      asked.push(...messages.map(({ body }) => body));
      return [];
    },
  };
  const parts = { ...lake.parts, queues, log: keptLog(), organizationOf: async () => undefined };
  const memory = sweepMemory();
  return {
    ...lake,
    parts,
    wait: (id: string, ...partitions: readonly string[]) =>
      lake.commit(
        aCommit(id, NOW, { segments: [PARTITION, ...partitions].map((partition) => ({ ...aFile(`${partition}/${id}`), partition })) }),
      ),
    gather: async (partition: string, ...absorbed: readonly string[]) => {
      const manifest = aManifest(`m-${partition}`, { partition, absorbed, absorbedAt: absorbed.map(() => lake.parts.clock.now()) });
      expect(await swap(lake.parts, POLICY, PROJECT, partition, null, manifest, null, { retired: [] })).toBe("done");
    },
    fold: async (from: string | null, to: string, ...absorbed: readonly string[]) => {
      const state = aState(to, { absorbed, absorbedAt: absorbed.map(() => lake.parts.clock.now()) });
      expect(await swap(lake.parts, POLICY, PROJECT, STATE_ENTRY, from, state, null, { retired: [] })).toBe("done");
    },
    /** What one sweep asks for until it ends. */
    async sweep(policy = POLICY): Promise<readonly unknown[]> {
      asked.length = 0;
      await sweep(parts, policy, memory);
      return asked.map((body): unknown => JSON.parse(body));
    },
  };
};

const compaction = (upTo: string) => ({ v: 2, kind: "compact" as const, project: PROJECT, partition: PARTITION, upTo, seal: false });

describe("a sweep", () => {
  it("asks for what waits, and at once to go on where a job took a step and left some", async () => {
    const lake = await aLake();
    for (const id of ["c1", "c2", "c3"]) await lake.wait(id);
    lake.pass(HOUR_MS);
    expect(await lake.sweep()).toEqual([compaction("c3")]);
    expect(await lake.sweep()).toEqual([]);
    const step = aManifest("m1", { partition: PARTITION, absorbed: ["c1"], absorbedAt: [NOW + HOUR_MS] });
    expect(await swap(lake.parts, POLICY, PROJECT, PARTITION, null, step, null, { retired: [] })).toBe("done");
    expect(await lake.sweep()).toEqual([compaction("c3")]);
    expect(await lake.sweep()).toEqual([]);
  });

  it("asks of several months for each that waits, and of a step's rest for that of its month", async () => {
    const [lake, other] = [await aLake(), "2024-11"];
    for (const id of ["c1", "c2"]) await lake.wait(id, other);
    lake.pass(HOUR_MS);
    const later = { ...compaction("c2"), partition: other };
    expect(await lake.sweep()).toEqual([compaction("c2"), later]);
    await lake.gather(other, "c1");
    expect(await lake.sweep()).toEqual([later]);
    await lake.gather(PARTITION, "c1", "c2");
    lake.pass(HOUR_MS);
    expect(await lake.sweep()).toEqual([later]);
  });

  it("asks for merges that were left, when it deletes the last commits that remind of them", async () => {
    const asksFor = async (rows: number) => {
      const lake = await aLake();
      await lake.wait("c1");
      const [files, loose] = [
        [aFile("file", { rows: 10_000, days: [NOW_DAY, NOW_DAY] })],
        [aFile("loose", { rows, days: [NOW_DAY, NOW_DAY] })],
      ];
      const manifest = aManifest("m1", { partition: PARTITION, absorbed: ["c1"], absorbedAt: [NOW], files, loose });
      expect(await swap(lake.parts, POLICY, PROJECT, PARTITION, null, { ...manifest, sealed: true }, null, { retired: [] })).toBe("done");
      lake.pass(POLICY.commitStayMs - 1);
      expect(await lake.sweep()).toEqual([]);
      lake.pass(1);
      const asked = await lake.sweep();
      expect(await readCommits(lake.parts.table, PROJECT)).toEqual([]);
      return asked;
    };
    expect(await asksFor(10_000)).toEqual([compaction("")]);
    expect(await asksFor(9_999)).toEqual([]);
  });

  it("looks for no manifest where there is none", async () => {
    const lake = await aLake();
    await lake.wait("c1");
    lake.pass(HOUR_MS);
    let looked = 0;
    const { get } = lake.parts.objects;
    Object.assign(lake.parts.objects, {
      get: (key: string) => {
        looked += 1;
        return get(key);
      },
    });
    await lake.sweep();
    expect(looked).toBe(0);
  });

  it("asks for what waits of persons to be folded, at once where some of what it asked for is left, until nothing waits", async () => {
    const lake = await aLake();
    const deltas = { inline: "packed" };
    for (const id of ["c1", "c2", "c3"]) await lake.commit(aCommit(id, NOW, { deltas }));
    const fold = (upTo: string) => ({ v: 2, kind: "fold", project: PROJECT, upTo });
    expect(await lake.sweep()).toEqual([]);
    lake.pass(HOUR_MS);
    expect(await lake.sweep()).toEqual([fold("c3")]);
    expect(await lake.sweep()).toEqual([]);
    await lake.commit(aCommit("c4", NOW, { deltas }));
    await lake.fold(null, "s1", "c1");
    expect(await lake.sweep()).toEqual([fold("c4")]);
    await lake.wait("c5");
    await lake.fold("s1", "s2", "c1", "c2", "c3", "c4");
    lake.pass(HOUR_MS);
    expect(await lake.sweep()).toEqual([compaction("c5")]);
  });

  it("keeps a commit whose rows are not counted for a day, as a reminder, and no longer", async () => {
    const lake = await aLake();
    Object.assign(lake.parts, { organizationOf: async () => "organization" });
    await lake.wait("c1");
    await lake.gather(PARTITION, "c1");
    const commits = async () => (await readCommits(lake.parts.table, PROJECT)).length;
    lake.pass(POLICY.commitStayMs);
    expect(await lake.sweep()).toEqual([{ v: 2, kind: "usage", project: PROJECT, partition: PARTITION }]);
    expect(await commits()).toBe(1);
    lake.pass(POLICY.retiredStayMs - 1);
    await lake.sweep();
    expect(await commits()).toBe(1);
    lake.pass(1);
    await lake.sweep();
    expect(await commits()).toBe(0);
  });

  it("asks for the removal of a project that was removed while commits of it wait, and for nothing else", async () => {
    const lake = await aLake();
    await lake.wait("c1");
    lake.pass(HOUR_MS);
    await lake.parts.table.transact([tombstone(PROJECT, NOW, NOW + 9 * HOUR_MS)]);
    expect(await lake.sweep()).toEqual([{ v: 2, kind: "remove", project: PROJECT }]);
  });

  it("reads nothing of a project whose rows may still wait, and what comes later only now and then", async () => {
    const lake = await aLake();
    await lake.wait("c1");
    await lake.sweep();
    const read: string[] = [];
    const { get, query } = lake.parts.table;
    Object.assign(lake.parts.table, {
      get: (...given: Parameters<typeof get>) => {
        read.push(given[0].pk);
        return get(...given);
      },
      query: (...given: Parameters<typeof query>) => {
        read.push(given[0].pk);
        return query(...given);
      },
    });
    expect(await lake.sweep()).toEqual([]);
    expect(read.filter((pk) => pk === lakePk(PROJECT))).toEqual([]);
    expect(read).not.toContain(laterShard(0));
    lake.pass(HOUR_MS);
    await lake.sweep();
    expect(read).toContain(laterShard(0));
    expect(read).toContain(lakePk(PROJECT));
  });

  it("ends only when what failed is asked for again", async () => {
    const lake = await aLake();
    await recordFailure(lake.parts, POLICY, compaction("c1"), undefined, "out of memory");
    lake.pass(HOUR_MS);
    expect(await lake.sweep()).toEqual([compaction("c1")]);
  });

  it("asks to publish what swaps changed once their slot of time is over, and what keeps files for longer than it should", async () => {
    const lake = await aLake();
    const publish = { v: 2, kind: "publish", project: PROJECT };
    const mark = aManifest("m1", { partition: PARTITION });
    expect(await swap(lake.parts, PUBLISHING, PROJECT, PARTITION, null, mark, null, { retired: ["events/old"] })).toBe("done");
    expect(await lake.sweep(PUBLISHING)).toEqual([]);
    lake.pass(HOUR_MS);
    expect(await lake.sweep(PUBLISHING)).toEqual([publish]);
    await takePublishMarks(lake.parts.table, PROJECT);
    const published = { table: "events", metadata: "m", snapshot: 1, at: NOW, state: "s", reads: [NOW] };
    await lake.parts.table.put(publicationItem(PROJECT, published));
    lake.pass(POLICY.retiredStayMs);
    expect(await lake.sweep(PUBLISHING)).toEqual([]);
    lake.pass(POLICY.snapshotStayMs);
    expect(await lake.sweep(PUBLISHING)).toEqual(expect.arrayContaining([publish]));
  });

  it("asks to publish each slot's changes in the ordinary time, and ever more rarely only while nobody publishes", async () => {
    const lake = await aLake();
    let from: string | null = null;
    const swapAndSweep = async (id: string): Promise<number> => {
      const manifest = aManifest(id, { partition: PARTITION });
      expect(await swap(lake.parts, PUBLISHING, PROJECT, PARTITION, from, manifest, null, { retired: [] })).toBe("done");
      from = id;
      lake.pass(HOUR_MS);
      return (await lake.sweep(PUBLISHING)).length;
    };
    for (const id of ["m1", "m2", "m3", "m4", "m5"]) {
      expect(await swapAndSweep(id)).toBe(1);
      await takePublishMarks(lake.parts.table, PROJECT);
    }
    // Hours later the marks of several slots wait, and the request is the one for the first of them.
    const asked: number[] = [];
    for (const id of ["m6", "m7", "m8"]) asked.push(await swapAndSweep(id));
    for (let sweeps = 0; sweeps < 3; sweeps += 1) {
      lake.pass(PUBLISHING.laterEveryMs);
      asked.push((await lake.sweep(PUBLISHING)).length);
    }
    expect(asked).toEqual([1, 1, 1, 0, 1, 0]);
  });

  it("asks for each removal of rows in the ordinary time, however many came before, and ever more rarely for one that nobody carries out", async () => {
    const lake = await aLake();
    const removed = { v: 2, kind: "remove-rows", project: PROJECT };
    for (const id of ["r1", "r2", "r3", "r4", "r5"]) {
      await lake.parts.table.transact([reminder(PROJECT, id, lake.parts.clock.now())]);
      expect(await lake.sweep()).toEqual([removed]);
      lake.pass(POLICY.laterEveryMs);
    }
    const asked: number[] = [];
    for (let sweeps = 0; sweeps < 8; sweeps += 1) {
      asked.push((await lake.sweep()).length);
      lake.pass(POLICY.laterEveryMs);
    }
    expect(asked).toEqual([1, 1, 0, 1, 0, 0, 0, 1]);
  });
});
