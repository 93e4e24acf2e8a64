import { expect, it } from "vitest";
import { Busy } from "../../../lib/core/concurrency.ts";
import type { Engine } from "../../../lib/engine/engine.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);

it("a table that nobody has time to read is 429, and is not passed over for the events, which would take longer", async () => {
  let isBusy = false;
  let runs = 0;
  const busy: Engine = {
    ...engine(),
    async run(...given) {
      runs += 1;
      if (isBusy) throw new Busy();
      return engine().run(...given);
    },
  };
  const one = await endpointWorld(objects, busy);
  await one.send([{ event: "seen", distinct_id: "ana", at: one.time.now - 60_000 }]);
  const query = sqlQuery("SELECT count() FROM events WHERE event = {variables.e}", { e: "seen" });
  await one.call("POST", "", { name: "counted", query, is_materialized: true });
  await one.work();
  const variables = { e: "seen" };
  expect((await one.run("counted", { variables })).headers["x-run-path"]).toBe("materialised");
  isBusy = true;
  runs = 0;
  expect(await one.run("counted", { variables, refresh: "force" })).toMatchObject({
    status: 429,
    json: { code: "throttled" },
    headers: { "retry-after": "1" },
  });
  expect(runs).toBe(1);
});
