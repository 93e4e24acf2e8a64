import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Busy, openFairQueue } from "./concurrency.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MAX_WAIT_MS = 2_000;

/** Tasks that end when they are told to, and the order in which they began. */
const setUp = () => {
  const queue = openFairQueue(64);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (project: number, name: string, maxWaitMs?: number): Promise<string> =>
    queue.run(
      project,
      async () => {
        began.push(name);
        await new Promise<void>((end) => ends.set(name, end));
        return name;
      },
      maxWaitMs,
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { ask, began, end };
};

it("goes round by project: one's many tasks do not keep another's waiting", async () => {
  const { ask, began, end } = setUp();
  for (const name of ["a1", "a2", "a3", "a4"]) void ask(1, name);
  void ask(2, "b1");
  void ask(3, "c1");
  await vi.advanceTimersByTimeAsync(0);
  for (const name of ["a1", "a2", "b1", "c1", "a3", "a4"]) await end(name);
  expect(began).toEqual(["a1", "a2", "b1", "c1", "a3", "a4"]);
});

it("refuses what has waited for two seconds, and what waits behind it goes on", async () => {
  const { ask, began, end } = setUp();
  const first = ask(1, "slow");
  const refused = expect(ask(2, "late", MAX_WAIT_MS)).rejects.toBeInstanceOf(Busy);
  await vi.advanceTimersByTimeAsync(1_000);
  void ask(2, "patient", MAX_WAIT_MS);
  await vi.advanceTimersByTimeAsync(1_000);
  await refused;
  await end("slow");
  expect(await first).toBe("slow");
  expect(began).toEqual(["slow", "patient"]);
});

it("takes no more of one project than it has places for", async () => {
  const { ask } = setUp();
  for (let each = 0; each <= 64; each += 1) void ask(1, `a${each}`);
  await expect(ask(1, "one more")).rejects.toBeInstanceOf(Busy);
  void ask(2, "another's");
});

it("goes on after a task that fails", async () => {
  const queue = openFairQueue(1);
  await expect(queue.run(1, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await queue.run(1, async () => "yes")).toBe("yes");
});
