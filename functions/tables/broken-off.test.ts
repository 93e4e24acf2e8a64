import { expect, it } from "vitest";
import { STOPPING, Unavailable } from "../../lib/core/unavailable.ts";
import type { Engine } from "../../lib/engine/engine.ts";
import { anEngine } from "../../test/support/engine.ts";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { sqlQuery } from "../../test/support/samples/saved-query.ts";
import { endpointWorld } from "../../test/support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);

it("a table whose run is broken off because the platform ends is as it was before, and made when the platform is back", async () => {
  let isStopping = true;
  const stopping: Engine = {
    ...engine(),
    async write(...given) {
      if (isStopping) throw new Unavailable(STOPPING);
      return engine().write(...given);
    },
  };
  const { call, work, send, time, log } = await endpointWorld(objects, stopping);
  await send([{ event: "seen", distinct_id: "p", at: time.now - 60_000 }]);
  const query = sqlQuery("SELECT count() AS n FROM events", {});
  expect((await call("POST", "", { name: "counted", query, is_materialized: true })).status).toBe(201);
  const status = async () => Object((await call("GET", "counted/materialization_status/")).json);
  const before = await status();
  await work();
  expect(await status()).toEqual(before);
  expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);

  isStopping = false;
  // What was asked for is asked for again after a minute, and at once by another start.
  time.now += 60_000;
  await work();
  expect(await status()).toMatchObject({ status: "Completed", error: "" });
});
