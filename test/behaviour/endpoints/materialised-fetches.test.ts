import { expect, it } from "vitest";
import type { Engine } from "../../../lib/engine/engine.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const DAY_MS = 86_400_000;
const DAYS = 12;
const PER_DAY = 4_000;

/** Bytes of files of events and of tables that left the store. */
let fetched = 0;
const stored = memoryObjects();
const count = (key: string, bytes: Uint8Array | undefined): Uint8Array | undefined => {
  if (/^(fresh|events|tables)\//.test(key)) fetched += bytes?.length ?? 0;
  return bytes;
};
const objects: Objects = {
  ...stored,
  get: async (key) => count(key, await stored.get(key)),
  getRange: async (key, from, to) => count(key, await stored.getRange(key, from, to)),
};
/** Functions of their own, none of which has anything on its disk that another fetched. */
const [first, second, third] = [anEngine(objects), anEngine(objects), anEngine(objects)];

const GROUPED = "properties.$browser AS browser, count() AS n, max(distinct_id) AS last FROM events";

it("a rebuild in a function that has no file yet fetches at most 1.2 times the columns of the day by which its source grew", async () => {
  let engine = first();
  const switched: Engine = new Proxy(first(), { get: (_, name) => Reflect.get(engine, name) });
  const one = await endpointWorld(objects, switched);
  const start = Math.floor(one.time.now / DAY_MS) * DAY_MS;
  const sendDay = (day: number): Promise<void> =>
    one.send(
      Array.from({ length: PER_DAY }, (_, index) => ({
        event: `event-${index % 3}`,
        distinct_id: `person-${(index * 7919) % 10_007}`,
        at: start + day * DAY_MS + index * 1_000,
        properties: { $browser: `browser-${index % 4}`, note: `a text that no query reads ${index}` },
      })),
    );
  for (let day = 0; day < DAYS; day += 1) await sendDay(day);
  one.time.now = start + DAYS * DAY_MS;
  const table = sqlQuery(`SELECT ${GROUPED} WHERE event = {variables.e} GROUP BY browser ORDER BY browser`, { e: "event-1" });
  expect(await one.call("POST", "", { name: "grows", query: table, is_materialized: true })).toMatchObject({ status: 201 });
  await one.work();
  await sendDay(DAYS);
  one.time.now += DAY_MS;

  engine = second();
  const [from, to] = [start + DAYS * DAY_MS, start + (DAYS + 1) * DAY_MS].map((ms) => new Date(ms).toISOString());
  const text = `SELECT ${GROUPED} WHERE timestamp >= toDateTime('${from}') AND timestamp < toDateTime('${to}') GROUP BY browser, event`;
  expect(await one.call("POST", "", { name: "day", query: sqlQuery(text) })).toMatchObject({ status: 201 });
  fetched = 0;
  expect(await one.run("day", {})).toMatchObject({ status: 200, json: { results: expect.objectContaining({ length: 12 }) } });
  const ofDay = fetched;

  engine = third();
  fetched = 0;
  await one.work();
  const rebuilt = fetched;
  const rows = async (refresh: string) => {
    const { headers, json } = await one.run("grows", { variables: { e: "event-1" }, refresh });
    return { path: headers["x-run-path"], rows: Object(json).results };
  };
  const live = await rows("direct");
  expect(live).toMatchObject({ path: "live", rows: { length: 4 } });
  expect(await rows("cache")).toEqual({ ...live, path: "materialised" });
  expect(ofDay).toBeGreaterThan(10_000);
  expect(rebuilt).toBeGreaterThan(ofDay / 2);
  expect(rebuilt).toBeLessThanOrEqual(1.2 * ofDay);
});
