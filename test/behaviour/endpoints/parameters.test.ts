import { beforeAll, describe, expect, it } from "vitest";
import { endpointRuns } from "../../../functions/endpoint-runs/routes.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { ask } from "../../support/worlds/api-world.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
let one: Awaited<ReturnType<typeof endpointWorld>>;

const TREND = {
  kind: "TrendsQuery",
  series: [{ kind: "EventsNode", event: "seen" }],
  breakdownFilter: { breakdowns: [{ property: "$os", type: "event" }] },
};

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
  const counted = sqlQuery("SELECT count() FROM events WHERE event = {variables.ev}", { ev: "seen" });
  for (const [name, query] of [
    ["counted", counted],
    ["trend", TREND],
  ] as const)
    expect((await one.call("POST", "", { name, query })).status).toBe(201);
});

const run = (method: string, name: string, search: string) =>
  ask(endpointRuns, one.world, method, `/api/projects/1/endpoints/${name}/run/?${search}`, {
    key: one.key,
    ...(method === "POST" && { body: {} }),
  });

describe.each(["GET", "POST"])("%s /endpoints/{name}/run/ with a query parameter", (method) => {
  it.each(["refresh=force", "variables=1", "debug=true", "filters_override=1", "client_query_id=1"])(
    "400 for one that is a field of the body: %s",
    async (search) => {
      const attr = search.split("=")[0];
      expect(await run(method, "counted", search)).toMatchObject({
        status: 400,
        json: { type: "validation_error", code: "invalid_input", attr, detail: expect.stringContaining("JSON body") },
      });
    },
  );

  it.each([
    ["counted", "ev=hello", "ev"],
    ["trend", "%24os=Linux", "$os"],
    ["trend", "date_from=-7d", "date_from"],
  ])("400 for one that is a variable: %s?%s", async (name, search, attr) => {
    expect(await run(method, name, search)).toMatchObject({
      status: 400,
      json: { code: "invalid_input", attr, detail: expect.stringContaining(`{"variables": {"${attr}"`) },
    });
  });

  it("200 for any other, which means nothing", async () => {
    expect(await run(method, "counted", "utm_source=mail&date_from=-7d&version=1&limit=5")).toMatchObject({
      status: 200,
      json: { limit: 5 },
    });
  });
});
