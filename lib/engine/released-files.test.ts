import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openEngineStorage } from "../../test/support/engine-storage.ts";
import { pinnedOf, storedSegment } from "../../test/support/lake-state.ts";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { anEventRow, countRows } from "../../test/support/samples/event-rows.ts";
import type { Scan } from "../hogql/lowered-query.ts";
import type { Commit, FileFacts, PinnedState } from "../lake/catalogue.ts";
import { deltaKey, eventFileKey, segmentKey } from "../lake/paths.ts";
import { gatherDeltas } from "../lake/persons/deltas.ts";
import { storedDeltas } from "../lake/persons/stored-deltas.ts";
import type { Databases } from "./duckdb/databases.ts";
import type { EmbeddedEngine } from "./engine.ts";
import { engineOver } from "./open.ts";
import type { FileLease, LocalFiles } from "./storage/local-files.ts";

const PROJECT = 1;
const START = 1_750_000_000_000_000n;
const LIMITS = { timeMs: 10_000, maxRows: 1_000, maxReplyBytes: 1_000_000 };

/** More than are listed in a statement, so that the rows to skip are a file, too. */
const ROWS = 2_100;

/** The disk with what is held on it counted, of which one call fails as if it were full. */
const failing = (local: LocalFiles) => {
  const counts = { calls: 0, failsAt: 0, held: 0 };
  const counted = async (hold: () => Promise<FileLease>): Promise<FileLease> => {
    counts.calls++;
    if (counts.calls === counts.failsAt) throw new Error("the disk is full");
    const held = await hold();
    counts.held++;
    let released = false;
    return {
      ...held,
      release() {
        if (!released) counts.held--;
        released = true;
        held.release();
      },
    };
  };
  const disk: LocalFiles = {
    ...local,
    hold: (project, wanted) => counted(() => local.hold(project, wanted)),
    holdBytes: (project, name, make) => counted(() => local.holdBytes(project, name, make)),
  };
  return { disk, counts };
};

describe("files on the disk", () => {
  const objects = memoryObjects();
  let databases: Databases;
  let local: LocalFiles;
  let close: () => Promise<void>;
  let pinned: PinnedState;
  let segments: readonly FileFacts[];

  beforeAll(async () => {
    ({ local, databases, close } = await openEngineStorage(objects));
    const engine = engineOver({ objects, local, databases, countUsage: countRows });
    // Copies of rows within the asked time, and of rows on its border.
    const copiesFrom = (name: string, first: bigint): Promise<FileFacts>[] =>
      ["a", "b"].map((copy) => {
        const rows = Array.from({ length: ROWS }, (_, index) =>
          anEventRow({
            uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(index).padStart(12, "0")}`,
            event: name,
            timestamp: first + BigInt(index),
            index,
          }),
        );
        return storedSegment(engine, objects, segmentKey(PROJECT, "2025-06", `${name}${copy}`), rows);
      });
    segments = await Promise.all([...copiesFrom("inside", START), ...copiesFrom("border", START + 10_000n)]);
    const deltas = gatherDeltas();
    const at = { time: START, index: 0, uuid: "a" };
    for (const id of ["ann", "anon"]) deltas.seen(id, at);
    deltas.person({ at, id: "ann", merge: { kind: "identify", source: "anon" }, set: { plan: "pro" }, setOnce: null, unset: null });
    const stored = await storedDeltas(PROJECT, deltas.take(), () => deltaKey(PROJECT, "d"), 0);
    if (stored?.object) await objects.put(stored.object.key, stored.object.bytes);
    const learned: Commit = { v: 1, id: "d", at: 0, lane: "live", segments: [], deltas: stored?.ref ?? null };
    pinned = { ...pinnedOf(PROJECT, [], segments), waitingDeltas: [learned] };
  });
  afterAll(() => close());

  /** Fails at each of the task's calls to the disk in turn; after each failure, and after it succeeded, nothing may be held. */
  const failingEverywhere = async (task: (engine: EmbeddedEngine) => Promise<unknown>): Promise<number> => {
    const { disk, counts } = failing(local);
    for (let failsAt = 1; ; failsAt++) {
      const engine = engineOver({ objects, local: disk, databases, countUsage: countRows });
      Object.assign(counts, { calls: 0, failsAt });
      const failure = await task(engine).then(
        () => null,
        (thrown: Error) => thrown.message,
      );
      expect({ failsAt, held: counts.held }).toEqual({ failsAt, held: 0 });
      if (failure === null) return counts.calls;
      expect(failure).toBe("the disk is full");
    }
  };

  it("are let go of wherever a query fails", async () => {
    const range = { from: START, to: START + 10_500n, events: null, distinctIds: null };
    const scans: readonly Scan[] = [
      { kind: "events", name: "e", columns: ["event", "person_id"], boundsAreExact: true, ...range },
      { kind: "person_distinct_ids", name: "i", columns: ["distinct_id", "person_id"] },
      { kind: "persons", name: "p", columns: ["properties"] },
    ];
    const sql = "SELECT (SELECT count(*) FROM e), (SELECT count(*) FROM i), (SELECT count(*) FROM p)";
    const calls = await failingEverywhere(async (engine) => {
      const { rows } = await engine.run({ project: PROJECT, sql, parameters: [], scans, columns: [], timezone: "UTC" }, pinned, LIMITS);
      expect(rows).toEqual([[ROWS + 500, 2, 1]]);
    });
    expect(calls).toBeGreaterThan(10);
  });

  it("are let go of wherever a merge fails", async () => {
    const skip = Array.from({ length: ROWS - 1 }, (_, at) => at);
    const sources = segments.map((file) => ({ file, skip }));
    const calls = await failingEverywhere((engine) =>
      engine.rowFiles.merge(PROJECT, sources, "one", () => eventFileKey(PROJECT, "2025-06", "merged")),
    );
    expect(calls).toBe(2);
  });
});
