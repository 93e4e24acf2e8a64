import { describe, expect, it } from "vitest";
import { keptLog } from "../../test/support/kept-log.ts";
import { pinnedOf } from "../../test/support/lake-state.ts";
import { Unavailable } from "../core/unavailable.ts";
import type { Engine, EngineName, Limits } from "../engine/engine.ts";
import { GoneFile } from "../engine/gone-file.ts";
import { call, from, select } from "../hogql/build.ts";
import { QueryError } from "../hogql/errors.ts";
import { lower } from "../hogql/lower.ts";
import type { LoweredQuery } from "../hogql/lowered-query.ts";
import { AWAY_MS } from "./choice/reach.ts";
import { openEngines } from "./engines.ts";
import { Unreachable } from "./http/unreachable.ts";
import { Unprintable } from "./printer/unprintable.ts";

const MB = 1_000_000;
const LIMITS: Limits = { timeMs: 10_000, maxRows: 100, maxReplyBytes: 1_000_000 };
const pinned = pinnedOf(1, []);
const counting: LoweredQuery = lower(select([call("count")], { from: from("events") }), {
  project: 1,
  timezone: "UTC",
  now: 0,
  variables: {},
  page: null,
}).lowered;
const ofTable: LoweredQuery = { ...counting, scans: [{ kind: "table", name: "t", columns: ["c1"], key: "k", bytes: 9 }] };

const COST = { engineMs: 1, fetchedBytes: 0, neededBytes: 0 };

/** Both engines over a state of which a query needs so many bytes; `fault` is what ClickHouse throws, asked how often it was asked before. */
const engines = (neededMb: number, fault: (asked: number) => Error | undefined = () => undefined) => {
  const asked: EngineName[] = [];
  const given: (readonly [EngineName, number])[] = [];
  const scripted = (engine: EngineName, faultAt: typeof fault): Pick<Engine, "run" | "write"> => {
    const answer = ({ timeMs }: { readonly timeMs: number }): void => {
      const before = asked.filter((each) => each === engine).length;
      asked.push(engine);
      given.push([engine, timeMs]);
      const thrown = faultAt(before);
      if (thrown !== undefined) throw thrown;
    };
    return {
      async run(_query, _pinned, limits) {
        answer(limits);
        return { engine, rows: [[1]], cost: COST };
      },
      async write(_query, _pinned, limits) {
        answer(limits);
        return { engine, rows: 1, bytes: 1, cost: COST };
      },
    };
  };
  const closed: EngineName[] = [];
  const closing = (engine: EngineName) => async () => void closed.push(engine);
  const refused = async (): Promise<never> => expect.fail("no rows are written here");
  const rowFiles = {
    ...{ write: refused, duplicates: refused, sightings: refused, recount: refused, merge: refused },
    ...{ matching: refused, readMatching: refused, countMatching: refused, usageLeft: refused },
  };
  const log = keptLog();
  const time = { now: 1_000_000 };
  const counted: string[] = [];
  const engine = openEngines({
    embedded: { ...scripted("embedded", () => undefined), rowFiles, close: closing("embedded") },
    clickhouse: { ...scripted("clickhouse", fault), close: closing("clickhouse") },
    neededBytes: async () => neededMb * MB,
    config: { clickhouseAboveMb: 1_500 },
    clock: { now: () => time.now },
    log,
    counts: { add: async (name) => void counted.push(name) },
  });
  const run = async (wanted?: Limits["engine"], query = counting): Promise<EngineName> =>
    (await engine.run(query, pinned, { ...LIMITS, ...(wanted && { engine: wanted }) })).engine;
  return { engine, run, asked, given, closed, rowFiles, log, time, counted };
};

describe("a query goes", () => {
  it.each<readonly [number, Limits["engine"], EngineName]>([
    [1_500, undefined, "embedded"],
    [1_501, undefined, "clickhouse"],
    [1_501, "auto", "clickhouse"],
    [9_000, "embedded", "embedded"],
    [1, "clickhouse", "clickhouse"],
  ])("with %i MB, asked of %s, to %s", async (megabytes, wanted, found) => {
    const { engine, run, asked, log } = engines(megabytes);
    expect(await run(wanted)).toBe(found);
    const written = await engine.write(counting, pinned, { timeMs: 5_000, ...(wanted && { engine: wanted }) }, "key");
    expect([written.engine, asked]).toEqual([found, [found, found]]);
    const told = { level: "info", event: "clickhouse.query", fields: { project: 1, needed_bytes: 0, fetched_bytes: 0, engine_ms: 1 } };
    expect(log.lines).toEqual(found === "clickhouse" ? [told, told] : []);
  });

  it("to the embedded engine when it reads nothing but the table of a version, whoever is asked for", async () => {
    const { run } = engines(9_000);
    expect([await run("clickhouse", ofTable), await run("auto", ofTable)]).toEqual(["embedded", "embedded"]);
  });

  it("with its own fault back to whoever asked", async () => {
    for (const thrown of [new QueryError("query_timeout", "Too long."), new GoneFile("gone")]) {
      const { run, asked } = engines(9_000, () => thrown);
      await expect(run()).rejects.toBe(thrown);
      expect(asked).toEqual(["clickhouse"]);
    }
  });
});

