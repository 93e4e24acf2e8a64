import { beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import type { Key, Table } from "../../../lib/ports/table.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { ask } from "../../support/worlds/api-world.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
let one: Awaited<ReturnType<typeof endpointWorld>>;

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
});

/** The table of a request behind whose first transaction another request is answered. */
const followed = (table: Table, other: () => Promise<unknown>): Table => {
  let isFirst = true;
  return {
    ...table,
    async transact(writes) {
      await table.transact(writes);
      const keys = writes.map((write): Key => (write.kind === "put" ? write.item : write.key));
      if (!isFirst || keys.every(({ pk }) => pk.startsWith("throttle#"))) return;
      isFirst = false;
      await other();
    },
  };
};

/** Two updates at once: the first is written, then the second is answered, and then the first. */
const updated = async (name: string, first: object, second: object): Promise<void> => {
  const answers: number[] = [];
  const table = followed(one.world.table, async () => answers.push((await one.call("PATCH", `${name}/`, second)).status));
  const path = `/api/projects/1/endpoints/${name}/`;
  answers.push((await ask(endpoints, { ...one.world, table }, "PATCH", path, { key: one.key, body: first })).status);
  expect(answers).toEqual([200, 200]);
};

const enabled = async (name: string) => Object((await one.call("GET", `${name}/materialization_status/`)).json).enabled;

describe("PATCH /endpoints/{name}/ of a table while another update is answered", () => {
  it.each([
    ["a description", false, { is_materialized: true }, { description: "Another one." }, true],
    ["a query", false, { is_materialized: true }, { query: sqlQuery("SELECT 2 AS n") }, true],
    ["off", false, { is_materialized: true }, { is_materialized: false }, false],
    ["on", true, { is_materialized: false }, { is_materialized: true }, true],
    ["an endpoint that is not active", false, { is_materialized: true }, { is_active: false }, false],
  ])("200: it follows what is written last: %s", async (what, is_materialized, first, second, isOn) => {
    const name = what.replaceAll(" ", "-");
    expect((await one.call("POST", "", { name, query: sqlQuery("SELECT 1 AS n"), is_materialized })).status).toBe(201);
    await updated(name, first, second);
    expect(await enabled(name)).toBe(isOn);
    await one.work();
    await one.call("PATCH", `${name}/`, { is_active: true });
    expect((await one.run(name, {})).headers["x-run-path"]).toBe(isOn ? "materialised" : "live");
    expect((await one.call("PATCH", `${name}/`, { is_materialized: false })).status).toBe(200);
    expect(await enabled(name)).toBe(false);
  });
});
