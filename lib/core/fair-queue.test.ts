import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Busy } from "./concurrency.ts";
import { openFairQueue } from "./fair-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MAX_WAIT_MS = 2_000;

/** Tasks that end when they are told to, and the order in which they began. */
const setUp = (lanes = 1) => {
  const queue = openFairQueue(64, lanes);
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

const SECOND = 1_000;

it("lets those go first who used less time, and whoever comes later has no more to come than they", async () => {
  const { ask, began, end } = setUp();
  void ask(1, "a1");
  for (const name of ["a2", "a3"]) void ask(1, name);
  for (const name of ["b1", "b2"]) void ask(2, name);
  await vi.advanceTimersByTimeAsync(3 * SECOND);
  await end("a1");
  await vi.advanceTimersByTimeAsync(SECOND);
  await end("b1");
  await vi.advanceTimersByTimeAsync(SECOND);
  void ask(3, "c1");
  await end("b2");
  await end("c1");
  expect(began).toEqual(["a1", "b1", "b2", "c1", "a2"]);
});

it("runs one task of a project at a time, and as many of all as there are lanes", async () => {
  const { ask, began, end } = setUp(2);
  for (const name of ["a1", "a2"]) void ask(1, name);
  void ask(2, "b1");
  void ask(3, "c1");
  await vi.advanceTimersByTimeAsync(0);
  expect(began).toEqual(["a1", "b1"]);
  await end("b1");
  expect(began).toEqual(["a1", "b1", "c1"]);
  await end("c1");
  expect(began).toEqual(["a1", "b1", "c1"]);
  await end("a1");
  expect(began).toEqual(["a1", "b1", "c1", "a2"]);
});

it("leaves the last lane to those who take little", async () => {
  const { ask, began, end } = setUp(2);
  for (const [project, name] of [
    [1, "a1"],
    [2, "b1"],
  ] as const) {
    void ask(project, name);
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    await end(name);
  }
  void ask(1, "a2");
  void ask(2, "b2");
  void ask(3, "c1");
  await vi.advanceTimersByTimeAsync(0);
  expect(began).toEqual(["a1", "b1", "a2", "c1"]);
  await end("c1");
  expect(began).toEqual(["a1", "b1", "a2", "c1"]);
  await end("a2");
  expect(began).toEqual(["a1", "b1", "a2", "c1", "b2"]);
});

it("does not hold a long task against a project for longer than a minute", async () => {
  const { ask, began, end } = setUp(2);
  void ask(1, "a1");
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  await end("a1");
  void ask(2, "b1");
  await vi.advanceTimersByTimeAsync(59 * SECOND);
  void ask(1, "a2", MAX_WAIT_MS).catch(() => undefined);
  await vi.advanceTimersByTimeAsync(MAX_WAIT_MS);
  void ask(1, "a3");
  await vi.advanceTimersByTimeAsync(0);
  expect(began).toEqual(["a1", "b1", "a3"]);
});
