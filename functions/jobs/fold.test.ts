import { describe, expect, it } from "vitest";
import type { Job } from "../../lib/jobs/jobs.ts";
import { commitItem } from "../../lib/lake/catalogue/commits.ts";
import { CATALOGUE_FORMAT } from "../../lib/lake/catalogue.ts";
import { gatherDeltas } from "../../lib/lake/persons/deltas.ts";
import { storedDeltas } from "../../lib/lake/persons/stored-deltas.ts";
import { pin } from "../../lib/lake/pin.ts";
import { POLICIES } from "../../lib/lake/policy.ts";
import { readConfig } from "../../lib/ports/config.ts";
import type { Queues } from "../../lib/ports/queues.ts";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import { keptLog } from "../../test/support/kept-log.ts";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { foldJob } from "./fold.ts";

const PROJECT = 3;
/** Each commit is a step of its own. */
const SIZES = { entries: 1, bytes: 1_000, layers: 8, fileRows: 50_000 };
const JOB: Job<"fold"> = { kind: "fold", project: PROJECT, upTo: "" };

const aWorld = async (commits: number, refuses = false) => {
  let now = 1_000_000;
  let ulids = 0;
  const table = memoryTable();
  const objects = memoryObjects();
  const sent: string[] = [];
  const queues: Queues = {
    send: async (_, messages) => {
      if (refuses) return messages.map(({ id }) => id);
      sent.push(...messages.map(({ body }) => body));
      return [];
    },
  };
  const ids = { uuid: () => "", ulid: () => String(ulids++).padStart(26, "0"), secret: () => new Uint8Array() };
  for (let at = 0; at < commits; at += 1) {
    const deltas = gatherDeltas();
    deltas.seen(`person-${at}`, { time: BigInt(at), index: 0, uuid: "u" });
    const stored = await storedDeltas(PROJECT, deltas.take(), () => `deltas-${at}`);
    const commit = { v: CATALOGUE_FORMAT, id: ids.ulid(), at: 0, lane: "live" as const, segments: [], deltas: stored?.ref ?? null };
    await table.put(commitItem(PROJECT, commit));
  }
  const unused = () => Promise.reject(new Error("a fold touches no row files"));
  const engine = {
    rowFiles: {
      ...{ write: unused, duplicates: unused, sightings: unused, recount: unused, merge: unused },
      ...{ matching: unused, readMatching: unused, countMatching: unused, usageLeft: unused },
    },
  };
  const world = { table, objects, queues, clock: { now: () => now++ }, ids, log: keptLog(), config: readConfig(() => undefined), engine };
  const left = async () => (await pin(world, PROJECT, null, { events: false, state: true })).waitingDeltas.length;
  return { world, sent, left };
};

describe("a job that folds persons", () => {
  it("goes on by itself while there is work, and a minute left for a further fold", async () => {
    const { world, sent, left } = await aWorld(2);
    await foldJob(world, POLICIES.local, JOB, { remainingMs: () => 60_000 }, SIZES);
    expect(await left()).toBe(0);
    expect(sent).toEqual([]);
    // Nothing was too much for a person, so nothing is said of it.
    expect(world.log.lines).toEqual([]);
  });

  it("asks for the rest at once when its time is up, having done a part", async () => {
    const { world, sent, left } = await aWorld(2);
    await foldJob(world, POLICIES.local, JOB, { remainingMs: () => 59_999 }, SIZES);
    expect(await left()).toBe(1);
    expect(sent.map((body): unknown => JSON.parse(body))).toEqual([{ v: 2, ...JOB }]);
  });

  it("is delivered again when the queue does not take the request", async () => {
    const { world } = await aWorld(2, true);
    await expect(foldJob(world, POLICIES.local, JOB, { remainingMs: () => 1_000 }, SIZES)).rejects.toThrow("the queue did not take");
  });
});