describe("while ClickHouse is away", () => {
  const away = () => new Unreachable("refused the connection");

  it("what is small enough is answered by the embedded engine, in the time that is left, and what is too large may come again", async () => {
    const awayAfter = (ms: number) => {
      const small = engines(10, () => {
        small.time.now += ms;
        return away();
      });
      return small;
    };
    const small = awayAfter(2_000);
    expect(await small.run("clickhouse")).toBe("embedded");
    expect(small.given).toEqual([
      ["clickhouse", LIMITS.timeMs],
      ["embedded", LIMITS.timeMs - 2_000],
    ]);
    const late = awayAfter(LIMITS.timeMs);
    await expect(late.run("clickhouse")).rejects.toThrow(Unavailable);
    expect(late.asked).toEqual(["clickhouse"]);
    const large = engines(9_000, away);
    await expect(large.run()).rejects.toThrow(Unavailable);
    expect(large.asked).toEqual(["clickhouse"]);
  });

  it("one query finds out for all, and for ten seconds no other asks; it is told once each time", async () => {
    const { run, asked, time, log, counted } = engines(9_000, (before) => (before < 2 ? away() : undefined));
    for (let each = 0; each < 3; each += 1) await expect(run()).rejects.toThrow(Unavailable);
    expect(asked).toEqual(["clickhouse"]);
    time.now += AWAY_MS;
    const together = await Promise.allSettled([run(), run(), run()]);
    expect(together.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(asked).toEqual(["clickhouse", "clickhouse"]);
    time.now += AWAY_MS;
    expect([await run(), await run()]).toEqual(["clickhouse", "clickhouse"]);
    expect(counted).toEqual(["ClickHouseUnreachable", "ClickHouseUnreachable"]);
    expect(log.lines.slice(0, 2)).toEqual([
      { level: "warn", event: "clickhouse.unreachable", fields: { reason: "refused the connection" } },
      { level: "warn", event: "clickhouse.unreachable", fields: { reason: "refused the connection" } },
    ]);
  });

  it("it is asked again when the clock was set back", async () => {
    const { run, asked, time } = engines(9_000, (before) => (before === 0 ? away() : undefined));
    await expect(run()).rejects.toThrow(Unavailable);
    time.now -= 3_600_000;
    expect(await run()).toBe("clickhouse");
    expect(asked).toEqual(["clickhouse", "clickhouse"]);
  });

  it("a query that it could not be asked does not say that it is back, and one that it refuses does", async () => {
    const faults = [away(), new Unprintable("no form"), new QueryError("query_memory_limit", "Too much."), undefined];
    const { run, asked, time } = engines(9_000, (before) => faults[before]);
    await expect(run()).rejects.toThrow(Unavailable);
    time.now += AWAY_MS;
    await expect(run()).rejects.toThrow("has no form of it (no form)");
    await expect(run()).rejects.toThrow("Too much.");
    expect(await run()).toBe("clickhouse");
    expect(asked).toHaveLength(4);
  });
});

it("what ClickHouse has no form of is answered by the embedded engine, or refused with what to do where it is too large", async () => {
  const unprintable = () => new Unprintable("SAMPLE of a part");
  expect(await engines(10, unprintable).run("clickhouse")).toBe("embedded");
  const { run, counted } = engines(9_000, unprintable);
  await expect(run()).rejects.toMatchObject({
    code: "query_too_large",
    message: expect.stringMatching(/1500 MB.*SAMPLE of a part.*Shorten/),
  });
  expect(counted).toEqual([]);
});

it("rows are written by the embedded engine, and both are closed", async () => {
  const { engine, rowFiles, closed } = engines(0);
  expect(engine.rowFiles).toBe(rowFiles);
  await engine.close();
  expect(closed.toSorted()).toEqual(["clickhouse", "embedded"]);
});
