import { afterEach, describe, expect, it, vi } from "vitest";
import { againMs } from "../../lib/endpoints/materialisation/runs.ts";
import type { Engine } from "../../lib/engine/engine.ts";
import { QueryError } from "../../lib/hogql/errors.ts";
import { anEngine } from "../../test/support/engine.ts";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { sqlQuery } from "../../test/support/samples/saved-query.ts";
import { endpointWorld } from "../../test/support/worlds/endpoint-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);
const MINUTE_MS = 60_000;
const query = sqlQuery("SELECT count() AS n FROM events", {});

/** An endpoint with a table whose runs do what a test says; what they may take is noted. */
const aWorld = async (write: Engine["write"]) => {
  const times: number[] = [];
  const working: Engine = {
    ...engine(),
    write(...given) {
      times.push(given[2].timeMs);
      return write(...given);
    },
  };
  const world = await endpointWorld(objects, working);
  await world.send([{ event: "seen", distinct_id: "p", at: world.time.now - MINUTE_MS }]);
  expect((await world.call("POST", "", { name: "counted", query, is_materialized: true })).status).toBe(201);
  const status = async () => Object((await world.call("GET", "counted/materialization_status/")).json);
  return { ...world, times, status };
};

afterEach(() => void vi.useRealTimers());

describe("a table", () => {
  it("whose endpoint goes while it is made has its run ended, and leaves nothing", async () => {
    const begun = Promise.withResolvers<AbortSignal | undefined>();
    const { work, call } = await aWorld((_query, _pinned, { signal }) => {
      begun.resolve(signal);
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    });
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const working = work();
    const signal = await begun.promise;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(signal?.aborted).toBe(false);
    expect((await call("DELETE", "counted/")).status).toBe(204);
    await vi.advanceTimersByTimeAsync(5_000);
    await working;
    expect(signal?.aborted).toBe(true);
    expect([...objects.contents.keys()].filter((key) => key.startsWith("tables/"))).toEqual([]);
  });

  it("that fails is tried ever more rarely, with the time of a first run, and again in time once it was made", async () => {
    let isFailing = true;
    const { work, time, times, status } = await aWorld((...given) => {
      if (isFailing) throw new QueryError("query_timeout", "It took too long.");
      return engine().write(...given);
    });
    const tried = async (afterMs: number): Promise<number> => {
      const before = times.length;
      time.now += afterMs;
      await work();
      return times.length - before;
    };
    expect(await tried(0)).toBe(1);
    expect(await status()).toMatchObject({ status: "Failed", error: "It took too long." });
    expect([await tried(15 * MINUTE_MS - 1), await tried(1)]).toEqual([0, 1]);
    expect([await tried(60 * MINUTE_MS - 1), await tried(1)]).toEqual([0, 1]);
    isFailing = false;
    expect([await tried(240 * MINUTE_MS - 1), await tried(1)]).toEqual([0, 1]);
    expect(await status()).toMatchObject({ status: "Completed" });
    // What succeeded before may take longer.
    expect(await tried(24 * 60 * MINUTE_MS)).toBe(1);
    expect(times).toEqual([MINUTE_MS, MINUTE_MS, MINUTE_MS, MINUTE_MS, 4 * MINUTE_MS]);
  });

  it("that fails is tried once a day at least, and the first time after its own interval where that is short", () => {
    const day = 24 * 60 * MINUTE_MS;
    expect([1, 2, 3, 4, 5, 50].map((failures) => againMs(86_400, failures) / MINUTE_MS)).toEqual([15, 60, 240, 960, 1_440, 1_440]);
    expect(againMs(60, 1)).toBe(MINUTE_MS);
    expect(againMs(60, 99)).toBe(day);
  });
});
