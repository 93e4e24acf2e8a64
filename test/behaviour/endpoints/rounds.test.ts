import { beforeAll, expect, it } from "vitest";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { rounds } from "../../support/samples/rounds.ts";
import { type RoundsWorld, roundsWorld } from "../../support/worlds/rounds-world.ts";

const made = rounds();
const objects = memoryObjects();
const engine = anEngine(made.counting(objects));
let world: RoundsWorld;

beforeAll(async () => {
  world = await roundsWorld({ made, objects, engine: engine() });
});

it.each(["personal", "secret"] as const)(
  "a live run with a %s key makes at most 4 rounds of calls, also over an event that has just come",
  async (key) => {
    await world.warm();
    await world.arrive();
    const fresh = await world.run(key, { variables: { a: `new for ${key}` } });
    expect(fresh).toMatchObject({ path: "live" });
    expect(fresh.rounds).toBeLessThanOrEqual(4);
    expect((await world.run(key, { refresh: "force" })).rounds).toBeLessThanOrEqual(4);
  },
);

it.each(["personal", "secret"] as const)("a kept result with a %s key is 2 rounds of calls away", async (key) => {
  await world.warm();
  const kept = await world.run(key, {});
  expect(kept).toMatchObject({ path: "kept" });
  expect(kept.rounds).toBeLessThanOrEqual(2);
});

it("an endpoint is retrieved in 2 rounds of calls", async () => {
  await world.warm();
  expect(await world.retrieve()).toBeLessThanOrEqual(2);
});
