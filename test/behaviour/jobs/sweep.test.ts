import { describe, expect, it } from "vitest";
import { jobScheduler } from "../../../lib/lake/compaction/job-scheduler.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { HOUR_MS, type LakeWorld, lakeWorld, MINUTE_MS, someRows } from "../../support/worlds/lake-world.ts";

const numbered = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1);

/** Commits of every project, gathered and counted, and old enough to be deleted. */
const absorbed = async (projects: readonly number[], commits: number): Promise<LakeWorld> => {
  const lake = await lakeWorld(projects);
  for (const project of projects) for (let at = 0; at < commits; at += 1) await lake.commit(someRows(2, `${project}-${at}`), { project });
  lake.skip(61 * MINUTE_MS);
  await lake.sweep();
  await lake.work();
  lake.skip(16 * MINUTE_MS);
  return lake;
};

const commitsOf = async ({ stored }: LakeWorld, project: number): Promise<number> =>
  (await stored.query({ pk: `lake#${project}`, sk: { prefix: "commit#" } })).items.length;

describe("a sweep", () => {
  it("looks through a thousand projects within its time, at 5 ms a call to the table and 30 ms to the store", async () => {
    const projects = numbered(1_000);
    const lake = await absorbed(projects, 8);
    Object.assign(lake.latency, { tableMs: 5, objectMs: 30 });
    expect(await lake.sweep("another process")).toBeLessThan(20_000);
    Object.assign(lake.latency, { tableMs: 0, objectMs: 0 });
    for (const project of projects) expect(await commitsOf(lake, project)).toBe(0);
  });

  it("begins where the one before stopped, whoever runs it", async () => {
    const projects = numbered(100);
    const lake = await lakeWorld(projects);
    for (const project of projects) await lake.commit(someRows(1_500, "a"), { project });
    lake.skip(2 * MINUTE_MS);
    lake.latency.tableMs = 4_000;
    for (let sweeps = 0; sweeps < 8; sweeps += 1) await lake.sweep("another process");
    const asked = new Set(lake.waiting.map(({ body }) => Number(JSON.parse(body).project)));
    expect(asked.size).toBe(100);
  });

  it("finds time for what is due later while commits take more than all of it", async () => {
    const projects = numbered(300);
    const lake = await lakeWorld(projects);
    await lake.commit(someRows(1_500, "a"));
    await lake.pass(5 * MINUTE_MS);
    lake.skip(25 * HOUR_MS);
    for (const project of projects) await lake.commit(someRows(2, "b"), { project });
    lake.skip(61 * MINUTE_MS);
    const retired = async (): Promise<number> =>
      (await lake.stored.query({ index: "due", pk: "later#1", sk: { to: String(lake.world.clock.now()) } })).items.length;
    expect(await retired()).toBeGreaterThan(0);
    lake.latency.tableMs = 2_000;
    await lake.sweep("another process");
    await lake.sweep("another process");
    expect(await retired()).toBe(0);
  });

  it("keeps a commit for a quarter of an hour after it was absorbed, and no longer", async () => {
    const lake = await lakeWorld();
    await lake.commit(someRows(1_500, "a"));
    await lake.pass(2 * MINUTE_MS);
    lake.skip(13 * MINUTE_MS);
    await lake.sweep();
    expect(await commitsOf(lake, 1)).toBe(1);
    lake.skip(2 * MINUTE_MS);
    await lake.sweep();
    expect(await commitsOf(lake, 1)).toBe(0);
  });
});

describe("what a sweep asks for", () => {
  const FOLD = { v: 1, kind: "fold", project: 1, upTo: "c9" } as const;

  const aSweeper = async () => {
    const lake = await lakeWorld();
    const asked = new Map();
    return async (from: string, oldest: string, afterMs: number): Promise<number> => {
      lake.skip(afterMs);
      const before = lake.waiting.length;
      await (await jobScheduler(lake.world, POLICIES.deployed, asked)).schedule([{ job: FOLD, from, oldest }]);
      return lake.waiting.length - before;
    };
  };

  it("is asked for ever more rarely while nothing moves", async () => {
    const sweep = await aSweeper();
    const minutes: number[] = [];
    for (let minute = 0; minute < 200; minute += 1) if ((await sweep("m1", "c1", MINUTE_MS)) > 0) minutes.push(minute);
    expect(minutes).toEqual([0, 5, 15, 35, 75, 135, 195]);
  });

  it("goes on at once where a job took a step and left some of what it was asked for", async () => {
    const sweep = await aSweeper();
    for (const [from, oldest] of [
      ["m1", "c1"],
      ["m2", "c4"],
      ["m3", "c7"],
    ] as const)
      expect(await sweep(from, oldest, MINUTE_MS)).toBe(1);
    expect(await sweep("m3", "c7", MINUTE_MS)).toBe(0);
  });

  it("waits as always where the job did all of it and new work came in", async () => {
    const sweep = await aSweeper();
    expect(await sweep("m1", "c1", MINUTE_MS)).toBe(1);
    expect(await sweep("m2", "d1", MINUTE_MS)).toBe(0);
    expect(await sweep("m2", "d1", 4 * MINUTE_MS)).toBe(1);
  });
});
