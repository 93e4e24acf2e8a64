import { expect, it } from "vitest";
import type { Engine, WrittenTable } from "../../../lib/engine/engine.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const DAY_MS = 86_400_000;
const DAYS = 20;
const PER_DAY = 2_000;
const objects = memoryObjects();
const engine = anEngine(objects);

it("a table whose source grew by a day is made of that day's columns and of the table before", async () => {
  const written: WrittenTable[] = [];
  const watched: Engine = {
    ...engine(),
    async write(...given) {
      const table = await engine().write(...given);
      written.push(table);
      return table;
    },
  };
  const one = await endpointWorld(objects, watched);
  const first = Math.floor(one.time.now / DAY_MS) * DAY_MS;
  const sendDay = (day: number): Promise<void> =>
    one.send(
      Array.from({ length: PER_DAY }, (_, index) => ({
        event: `event-${index % 3}`,
        distinct_id: `person-${(index * 7919) % 10_007}`,
        at: first + day * DAY_MS + index * 1_000,
        properties: { $browser: `browser-${index % 4}` },
      })),
    );
  for (let day = 0; day < DAYS; day += 1) await sendDay(day);
  one.time.now = first + DAYS * DAY_MS;
  const text =
    "SELECT properties.$browser AS browser, count() AS n, max(distinct_id) FROM events WHERE event = {variables.e} GROUP BY browser ORDER BY browser";
  const body = { name: "grows", query: sqlQuery(text, { e: "event-1" }), is_materialized: true };
  expect(await one.call("POST", "", body)).toMatchObject({ status: 201 });
  await one.work();
  await sendDay(DAYS);
  one.time.now += DAY_MS;
  await one.work();
  const [whole, grown] = written;
  const perDay = (whole?.cost.neededBytes ?? 0) / DAYS;
  const tableBefore = whole?.bytes ?? 0;
  expect(grown?.cost.neededBytes).toBeLessThanOrEqual(1.2 * perDay + tableBefore);
  expect(grown?.cost.neededBytes).toBeGreaterThan(perDay / 2);
  const rows = async (refresh: string) => {
    const reply = await one.run("grows", { variables: { e: "event-1" }, refresh });
    return { path: reply.headers["x-run-path"], rows: Object(reply.json).results };
  };
  const live = await rows("direct");
  expect(live.path).toBe("live");
  expect(await rows("cache")).toEqual({ ...live, path: "materialised" });
  one.time.now += DAY_MS;
  await one.work();
  expect(written[2]?.cost.neededBytes).toBeLessThanOrEqual(grown?.bytes ?? 0);
});

it("a day on which nothing fits adds nothing to a table without groups", async () => {
  const one = await endpointWorld(objects, engine());
  const first = Math.floor(one.time.now / DAY_MS) * DAY_MS;
  const send = (event: string, day: number): Promise<void> => one.send([{ event, distinct_id: "ana", at: first + day * DAY_MS + 1_000 }]);
  await send("left", 0);
  await send("left", 1);
  one.time.now = first + 2 * DAY_MS;
  const query = sqlQuery("SELECT count() AS n, min(timestamp) AS first, max(distinct_id) AS last FROM events WHERE event = 'left'");
  expect(await one.call("POST", "", { name: "ungrouped", query, is_materialized: true })).toMatchObject({ status: 201 });
  await one.work();
  await send("came", 2);
  one.time.now += DAY_MS;
  await one.work();
  const rows = [[2, "2026-11-20T00:00:01Z", "ana"]];
  for (const [refresh, path] of [
    ["cache", "materialised"],
    ["direct", "live"],
  ]) {
    const reply = await one.run("ungrouped", { refresh });
    expect([reply.headers["x-run-path"], Object(reply.json).results]).toEqual([path, rows]);
  }
});
