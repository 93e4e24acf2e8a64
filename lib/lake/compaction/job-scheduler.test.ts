import { describe, expect, it } from "vitest";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import type { LakeJob } from "../../jobs/jobs.ts";
import { forgetFailure, listFailures, readFailure, recordFailure } from "../failures.ts";
import { POLICIES } from "../policy.ts";
import { jobScheduler, type ScheduledJobs } from "./job-scheduler.ts";

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const POLICY = POLICIES.deployed;
const WAIT = POLICY.resendMs;

const compaction = (upTo: string, partition = "2026-03"): LakeJob => ({ kind: "compact", project: 7, partition, upTo, seal: false });

/** A sweeping process that asks again and again, over a queue that may refuse. */
const aSweeper = () => {
  let now = NOW;
  const parts = { table: memoryTable(), clock: { now: () => now } };
  const scheduled: ScheduledJobs = new Map();
  let sent = 0;
  let refuses = false;
  const queues = {
    send: async (queue: string, messages: readonly { readonly id: string }[]) => {
      expect(queue).toBe("jobs");
      if (refuses) return messages.map(({ id }) => id);
      sent += messages.length;
      return [];
    },
  };
  const begin = () => jobScheduler({ ...parts, queues }, POLICY, scheduled);
  return {
    ...parts,
    scheduled,
    begin,
    pass(ms: number): void {
      now += ms;
    },
    refuse(is: boolean): void {
      refuses = is;
    },
    /** How many requests go out for what is wanted now. */
    async asks(...wanted: Parameters<Awaited<ReturnType<typeof jobScheduler>>["schedule"]>[0]): Promise<number> {
      const before = sent;
      await (await begin()).schedule(wanted);
      return sent - before;
    },
    /** How many go out for the jobs that failed. */
    async repeats(): Promise<number> {
      const before = sent;
      const { dueRetries, retry } = await begin();
      for (const failing of dueRetries) await retry(failing);
      return sent - before;
    },
  };
};

describe("a request for work", () => {
  it("is repeated ever more rarely while nothing moves, once an hour in the end", async () => {
    const { asks, pass } = aSweeper();
    const times: number[] = [];
    for (let minute = 0; minute <= 400; minute += 1) {
      if ((await asks({ job: compaction("c1"), from: "m1" })) === 1) times.push(minute);
      pass(MINUTE_MS);
    }
    expect(times).toEqual([0, 5, 15, 35, 75, 135, 195, 255, 315, 375]);
  });

  it("waits only the ordinary time where it is for more, or where the work has moved", async () => {
    const { asks, pass } = aSweeper();
    for (const _ of [1, 2, 3]) {
      await asks({ job: compaction("c1"), from: "m1" });
      pass(4 * WAIT);
    }
    await asks({ job: compaction("c2"), from: "m1" });
    pass(WAIT - 1);
    expect(await asks({ job: compaction("c3"), from: "m1" })).toBe(0);
    expect(await asks({ job: compaction("c2"), from: "m2" })).toBe(0);
    pass(1);
    expect(await asks({ job: compaction("c3"), from: "m1" })).toBe(1);
    pass(WAIT);
    expect(await asks({ job: compaction("c3"), from: "m2" })).toBe(1);
  });

  it.each([
    ["another manifest", { job: compaction("c1"), from: "m2" }],
    ["another commit", { job: compaction("c2"), from: "m1" }],
  ])("waits only the ordinary time after it was repeated, where it is of %s by now", async (_, next) => {
    const { asks, pass } = aSweeper();
    for (const ms of [WAIT, 2 * WAIT, WAIT - 1]) {
      expect(await asks({ job: compaction("c1"), from: "m1" })).toBe(1);
      pass(ms);
    }
    expect(await asks(next)).toBe(0);
    pass(1);
    expect(await asks(next)).toBe(1);
  });

  it("goes out at once where a step was taken and some is left of what was asked for", async () => {
    const { asks } = aSweeper();
    await asks({ job: compaction("c2"), from: "m1", oldest: "c1" });
    expect(await asks({ job: compaction("c3"), from: "m2", oldest: "c3" })).toBe(0);
    expect(await asks({ job: compaction("c3"), from: "m1", oldest: "c2" })).toBe(0);
    expect(await asks({ job: compaction("c3"), from: "m2", oldest: "c2" })).toBe(1);
  });

  it("is one of its partition, and goes out again where the queue refused it", async () => {
    const { asks, refuse } = aSweeper();
    refuse(true);
    expect(await asks({ job: compaction("c1") })).toBe(0);
    refuse(false);
    expect(await asks({ job: compaction("c1") }, { job: compaction("c1", "2026-04") })).toBe(2);
    expect(await asks({ job: compaction("c1") }, { job: compaction("c1", "2026-05") })).toBe(1);
  });

  it("goes out again when the clock was set back", async () => {
    const { asks, pass, scheduled } = aSweeper();
    await asks({ job: compaction("c1") });
    pass(-HOUR_MS);
    expect(await asks({ job: compaction("c1") })).toBe(1);
    expect(scheduled.size).toBe(1);
    expect(await asks({ job: compaction("c1") })).toBe(0);
  });
  it("is forgotten by the process once nobody asked for two hours", async () => {
    const { asks, scheduled, begin, pass } = aSweeper();
    await asks({ job: compaction("c1") }, { job: compaction("c1", "2026-04") });
    pass(2 * HOUR_MS - 1);
    await begin();
    expect(scheduled.size).toBe(2);
    pass(1);
    await begin();
    expect(scheduled.size).toBe(0);
  });
});

