import { beforeAll, expect, test } from "vitest";
import { anEngine } from "../../test/support/engine.ts";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { sqlQuery } from "../../test/support/samples/saved-query.ts";
import { endpointWorld } from "../../test/support/worlds/endpoint-world.ts";
import { listProperties } from "./properties-command.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
let one: Awaited<ReturnType<typeof endpointWorld>>;

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
});

test("of a property whose type a stray value did not change, the values that do not fit are counted", async () => {
  for (const weight of [1, 2, "heavy"]) await bought({ weight });
  expect((await listed()).json).toContainEqual({
    of: "event",
    name: "weight",
    type: "Numeric",
    kept_type: null,
    misfits: 1,
    earned_columns: [],
  });
});

const bought = async (properties: Readonly<Record<string, unknown>>) => {
  one.time.now += 60_000;
  await one.send([{ event: "buy", distinct_id: "ana", at: one.time.now, properties }]);
};

const listed = () => {
  const target = { world: one.world, forgetKeys: () => undefined, close: async () => undefined };
  return listProperties(target, { words: [], flags: { project: "1" }, switches: new Set() });
};

test("properties are listed with their types, and with how many values did not fit the type that a saved query keeps", async () => {
  await bought({ price: 5, 'it\'s "new"': true, $set: { age: 30 } });
  const text = "SELECT sum(properties.price), max(person.properties.age) FROM events WHERE event = {variables.e}";
  expect((await one.call("POST", "", { name: "sum", query: sqlQuery(text, { e: "buy" }) })).status).toBe(201);
  const property = (of: string, name: string, type: string) => ({ of, name, type, kept_type: null, misfits: 0, earned_columns: [] });
  expect((await listed()).json).toEqual(
    expect.arrayContaining([
      property("event", "price", "Numeric"),
      property("event", 'it\'s "new"', "Boolean"),
      property("person", "age", "Numeric"),
    ]),
  );

  await bought({ price: "a lot", $set: { age: "old" } });
  await bought({ price: "", $set: { age: "older" } });
  await bought({ price: "too much" });
  const { json, lines } = await listed();
  expect(json).toContainEqual({ of: "event", name: "price", type: "String", kept_type: "Numeric", misfits: 2, earned_columns: [] });
  expect(json).toContainEqual({ of: "person", name: "age", type: "String", kept_type: "Numeric", misfits: 1, earned_columns: [] });
  expect(lines[0]).toMatch(/^of +property +type +saved queries take +did not fit +column of its own$/);
  expect(lines.join("\n")).toMatch(/\nevent +price +String +Numeric +2 *\n/);
});

test("of a property that a run named, the column of its own is listed with what named it", async () => {
  await bought({ tier: "gold" });
  const text = "SELECT count() FROM events WHERE properties.tier = 'gold'";
  expect((await one.call("POST", "", { name: "by-tier", query: sqlQuery(text) })).status).toBe(201);
  expect((await one.run("by-tier", {})).status).toBe(200);
  const { json, lines } = await listed();
  const column = { type: "text", since: expect.any(String), named_by: 'query "by-tier"' };
  expect(json).toContainEqual(expect.objectContaining({ name: "tier", earned_columns: [column] }));
  expect(lines.join("\n")).toMatch(/\nevent +tier +String +text since \d{4}-\d\d-\d\d: query "by-tier"/);
});
