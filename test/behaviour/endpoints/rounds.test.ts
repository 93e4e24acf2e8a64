import { beforeAll, describe, expect, it } from "vitest";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { rounds } from "../../support/samples/rounds.ts";
import { type RoundsWorld, roundsWorld } from "../../support/worlds/rounds-world.ts";

const made = rounds();
const objects = memoryObjects();
const engine = anEngine(made.counting("objects", objects));
let world: RoundsWorld;

beforeAll(async () => {
  world = await roundsWorld({ made, objects, engine: engine() });
});

describe.each(["personal", "secret"] as const)("with a %s key", (key) => {
  it("a live run makes at most 4 rounds of calls, also over an event that has just come", async () => {
    const live = await world.live(key);
    expect(live).toMatchObject({ path: "live" });
    expect(live.rounds).toBeLessThanOrEqual(4);
    expect((await world.forced(key)).rounds).toBeLessThanOrEqual(4);
  });

  it("a kept result is 2 rounds of calls away", async () => {
    const kept = await world.kept(key);
    expect(kept).toMatchObject({ path: "kept" });
    expect(kept.rounds).toBeLessThanOrEqual(2);
  });

  it("a run from the version's table makes at most 2 rounds of calls", async () => {
    const materialised = await world.materialised(key);
    expect(materialised).toMatchObject({ path: "materialised" });
    expect(materialised.rounds).toBeLessThanOrEqual(2);
  });

  it("a run from a table that was just made anew reads the table of items twice at most, and one object", async () => {
    const { path, reads } = await world.renewed(key);
    expect(path).toBe("materialised");
    expect(reads.table).toBeLessThanOrEqual(2);
    expect(reads.objects).toBe(1);
  });
});

it("an endpoint is retrieved in 2 rounds of calls", async () => {
  expect((await world.retrieved()).rounds).toBeLessThanOrEqual(2);
});