describe("a job that failed", () => {
  it("is left alone until its time, then asked for and put off for twice as long, an hour at most", async () => {
    const sweeper = aSweeper();
    await recordFailure(sweeper, POLICY, compaction("c1"), undefined, "out of memory");
    expect(await sweeper.asks({ job: compaction("c2") })).toBe(0);
    const times: number[] = [];
    for (let minute = 0; minute <= 250; minute += 1) {
      if ((await sweeper.repeats()) === 1) times.push(minute);
      sweeper.pass(MINUTE_MS);
    }
    expect(times).toEqual([10, 30, 70, 130, 190, 250]);
    expect(await listFailures(sweeper.table, 7)).toMatchObject([
      { job: compaction("c1"), attempts: 7, since: NOW, error: "out of memory" },
    ]);
  });

  it("is not asked for where it has succeeded meanwhile or another sweep was quicker", async () => {
    const sweeper = aSweeper();
    await recordFailure(sweeper, POLICY, compaction("c1"), undefined, "out of memory");
    sweeper.pass(HOUR_MS);
    const [one, other] = [await sweeper.begin(), await sweeper.begin()];
    for (const failing of one.dueRetries) await one.retry(failing);
    sweeper.scheduled.clear();
    for (const failing of other.dueRetries) await other.retry(failing);
    expect(sweeper.scheduled.size).toBe(0);
    sweeper.pass(HOUR_MS);
    const late = await sweeper.begin();
    await forgetFailure(sweeper.table, compaction("c1"));
    for (const failing of late.dueRetries) await late.retry(failing);
    expect(sweeper.scheduled.size).toBe(0);
    expect(await readFailure(sweeper.table, compaction("c1"))).toBeUndefined();
  });

  it("counts once where another message brings the same attempt, and keeps as much of its error as can be shown", async () => {
    const sweeper = aSweeper();
    const first = await recordFailure(sweeper, POLICY, compaction("c1"), undefined, "x".repeat(1_000));
    sweeper.pass(1);
    const again = await recordFailure(sweeper, POLICY, compaction("c1"), first, "y");
    expect(first).toMatchObject({ attempts: 1, since: NOW, at: NOW, againAt: NOW + 2 * WAIT, error: "x".repeat(300) });
    expect(again).toMatchObject({ attempts: 1, since: NOW, at: NOW + 1, againAt: NOW + 2 * WAIT, error: "y" });
    expect(await readFailure(sweeper.table, compaction("c1"))).toEqual(again);
  });
});
