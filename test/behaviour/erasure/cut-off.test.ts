import { beforeAll, expect, it } from "vitest";
import { beginErasure, finishErasure } from "../../../lib/erasure/erase.ts";
import { undoImport } from "../../../lib/erasure/undo.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { findImport, keepImport } from "../../../lib/projects/imports.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { require } from "../../../lib/table/store.ts";
import { dyingTable, Killed } from "../../support/dying-table.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
let one: Awaited<ReturnType<typeof endpointWorld>>;

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
  await seen("stays");
  const query = sqlQuery("SELECT distinct_id FROM events WHERE event != {variables.e} GROUP BY distinct_id", { e: "none" });
  expect((await one.call("POST", "", { name: "people", query })).status).toBe(201);
  one.time.now += 120_000;
});

const seen = (...people: readonly string[]) =>
  one.send(people.map((distinct_id) => ({ event: "seen", distinct_id, at: one.time.now, properties: {} })));

const people = async (): Promise<unknown> => (await one.run("people", { variables: { e: "none" } })).json;

/** Does some work in processes that die at their first, second, … write, each time once more in one that does not, until none dies. */
const withEachDeath = async (work: (world: typeof one.world, at: number) => Promise<unknown>, after: (at: number) => Promise<void>) => {
  for (let at = 0; ; at += 1) {
    const { table, died } = dyingTable(one.world.table, at, at % 2 === 0 ? "before" : "after");
    await work({ ...one.world, table }, at).catch((thrown: unknown) => {
      if (!(thrown instanceof Killed) && !died()) throw thrown;
    });
    if (died()) await work(one.world, at);
    await after(at);
    if (!died()) return at;
  }
};

it("an erasure that is killed at any write is completed by the same call, and leaves the others alone", async () => {
  const project = await require(one.world.table, Projects, { id: 1 });
  const deaths = await withEachDeath(
    async (world, at) => {
      if (world !== one.world) await seen(`goes-${at}`, `goes-${at}`);
      const begun = await beginErasure(world, POLICIES.local, project, { distinctId: `goes-${at}` });
      if (begun !== undefined) await finishErasure({ ...world, deadLetters: NONE }, project, begun.erasure);
    },
    async (at) => {
      expect(await people()).toMatchObject({ results: [["stays"]] });
      const again = await beginErasure(one.world, POLICIES.local, project, { distinctId: `goes-${at}` });
      expect(again?.erasure).toMatchObject({ state: "done", distinct_ids: 1 });
    },
  );
  expect(deaths).toBeGreaterThan(5);
});

/** No message was ever given up on. */
const NONE = { receive: async () => [], acknowledge: async () => undefined };

it("undoing that is killed at any write is completed by the same call", async () => {
  const deaths = await withEachDeath(
    async (world, at) => {
      if (world !== one.world) await keepImport(one.world, { project: 1, name: `import ${at}`, source: "files" });
      const found = await findImport(one.world.table, 1, `import ${at}`);
      if (found !== undefined) await undoImport({ ...world, deadLetters: NONE }, POLICIES.local, found);
    },
    async (at) => {
      expect(await findImport(one.world.table, 1, `import ${at}`)).toMatchObject({ state: "undone", undone_rows: 0 });
      expect(await people()).toMatchObject({ results: [["stays"]] });
    },
  );
  expect(deaths).toBeGreaterThan(2);
});
