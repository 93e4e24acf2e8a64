import { expect, it } from "vitest";
import { holdSlot, takeSlot } from "../../lib/endpoints/run/run-slots.ts";
import { apiWorld } from "../support/worlds/api-world.ts";

it("a slot is another's only when its run is over, however long that takes", async () => {
  const { table } = apiWorld().world;
  let now = 1_000_000;
  let renew = (): void => undefined;
  const wait = async (ms: number): Promise<void> => {
    now += ms;
  };
  const waiting = { now: () => now, wait };
  const take = (run: string) => takeSlot(table, 1, run, 1, waiting);
  const slot = await take("slow");
  if (slot === undefined) throw new Error("no slot was free");
  const held = holdSlot(table, 1, slot, "slow", waiting.now, (_everyMs, task) => {
    renew = task;
    return () => undefined;
  });
  for (let passed = 0; passed < 120_000; passed += 10_000) {
    now += 10_000;
    renew();
    expect(await take("other")).toBeUndefined();
  }
  await held.release();
  expect(await take("other")).toBeDefined();
});
