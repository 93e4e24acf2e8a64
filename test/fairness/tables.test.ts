import { describe, expect, it } from "vitest";
import { tables } from "../../functions/tables/invocable.ts";
import { systemIds } from "../../lib/app/system.ts";
import { beginRun as begin, completeRun, failRun } from "../../lib/endpoints/materialisation/runs.ts";
import { type Materialisation, Materialisations } from "../../lib/endpoints/materialisations.ts";
import { endTurn, takeTurn } from "../../lib/endpoints/table-lane.ts";
import { newProject } from "../../lib/projects/new-project.ts";
import { put } from "../../lib/table/store.ts";
import { memoryTable } from "../simulation/ports/table.ts";
import { slowTable, virtualTime } from "../support/virtual-time.ts";

const OTHERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const HOSTILE = 10;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** What a call of the table takes, and how often a worker that found nothing is started anew. */
const CALL_MS = 5;
const SWEEP_MS = 200;

interface Load {
  readonly seconds: number;
  /** What a table of the nine takes to be made, and how long after that it is due again. */
  readonly tableMs: number;
  readonly againMs: number;
  /** Endless tables of the hostile project, each of which fails after a minute. */
  readonly hostile: number;
}

/** The tables that were made for the nine, and by how much the latest one of them was begun too late, milliseconds. */
const made = async ({ seconds, tableMs, againMs, hostile }: Load) => {
  const time = virtualTime(1_800_000_000_000);
  const { clock } = time;
  const end = clock.now() + seconds * SECOND_MS;
  const ids = systemIds(clock);
  const stored = memoryTable();
  const parts = { table: slowTable(stored, time, { tableMs: CALL_MS, objectMs: 0 }), clock, ids };
  const asked = async (project: number, at: number): Promise<void> => {
    const endpoint_id = ids.uuid();
    await put(stored, Materialisations, {
      ...{ project, endpoint_id, version: 1, id: ids.uuid(), endpoint_name: "e", freshness_seconds: 900, bucket_overrides: null },
      ...{ status: "Unknown", error: "", last_materialized_at: null, wanted: 1, run: null, run_until: 0, failures: 0 },
      ...{ due_at: at, table: null, replaced: [] },
    });
  };
  for (const id of [...OTHERS, HOSTILE])
    for (const write of newProject({ clock, ids }, { id, organization_id: ids.uuid(), name: `Project ${id}` }).writes)
      if (write.kind === "put") await stored.put(write.item);
  let [done, latestMs, endless] = [0, 0, 0];
  const work = async (begun: Materialisation, dueAt: number): Promise<void> => {
    if (begun.project === HOSTILE) {
      await time.sleep(MINUTE_MS);
      endless += 1;
      // As hostile as can be: another endless one is asked for as soon as this one has failed.
      await failRun(parts, begun, "It took too long.");
      return asked(HOSTILE, clock.now());
    }
    latestMs = Math.max(latestMs, clock.now() - dueAt);
    await time.sleep(tableMs);
    done += 1;
    const as_of = clock.now() + againMs - 900 * SECOND_MS * 0.9;
    await completeRun(parts, begun, {
      ...{ kind: "rows", key: "k", bytes: 1, rows: 1, columns: "[]", read: new Uint8Array(), variables: [], as_of },
    });
  };
  const dueOf = new Map<string, number>();
  const worker = async (): Promise<void> => {
    while (clock.now() < end) {
      const turn = await takeTurn(parts);
      if (turn === undefined) {
        await time.sleep(SWEEP_MS);
        continue;
      }
      const before = dueOf.get(turn.place.endpoint_id) ?? start + turn.place.project * SECOND_MS;
      const begun = await begin(parts, turn.place, turn.until);
      if (begun !== undefined) await work(begun, before);
      dueOf.set(turn.place.endpoint_id, clock.now() + againMs);
      await endTurn(parts, turn);
    }
  };
  const start = clock.now();
  for (const project of OTHERS)
    for (let each = 0; each < (againMs === 0 ? 2 : 1); each += 1) await asked(project, start + (againMs === 0 ? 0 : project * SECOND_MS));
  for (let each = 0; each < hostile; each += 1) await asked(HOSTILE, start - SECOND_MS);
  await time.run(Promise.all(Array.from({ length: tables.atOnce }, worker)));
  return { done, latestMs, endless };
};

describe("a project with twenty endless tables", () => {
  it("costs nine others, who want all they can get, at most a tenth of their tables", async () => {
    const load = { seconds: 900, tableMs: 5 * SECOND_MS, againMs: 0 };
    const [alone, beside] = [await made({ ...load, hostile: 0 }), await made({ ...load, hostile: 20 })];
    expect(alone.done).toBeGreaterThan(500);
    expect(beside.done / alone.done).toBeGreaterThan(0.9);
    expect(beside.endless).toBeGreaterThanOrEqual(2);
  });

  it("has those who want little wait for half a second longer at most", async () => {
    const load = { seconds: 200, tableMs: 300, againMs: 20 * SECOND_MS };
    const [alone, beside] = [await made({ ...load, hostile: 0 }), await made({ ...load, hostile: 20 })];
    expect(alone.done).toBeGreaterThan(70);
    expect(beside.done).toBeGreaterThanOrEqual(alone.done - OTHERS.length);
    expect(beside.latestMs - alone.latestMs).toBeLessThanOrEqual(500);
    expect(beside.endless).toBeGreaterThanOrEqual(2);
  });
});
