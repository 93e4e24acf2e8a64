import { expect, it } from "vitest";
import { apiWorld } from "../../../test/support/worlds/api-world.ts";
import { holdSlot, type RunSlot, takeSlot } from "./run-slots.ts";

const PROJECT = 7;

/** Slots of a project; waiting passes the time of the clock, and what is given happens once on the way. */
const setup = () => {
  const { world, time, calls } = apiWorld();
  const take = (run: string, slots: number, meanwhile?: () => Promise<void>) => {
    let isDone = false;
    const wait = async (ms: number): Promise<void> => {
      time.now += ms;
      if (isDone) return;
      isDone = true;
      await meanwhile?.();
    };
    return takeSlot(world.table, PROJECT, run, slots, { now: world.clock.now, wait });
  };
  const release = (slot: RunSlot | undefined, run: string): Promise<void> | undefined =>
    slot && holdSlot(world.table, PROJECT, slot, run, world.clock.now, () => () => undefined).release();
  return { time, calls, take, release };
};

it("as many runs hold a slot as there are, and the next is refused after 2 seconds", async () => {
  const { take, time } = setup();
  const held = [await take("a", 3), await take("b", 3), await take("c", 3)];
  expect(new Set(held.map((slot) => slot?.attribute)).size).toBe(3);
  const before = time.now;
  expect(await take("d", 3)).toBeUndefined();
  expect(time.now - before).toBeGreaterThanOrEqual(2_000);
  expect(time.now - before).toBeLessThan(2_200);
});

it("a slot that is given back goes to a run that waits, and costs it one call where one is free", async () => {
  const { take, release, calls } = setup();
  const first = await take("a", 1);
  expect(calls).toHaveLength(1);
  expect(first).toBeDefined();
  expect(await take("b", 1, async () => release(first, "a"))).toBeDefined();
});

it("a slot whose run was cut off is free after 30 seconds, and its late return takes nothing from the next one", async () => {
  const { take, release, time } = setup();
  const lost = await take("a", 1);
  time.now += 30_001;
  const next = await take("b", 1);
  expect(next).toBeDefined();
  await release(lost, "a");
  expect(await take("c", 1)).toBeUndefined();
});
