import { expect, it } from "vitest";
import { endpoints } from "../../../functions/endpoints/routes.ts";
import { Materialisations } from "../../../lib/endpoints/materialisations.ts";
import { SavedEndpoints } from "../../../lib/endpoints/saved-endpoints.ts";
import { list, put } from "../../../lib/table/store.ts";
import { sideBySide } from "../../support/side-by-side.ts";
import { aHousehold, apiWorld, ask } from "../../support/worlds/api-world.ts";

it("an endpoint that is deleted loses the tables of all its versions, several at a time", async () => {
  const { world, sent } = apiWorld();
  const { user, key } = await aHousehold(world, 1);
  const at = new Date(world.clock.now()).toISOString();
  const [id, current_version_id] = [world.ids.uuid(), world.ids.uuid()];
  await put(world.table, SavedEndpoints, {
    project: 1,
    name: "daily",
    id,
    created_at: at,
    updated_at: at,
    created_by: user.id,
    is_active: true,
    derived_from_insight: null,
    tags: [],
    current_version: 50,
    current_version_id,
    last_executed_at: null,
  });
  for (let version = 1; version <= 50; version += 1)
    await put(world.table, Materialisations, {
      project: 1,
      endpoint_id: id,
      version,
      id: world.ids.uuid(),
      endpoint_name: "daily",
      freshness_seconds: 3_600,
      bucket_overrides: null,
      status: "Completed",
      error: "",
      last_materialized_at: at,
      wanted: 1,
      run: null,
      run_until: 0,
      failures: 0,
      due_at: world.clock.now(),
      table: null,
      replaced: [],
    });
  const counted = sideBySide(world.table, (call) => call === "remove");
  const { status } = await ask(endpoints, { ...world, table: counted.table }, "DELETE", "/api/projects/1/endpoints/daily/", { key });
  expect([status, await list(world.table, Materialisations, "key", { project: 1, endpoint_id: id }), sent.length]).toEqual([204, [], 50]);
  expect(counted.most()).toBeGreaterThan(4);
});
