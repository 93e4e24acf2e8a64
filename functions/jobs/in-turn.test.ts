import { describe, expect, it } from "vitest";
import { EMPTY_SCHEDULE, type FairSchedule, withBegun, withEnded } from "../../lib/core/fair-schedule.ts";
import { type Job, jobText, type Passes, passedText, readPasses } from "../../lib/jobs/jobs.ts";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import { keptLog } from "../../test/support/kept-log.ts";
import { decisionFor, inTurn } from "./in-turn.ts";

const JOB: Job = { kind: "audit", project: 1 };
const NEVER: Passes = { waits: 0, behindAt: null };

/** A worker's world, where time passes when a test says so. */
const aWorld = () => {
  const time = { now: 1_000_000 };
  const clock = { now: () => time.now };
  const sent: { readonly passes: Passes; readonly delaySeconds: number | undefined }[] = [];
  const log = keptLog();
  let isRefusing = false;
  const queues = {
    send: async (_: string, messages: readonly { readonly id: string; readonly body: string; readonly delaySeconds?: number }[]) => {
      if (isRefusing) return messages.map(({ id }) => id);
      for (const { body, delaySeconds } of messages) sent.push({ passes: readPasses(body), delaySeconds });
      return [];
    },
  };
  const world = { table: memoryTable(), queues, clock, log };
  let [worked, deliveries] = [0, 0];
  return {
    world,
    time,
    sent,
    log,
    refuse: () => {
      isRefusing = true;
    },
    /** Whether the job was done now; `meanwhile` happens while it is at work. */
    deliver: async (body = jobText(JOB), attempts = 1, meanwhile = async () => {}, id = `m${deliveries++}`) => {
      const before = worked;
      const isDone = await inTurn(world, { id, body, attempts }, async () => {
        worked += 1;
        await meanwhile();
        return true;
      });
      expect(isDone).toBe(true);
      return worked - before;
    },
  };
};

describe("a job that is delivered while another of its project is at work", () => {
  it("waits, the longer the more often where others have jobs", async () => {
    const { deliver, sent } = aWorld();
    const again = passedText(JOB, { waits: 3, behindAt: 5 });
    await deliver(undefined, 1, async () => {
      expect(await deliver(again)).toBe(0);
      expect(await deliver(jobText({ ...JOB, project: 2 }))).toBe(1);
      expect([await deliver(), await deliver(again)]).toEqual([0, 0]);
    });
    expect(sent).toEqual([
      { passes: { waits: 4, behindAt: null }, delaySeconds: 4 },
      { passes: { waits: 1, behindAt: null }, delaySeconds: 4 },
      { passes: { waits: 4, behindAt: null }, delaySeconds: 32 },
    ]);
    expect(await deliver()).toBe(1);
  });

  it("is done where its message cannot wait, or comes again after a failure", async () => {
    const { deliver, refuse } = aWorld();
    await deliver(undefined, 1, async () => {
      expect(await deliver(undefined, 2)).toBe(1);
      refuse();
      expect(await deliver()).toBe(1);
    });
  });

  it("has its turn when the message of one whose process was killed was done after all, whether or not its deliveries are counted", async () => {
    for (const attempts of [1, 2]) {
      const { deliver, world } = aWorld();
      const { put } = world.table;
      await deliver(
        undefined,
        1,
        async () => void Object.assign(world.table, { put: () => Promise.reject(new Error("killed")) }),
        "killed",
      );
      Object.assign(world.table, { put });
      expect(await deliver()).toBe(0);
      expect(await deliver(undefined, attempts, undefined, "killed")).toBe(1);
      expect(await deliver()).toBe(1);
    }
  });

  it("has its turn a quarter of an hour after that one's function was killed", async () => {
    const { deliver, time } = aWorld();
    await deliver(undefined, 1, async () => {
      time.now += 15 * 60_000;
      expect(await deliver()).toBe(1);
    });
  });
});

it("a job is done where the turns cannot be read or written, which is said", async () => {
  const { deliver, world, log } = aWorld();
  Object.assign(world.table, { get: () => Promise.reject(new Error("throttled")) });
  expect(await deliver()).toBe(1);
  expect(log.lines.map(({ event }) => event)).toEqual(["turn_not_recorded", "turn_not_recorded"]);
});

describe("whose turn it is", () => {
  const own = { owner: "1", group: "1" };
  const other = { owner: "2", group: "2" };
  const NOW = 1_000_000;
  /** Somebody took so long, and another had a turn after it. */
  const contended = (tookMs: number, othersAt = NOW): FairSchedule => {
    const taken = withEnded(withBegun(EMPTY_SCHEDULE, own, { name: "a", began: 0, until: 9e9 }), "a", tookMs);
    return withEnded(withBegun(taken, other, { name: "b", began: othersAt, until: 9e9 }), "b", othersAt);
  };
  it.each([
    ["who used little begins", contended(4_000), NEVER, "run"],
    ["who used much goes behind the others", contended(60_000), NEVER, "requeue"],
    ["who comes back before anybody else had a turn begins", contended(60_000), { waits: 0, behindAt: NOW }, "run"],
    ["who comes back after others had theirs waits", contended(60_000), { waits: 0, behindAt: NOW - 1 }, "delay"],
    ["who is alone begins", contended(60_000, NOW - 60_000), NEVER, "run"],
    ["who nobody was before begins", EMPTY_SCHEDULE, NEVER, "run"],
  ] as const)("%s", (_, schedule, passes, decision) => {
    expect(decisionFor(schedule, own, passes, NOW)).toBe(decision);
  });
});
