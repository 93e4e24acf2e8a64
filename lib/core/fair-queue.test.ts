import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
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

describe("where the tasks of all lanes turn out to be long", () => {
  /** Tasks that end when their time is over or when they have to give way, and what became of them. */
  const setUpTimed = () => {
    const queue = openFairQueue(64, 2);
    const said: string[] = [];
    const ask = async (project: number, name: string, ms: number, isPatient = false): Promise<void> => {
      const task = (_: number, givesWay: AbortSignal): Promise<void> => {
        said.push(`${name} begins`);
        return new Promise((resolve, reject) => {
          const over = setTimeout(resolve, ms);
          givesWay.addEventListener("abort", () => {
            clearTimeout(over);
            reject(givesWay.reason);
          });
        });
      };
      const outcome = await queue.run(project, task, isPatient ? undefined : MAX_WAIT_MS).then(
        () => "ends",
        (thrown: Error) => thrown.name,
      );
      said.push(`${name} ${outcome}`);
    };
    return { said, ask };
  };

  it("the youngest gives way after a second to one that would be refused, and is begun anew once there is a lane for long ones", async () => {
    const { said, ask } = setUpTimed();
    void ask(1, "a", 20 * SECOND);
    await vi.advanceTimersByTimeAsync(100);
    void ask(2, "b", 20 * SECOND);
    await vi.advanceTimersByTimeAsync(100);
    void ask(3, "c", 100);
    await vi.advanceTimersByTimeAsync(899);
    expect(said).toEqual(["a begins", "b begins"]);
    await vi.advanceTimersByTimeAsync(101);
    expect(said.splice(0)).toEqual(["a begins", "b begins", "c begins", "c ends"]);
    // From here on nobody has to wait for them.
    for (let each = 0; each < 15; each += 1) {
      void ask(3 + each, "d", 100);
      await vi.advanceTimersByTimeAsync(SECOND);
      expect(said.splice(0)).toEqual(["d begins", "d ends"]);
    }
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    expect(said.splice(0)).toEqual(["b begins", "a ends"]);
    await vi.advanceTimersByTimeAsync(20 * SECOND);
    expect(said).toEqual(["b ends"]);
  });

  it("nothing gives way while nobody waits who is another one and would be refused", async () => {
    const { said, ask } = setUpTimed();
    for (const project of [1, 2]) void ask(project, `${project}`, 20 * SECOND);
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    void ask(1, "another of its own", 100);
    void ask(3, "patient", 100, true);
    await vi.advanceTimersByTimeAsync(2 * SECOND);
    expect(said.splice(0)).toEqual(["1 begins", "2 begins", "another of its own Busy"]);
    await vi.advanceTimersByTimeAsync(15 * SECOND);
    expect(said).toEqual(["patient begins", "1 ends", "2 ends", "patient ends"]);
  });

  it("a task that does not listen goes on to its end", async () => {
    const { ask, began, end } = setUp(2);
    for (const project of [1, 2]) void ask(project, `long ${project}`);
    await vi.advanceTimersByTimeAsync(5 * SECOND);
    const refused = expect(ask(3, "late", MAX_WAIT_MS)).rejects.toBeInstanceOf(Busy);
    await vi.advanceTimersByTimeAsync(MAX_WAIT_MS);
    await refused;
    void ask(3, "next");
    await end("long 2");
    expect(began).toEqual(["long 1", "long 2", "next"]);
  });
});
