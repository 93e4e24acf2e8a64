import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type InstanceEvents, openInstancePool } from "./instance-pool.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A pool of two, and what its instances were told, in order. */
const aPool = () => {
  const told: string[] = [];
  const instances: InstanceEvents[] = [];
  const pool = openInstancePool(2, (events) => {
    const number = instances.push(events);
    return { run: () => void told.push(`run ${number}`), end: () => void told.push(`end ${number}`) };
  });
  return { pool, told, instance: (number: number) => instances[number - 1] };
};

it("a second instance is added once the first one runs, and no third", () => {
  const { pool, told, instance } = aPool();
  pool.start();
  pool.start();
  expect(told).toEqual(["run 1"]);
  instance(1)?.begun();
  pool.start();
  instance(2)?.begun();
  pool.start();
  expect(told).toEqual(["run 1", "run 2"]);
});

it("an instance that has finished runs again, and is removed when it was idle for a minute", () => {
  const { pool, told, instance } = aPool();
  pool.start();
  instance(1)?.begun();
  instance(1)?.finished();
  vi.advanceTimersByTime(59_999);
  pool.start();
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual(["run 1", "run 1"]);
  instance(1)?.finished();
  vi.advanceTimersByTime(60_000);
  pool.start();
  expect(told).toEqual(["run 1", "run 1", "end 1", "run 2"]);
});
