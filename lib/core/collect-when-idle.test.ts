import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { collectWhenIdle } from "./collect-when-idle.ts";

it("what nobody holds any more is collected a while after the last call, once", async () => {
  const collected: string[] = [];
  const registry = new FinalizationRegistry((name: string) => void collected.push(name));
  const drop = (name: string): void => registry.register(new ArrayBuffer(1_000_000), name);
  drop("first");
  collectWhenIdle();
  collectWhenIdle();
  for (let looked = 0; collected.length === 0 && looked < 100; looked += 1) await pause(50);
  expect(collected).toEqual(["first"]);
});
