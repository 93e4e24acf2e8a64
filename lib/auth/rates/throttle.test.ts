import { describe, expect, it } from "vitest";
import { apiWorld } from "../../../test/support/worlds/api-world.ts";
import type { Rate } from "../../http/access.ts";
import { ApiError } from "../../http/errors.ts";
import { readConfig } from "../../ports/config.ts";
import { countRequest, LIMITS, startCount } from "./throttle.ts";

const setup = (scale?: string) => {
  const config = readConfig((field) => (field === "throttleScale" ? scale : undefined));
  const kept = apiWorld({ config });
  const attempt = async (rate: Rate = "query", who = "key#1"): Promise<number | "passed"> => {
    try {
      await countRequest(kept.world, who, rate);
      return "passed";
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      return Number(thrown.headers["retry-after"]);
    }
  };
  const pass = async (times: number, rate?: Rate) => {
    for (let done = 0; done < times; done += 1) expect(await attempt(rate)).toBe("passed");
  };
  return { ...kept, attempt, pass };
};

describe("a key's requests", () => {
  it("pass up to the minute's number, then wait until the oldest leave the window", async () => {
    const { attempt, pass, time } = setup();
    await pass(100);
    time.now += 30_000;
    await pass(140);
    expect(await attempt()).toBe(30);
    time.now += 30_000;
    await pass(100);
    expect(await attempt()).toBe(30);
  });
  it("are bounded by the day, too, where a rate says so", async () => {
    const { attempt, pass, time } = setup();
    const began = time.now;
    for (let hour = 0; hour < 4; hour += 1) {
      for (let ten = 0; ten < 5; ten += 1) {
        await pass(10, "spend");
        time.now += 60_000;
      }
      time.now += 55 * 60_000;
    }
    expect(await attempt("spend")).toBe((began + 24 * 3_600_000 - time.now) / 1_000);
    time.now = began + 24 * 3_600_000;
    expect(await attempt("spend")).toBe("passed");
  });
  it("are refused from memory, without a call, and refusals do not push the wait out", async () => {
    const { attempt, pass, time, calls } = setup();
    await pass(LIMITS.query.perMinute);
    expect(await attempt()).toBe(60);
    calls.length = 0;
    for (let second = 1; second < 60; second += 1) {
      time.now += 1_000;
      expect(await attempt()).toBe(60 - second);
    }
    expect(calls).toEqual([]);
    time.now += 1_000;
    await pass(LIMITS.query.perMinute);
  });
  it("are told the same wait however many are refused with them, and pass after it", async () => {
    const { attempt, pass, time } = setup();
    await pass(5, "spend");
    time.now += 10_000;
    const together = await Promise.all(Array.from({ length: 15 }, () => attempt("spend")));
    expect(together.toSorted()).toEqual([...Array.from({ length: 10 }, () => 50), ...Array.from({ length: 5 }, () => "passed")]);
    time.now += 50_000;
    await pass(5, "spend");
  });
  it("that are refused together for their minute do not fill the hour", async () => {
    const { attempt, pass, time } = setup();
    for (let minute = 0; minute < 5; minute += 1) {
      await pass(9, "spend");
      time.now += 60_000;
    }
    const together = await Promise.all(Array.from({ length: 30 }, () => attempt("spend")));
    expect(together.filter((each) => each !== "passed")).toEqual(Array.from({ length: 20 }, () => 60));
    time.now += 60_000;
    await pass(5, "spend");
    expect(await attempt("spend")).toBe(54 * 60);
  });
  it("cost one call each while they pass", async () => {
    const { pass, calls } = setup();
    await pass(50);
    expect(calls.map(({ name }) => name)).toEqual(Array.from({ length: 50 }, () => "update"));
  });
  it("are bounded by the hour too", async () => {
    const { attempt, pass, time } = setup();
    for (let minute = 0; minute < 6; minute += 1) {
      await pass(200);
      time.now += 60_000;
    }
    expect(await attempt()).toBe(54 * 60);
    time.now += 54 * 60_000;
    await pass(200);
    expect(await attempt()).not.toBe("passed");
  });
  it("count apart for each key and each rate", async () => {
    const { attempt, pass } = setup();
    await pass(LIMITS.query.perMinute, "query");
    expect(await attempt("query")).toBe(60);
    expect([await attempt("run"), await attempt("default"), await attempt("query", "key#2")]).toEqual(["passed", "passed", "passed"]);
  });
  it("pass at once when the clock is set back, by a moment or by an hour, and are bounded from then on", async () => {
    const { attempt, pass, time, world } = setup();
    time.now += 500;
    await pass(10);
    time.now -= 5;
    await pass(LIMITS.query.perMinute - 10);
    expect(await attempt()).toBe(60);
    time.now -= 3_600_000;
    await pass(LIMITS.query.perMinute);
    expect(await attempt()).toBe(60);
    time.now += 3_600_000;
    await pass(1);
    time.now -= 24 * 3_600_000;
    await pass(2);
    const item = await world.table.get({ pk: "throttle#key#1#query", sk: "throttle" });
    expect(Object.keys(item ?? {}).filter((name) => /^[sm]\d/.test(name))).toHaveLength(2);
  });
  it("are as many as the configuration multiplies them to", async () => {
    const { attempt, pass } = setup("0.05");
    await pass(12);
    expect(await attempt()).toBe(60);
  });
});

it("a request that is taken out again counts for nothing, and one that was refused is not taken out twice", async () => {
  const { world, attempt } = setup();
  for (let done = 0; done < LIMITS.run.perMinute; done += 1) await startCount(world, "key#1", "run").undo();
  for (let done = 0; done < LIMITS.run.perMinute; done += 1) expect(await attempt("run")).toBe("passed");
  const refused = startCount(world, "key#1", "run");
  await expect(refused.done).rejects.toThrow("throttled");
  await refused.undo();
  expect(await attempt("run")).toBe(60);
});

it("another process sees the same count", async () => {
  const one = setup();
  const other = { ...one.world, table: new Proxy(one.world.table, {}), clock: one.world.clock, config: one.world.config };
  for (let done = 0; done < LIMITS.query.perMinute / 2; done += 1) {
    await countRequest(one.world, "key#1", "query");
    await countRequest(other, "key#1", "query");
  }
  await expect(countRequest(other, "key#1", "query")).rejects.toThrow("Request was throttled. Expected available in 60 seconds.");
});

it("the item stays small: buckets that left their window go with the next count", async () => {
  const { pass, time, world } = setup();
  for (let second = 0; second < 200; second += 1) {
    await pass(1);
    time.now += 1_000;
  }
  const item = await world.table.get({ pk: "throttle#key#1#query", sk: "throttle" });
  expect(Object.keys(item ?? {}).length).toBeLessThan(75);
});
