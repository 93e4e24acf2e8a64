import { describe, expect, it } from "vitest";
import { inTurn, JOBS_AT_ONCE } from "../../functions/jobs/in-turn.ts";
import { systemIds } from "../../lib/app/system.ts";
import { readJob, sendJobs } from "../../lib/jobs/jobs.ts";
import { memoryTable } from "../simulation/ports/table.ts";
import { keptLog } from "../support/kept-log.ts";
import { slowTable, virtualTime } from "../support/virtual-time.ts";
import { simulatedQueue } from "./simulated-queue.ts";

const OTHERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const HOSTILE = 10;
const SECOND_MS = 1_000;

/** What a call of the table and the handing out of a message take. */
const CALL_MS = 5;
const HAND_OUT_MS = 15;
const IDLE_MS = 20;

interface Load {
  readonly seconds: number;
  /** Milliseconds that a job of the nine takes, and between two that one of them asks for; with 0 each asks for the next when one is done. */
  readonly jobMs: number;
  readonly everyMs: number;
  /** How many jobs of a minute the hostile project asks for at the start. */
  readonly hostile: number;
}

/** The jobs of the nine that were done in this time, and how long each waited at its worst, milliseconds. */
const worked = async ({ seconds, jobMs, everyMs, hostile }: Load) => {
  const time = virtualTime(1_800_000_000_000);
  const end = time.clock.now() + seconds * SECOND_MS;
  const queue = simulatedQueue(time);
  const { clock } = time;
  const world = {
    table: slowTable(memoryTable(), time, { tableMs: CALL_MS, objectMs: 0 }),
    queues: queue,
    clock,
    ids: systemIds(clock),
    log: keptLog(),
  };
  const asked = new Map<number, number[]>();
  let [done, longestMs, hostileDone] = [0, 0, 0];
  const ask = async (project: number): Promise<void> => {
    asked.set(project, [...(asked.get(project) ?? []), clock.now()]);
    await sendJobs(queue, [{ kind: "audit", project }]);
  };
  const work = async (project: number): Promise<boolean> => {
    if (project !== HOSTILE) longestMs = Math.max(longestMs, clock.now() - (asked.get(project)?.shift() ?? 0));
    await time.sleep(project === HOSTILE ? 60 * SECOND_MS : jobMs);
    if (project === HOSTILE) hostileDone += 1;
    else done += 1;
    if (project !== HOSTILE && everyMs === 0) await ask(project);
    return true;
  };
  const worker = async (): Promise<void> => {
    while (clock.now() < end) {
      const delivery = queue.take();
      await time.sleep(delivery === undefined ? IDLE_MS : HAND_OUT_MS);
      const job = delivery && readJob(delivery.body);
      if (delivery && job && "project" in job) await inTurn(world, delivery, () => work(job.project));
    }
  };
  const asking = async (project: number): Promise<void> => {
    if (everyMs === 0) for (let each = 0; each < 2; each += 1) await ask(project);
    else for (await time.sleep(project * 500); clock.now() < end; await time.sleep(everyMs)) await ask(project);
  };
  for (let each = 0; each < hostile; each += 1) await sendJobs(queue, [{ kind: "audit", project: HOSTILE }]);
  await time.run(Promise.all([...OTHERS.map(asking), ...Array.from({ length: JOBS_AT_ONCE }, worker)]));
  return { done, longestMs, hostileDone };
};

describe("a project that asks for a hundred jobs of a minute", () => {
  it("costs nine others, who want all they can get, at most a tenth of their jobs", async () => {
    const load = { seconds: 1_800, jobMs: SECOND_MS, everyMs: 0 };
    const [alone, beside] = [await worked({ ...load, hostile: 0 }), await worked({ ...load, hostile: 100 })];
    expect(alone.done).toBeGreaterThan(2_000);
    expect(beside.done / alone.done).toBeGreaterThan(0.9);
    expect(beside.hostileDone).toBeGreaterThanOrEqual(2);
  });

  it("has those who want little wait for half a second longer at most", async () => {
    const load = { seconds: 300, jobMs: 200, everyMs: 10 * SECOND_MS };
    const [alone, beside] = [await worked({ ...load, hostile: 0 }), await worked({ ...load, hostile: 20 })];
    expect(alone.done).toBeGreaterThan(200);
    expect(beside.done).toBeGreaterThanOrEqual(alone.done - OTHERS.length);
    expect(beside.longestMs - alone.longestMs).toBeLessThanOrEqual(500);
    // Nobody else wants its place most of the time.
    expect(beside.hostileDone).toBeGreaterThanOrEqual(3);
  });
});
