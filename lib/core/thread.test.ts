import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openThread } from "./thread.ts";

const PROGRAM = fileURLToPath(new URL("../../test/hostile/endless-case.ts", import.meta.url));

it("a thread that takes too long for an order is ended, and the next order is answered by a new one", async () => {
  const thread = openThread<number, number>(PROGRAM, { cpuMs: 100, ms: 60_000 });
  expect(await thread.ask(1)).toBe(1);
  await expect(thread.ask(-1)).rejects.toMatchObject({ name: "ThreadEnded", tookTooLong: true });
  expect(await thread.ask(2)).toBe(2);
});

it("a thread that fails at an order says why, and the next order is answered by a new one", async () => {
  const thread = openThread<number, number>(PROGRAM, { cpuMs: 10_000, ms: 60_000 });
  const message = "the thread failed: nothing";
  await expect(thread.ask(0)).rejects.toMatchObject({ name: "ThreadEnded", message, tookTooLong: false });
  expect(await thread.ask(2)).toBe(2);
});

it("a program that cannot be started is a fault of ours", async () => {
  await expect(openThread<number, number>(`${PROGRAM}x`, { cpuMs: 100, ms: 60_000 }).ask(1)).rejects.toThrow();
});
