import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keptLog } from "../../test/support/kept-log.ts";
import { COUNT_WAIT_MS, gatheredCounts, PUT_EVERY_MS } from "./counts.ts";

const setUp = () => {
  const time = { now: 1_000_000 };
  const metrics: { put: () => Promise<void>; readonly amounts: (number | undefined)[] } = { put: () => Promise.resolve(), amounts: [] };
  const log = keptLog();
  const counts = gatheredCounts(
    (amounts) => {
      metrics.amounts.push(amounts.get("RequestsTooLarge"));
      return metrics.put();
    },
    { now: () => time.now },
    log,
  );
  const add = async (times: number): Promise<void> => {
    for (let each = 0; each < times; each += 1) await counts.add("RequestsTooLarge");
  };
  return { time, metrics, log, add };
};

describe("counts", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("puts the first at once and those after it together, each once", async () => {
    const { time, metrics, add } = setUp();
    await add(5);
    expect(metrics.amounts).toEqual([1]);
    time.now += PUT_EVERY_MS - 1;
    await add(1);
    expect(metrics.amounts).toEqual([1]);
    time.now += 1;
    await add(1);
    expect(metrics.amounts).toEqual([1, 6]);
  });

  it("keeps what could not be put for the next time, and says so once until a put works", async () => {
    const { time, metrics, log, add } = setUp();
    const works = metrics.put;
    const fails = () => Promise.reject(new Error("no"));
    for (const put of [fails, fails, works, fails]) {
      metrics.put = put;
      await add(2);
      time.now += PUT_EVERY_MS;
    }
    expect(metrics.amounts).toEqual([1, 3, 5, 2]);
    expect(log.lines.map(({ level, event }) => [level, event])).toEqual([
      ["warn", "counts.unsent"],
      ["warn", "counts.unsent"],
    ]);
  });

  it("waits for no answer longer than its bound, and leaves no timer behind", async () => {
    const { metrics, log, add } = setUp();
    metrics.put = () => new Promise(() => undefined);
    let done = false;
    const added = add(1).then(() => {
      done = true;
    });
    await vi.advanceTimersByTimeAsync(COUNT_WAIT_MS - 1);
    expect(done).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await added;
    expect(log.lines).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });
});
