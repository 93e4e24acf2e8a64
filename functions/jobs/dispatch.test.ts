import { describe, expect, it } from "vitest";
import { Unavailable } from "../../lib/core/unavailable.ts";
import { type Job, jobText, type LakeJob } from "../../lib/jobs/jobs.ts";
import { readCommits } from "../../lib/lake/catalogue/commits.ts";
import { readFailure, recordFailure } from "../../lib/lake/failures.ts";
import { POLICIES } from "../../lib/lake/policy.ts";
import { lakeWorld, MINUTE_MS, SEALED_DAY, someRows } from "../../test/support/worlds/lake-world.ts";
import { dispatch } from "./dispatch.ts";

const POLICY = POLICIES.deployed;
const ENOUGH = { remainingMs: () => 600_000 };
const SILENT = "an earlier delivery ended without a word: most likely out of memory or out of time";
const ORGANIZATION = "0190d0aa-0000-7000-8000-000000000001";
const FAULT = "Error: Out of Memory Error: failed to pin block";

/** A job that gathers some rows, as it is delivered by hand. */
const aJob = async () => {
  const lake = await lakeWorld();
  await lake.commit(someRows(2, "a", SEALED_DAY));
  const [commit] = await readCommits(lake.stored, 1);
  const job: LakeJob = { kind: "compact", project: 1, partition: "2026-10", upTo: commit?.id ?? "", seal: false };
  const { table, clock } = lake.world;
  return {
    ...lake,
    /** It failed so often before, the last time right now. */
    async failed(times: number, error: string): Promise<void> {
      for (let time = 1; time <= times; time += 1) {
        const before = await readFailure(table, job);
        if (before !== undefined) lake.skip(before.againAt - clock.now());
        await recordFailure(lake.world, POLICY, job, before, error);
      }
    },
    /** Delivers it; what came of it, and what was done, remembered and said. */
    async deliver(attempts: number, body = jobText(job)) {
      const from = lake.log.lines.length;
      const isDone = await dispatch(lake.world, POLICY, { id: "m", body, attempts }, ENOUGH);
      const failure = await readFailure(lake.stored, job);
      const said = lake.log.lines.slice(from).map(({ event, fields }) => [event, Object(fields).attempts, Object(fields).error]);
      return { isDone, isTried: lake.merged.one > 0, failure: failure && [failure.attempts, failure.error], said };
    },
  };
};

const DONE = { isDone: true, isTried: true, failure: undefined, said: [] };

