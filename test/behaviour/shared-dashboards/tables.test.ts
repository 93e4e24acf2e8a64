import { expect, it } from "vitest";
import { dashboards } from "../../../functions/dashboards/routes.ts";
import { sharedDashboards } from "../../../functions/shared-dashboards/routes.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { ask } from "../../support/worlds/api-world.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);

it("a tile reads the table of its version, as a run with the same values does", async () => {
  const one = await endpointWorld(objects, engine());
  const { world, key, time } = one;
  const event = (at: number) => ({ event: "seen", distinct_id: "ana", at });
  await one.send([event(time.now - 60_000)]);
  const query = sqlQuery("SELECT count() FROM events WHERE event = {variables.e}", { e: "seen" });
  await one.call("POST", "", { name: "counted", query, is_materialized: true });
  await one.work();
  await one.send([event(time.now - 30_000)]);
  const post = async (path: string, body?: object) =>
    Object((await ask(dashboards, world, "POST", `/api/projects/1/dashboards/${path}`, { key, ...(body && { body }) })).json);
  const { id, tiles } = await post("", { name: "Shop", tiles: [{ endpoint: "counted", variables: { e: "seen" } }] });
  const { pathname } = new URL((await post(`${id}/sharing/`)).url);
  const tile = await ask(sharedDashboards, world, "GET", `${pathname}tiles/${tiles[0].id}/`);
  expect(tile).toMatchObject({ status: 200, json: { results: [[1]] } });
  expect((await one.run("counted", { variables: { e: "seen" }, refresh: "direct" })).json).toMatchObject({ results: [[2]] });
});