describe("a job that is delivered", () => {
  it("is done and not spoken of", async () => {
    const { deliver } = await aJob();
    expect(await deliver(1)).toEqual(DONE);
  });

  it("is remembered where it fails, and said", async () => {
    const { deliver, merging } = await aJob();
    merging.one = () => "fails";
    expect(await deliver(1)).toEqual({ isDone: false, isTried: true, failure: [1, FAULT], said: [["job_failed", 1, FAULT]] });
  });

  it("is no worse where it is broken off because the platform ends, however often", async () => {
    const { deliver, world } = await aJob();
    const { query } = world.table;
    Object.assign(world.table, { query: () => Promise.reject(new Unavailable("The platform is being stopped.")) });
    for (let stop = 0; stop < 6; stop += 1)
      expect(await deliver(1)).toEqual({ isDone: false, isTried: false, failure: undefined, said: [] });
    Object.assign(world.table, { query });
    expect(await deliver(1)).toEqual(DONE);
  });

  it("is remembered as ended in the middle where it comes again and nobody said why, before it is tried", async () => {
    const killed = [["job_failed", 1, SILENT]];
    const { deliver } = await aJob();
    expect(await deliver(2)).toEqual({ ...DONE, said: killed });
    const failing = await aJob();
    failing.merging.one = () => "fails";
    const said = [...killed, ["job_failed", 1, FAULT]];
    expect(await failing.deliver(2)).toEqual({ isDone: false, isTried: true, failure: [1, FAULT], said });
  });

  it("is tried whenever it comes after it failed once and said how, and is forgotten when it succeeds", async () => {
    const { deliver, failed } = await aJob();
    await failed(1, FAULT);
    expect(await deliver(2)).toEqual(DONE);
  });

  it.each([
    ["was killed", 1, SILENT],
    ["failed more than once", 2, FAULT],
    ["was killed more than once", 2, SILENT],
  ])("is left alone when it comes again before its time, having %s, and is tried when it is asked for", async (_, times, error) => {
    const { deliver, failed } = await aJob();
    await failed(times, error);
    expect(await deliver(2)).toEqual({ isDone: false, isTried: false, failure: [times, error], said: [] });
    expect(await deliver(1)).toEqual(DONE);
  });

  it("is tried again at its time, and taken to have been killed since", async () => {
    const { deliver, failed, skip, merging } = await aJob();
    await failed(2, FAULT);
    merging.one = () => "fails";
    skip(4 * 5 * MINUTE_MS);
    const said = [3, 3].map((attempts, at) => ["job_failed", attempts, at === 0 ? SILENT : FAULT]);
    expect(await deliver(2)).toEqual({ isDone: false, isTried: true, failure: [3, FAULT], said });
  });

  it("is said where it fails and that cannot be remembered", async () => {
    const { deliver, failed, world, merging } = await aJob();
    merging.one = () => "fails";
    const { put } = world.table;
    const broken = () => Promise.reject(new Error("throttled"));
    Object.assign(world.table, { put: broken });
    const said = (attempts: number) => [["job_failed", attempts, `${FAULT}; not remembered: Error: throttled`]];
    expect(await deliver(1)).toEqual({ isDone: false, isTried: true, failure: undefined, said: said(1) });
    Object.assign(world.table, { put });
    await failed(2, FAULT);
    Object.assign(world.table, { put: broken });
    expect(await deliver(1)).toMatchObject({ isDone: false, failure: [2, FAULT], said: said(3) });
  });

  it.each([
    ["no JSON", "{"],
    ["no job", "null"],
    ["an unknown job", '{"v":1,"kind":"dance"}'],
    ["a job of a format to come", '{"v":4,"kind":"audit","project":1}'],
    ["a table of no version", `{"v":1,"kind":"table","project":1,"endpoint_id":"${ORGANIZATION}"}`],
    ["the removal of no organization", '{"v":1,"kind":"remove-organization","organization":"none"}'],
    ["a removal of a format to come", `{"v":4,"kind":"remove-organization","organization":"${ORGANIZATION}"}`],
  ])("comes again where it cannot be read, being %s, and is said each time", async (_, body) => {
    const { deliver } = await aJob();
    expect(await deliver(4, body)).toEqual({
      isDone: false,
      isTried: false,
      failure: undefined,
      said: [["job_unreadable", 4, expect.any(String)]],
    });
  });

  it.each<Job>([
    { kind: "table", project: 1, endpoint_id: ORGANIZATION, version: 1 },
    { kind: "remove-organization", organization: ORGANIZATION },
  ])("comes again where it deletes and fails: $kind", async (removal) => {
    const { deliver, world } = await aJob();
    const broken = () => Promise.reject(new RangeError("throttled"));
    Object.assign(world.table, { get: broken, query: broken });
    Object.assign(world.objects, { list: broken });
    expect(await deliver(1, jobText(removal))).toMatchObject({ isDone: false, said: [["job_failed", undefined, "RangeError: throttled"]] });
  });

  it("says of what failed what it is of, and what it can of a fault that is none", async () => {
    const { deliver, world, log } = await aJob();
    const last = () => log.lines.at(-1);
    Object.assign(world.table, { query: () => Promise.reject("a text") });
    await deliver(1);
    const compaction = { project: 1, kind: "compact", partition: "2026-10", attempts: 1, error: "unknown" };
    expect(last()).toEqual({ level: "error", event: "job_failed", fields: compaction });
    await deliver(1, JSON.stringify({ v: 1, kind: "audit", project: 1 }));
    expect(last()).toEqual({ level: "error", event: "job_failed", fields: { project: 1, kind: "audit", attempts: 1, error: "unknown" } });
  });
});
