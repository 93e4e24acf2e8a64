import fc from "fast-check";
import { beforeAll, describe, expect, it, test } from "vitest";
import { lower } from "../../../lib/hogql/lower.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import { keepsQuarters } from "../../../lib/hogql/time-zone.ts";
import type { FileFacts } from "../../../lib/lake/catalogue.ts";
import { eventFileKey, segmentKey } from "../../../lib/lake/paths.ts";
import { anEngine } from "../../support/engine.ts";
import { pinnedOf, storedSegment } from "../../support/lake-state.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { anEventRow } from "../../support/samples/event-rows.ts";

const PROJECT = 1;
const LIMITS = { timeMs: 20_000, maxRows: 10_001, maxReplyBytes: 50_000_000 };
const MOST = 10_000;
const QUARTER_S = 900;
const DAY_MS = 86_400_000;
/** A change is looked for within so many days, as no clock goes back and forth within less. */
const PROBE_MS = 20 * DAY_MS;

const offsetIn = (zone: string): ((ms: number) => number) => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  return (ms) => {
    const [, sign, hours, minutes, seconds = "0"] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(format.format(ms)) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 3_600 + Number(minutes ?? 0) * 60 + Number(seconds));
  };
};

/** The seconds at which a zone's clock is changed, and what it is apart from UTC afterwards. */
function* changesOf(zone: string, from: number, to: number): Generator<{ readonly at: number; readonly offset: number }> {
  const offset = offsetIn(zone);
  let before = offset(from);
  for (let start = from; start < to; start += PROBE_MS) {
    const after = offset(start + PROBE_MS);
    if (after === before) continue;
    let [low, high] = [start / 1_000, (start + PROBE_MS) / 1_000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offset(middle * 1_000) === before) low = middle;
      else high = middle;
    }
    yield { at: high, offset: offset(high * 1_000) };
    before = after;
  }
}

test("the zones whose clocks were changed within a quarter of an hour are those that are named", () => {
  const from = Date.UTC(1973, 0, 1);
  const to = Date.now() + 1_000 * DAY_MS;
  const wrong = Intl.supportedValuesOf("timeZone").filter((zone) => {
    const isRegular = offsetIn(zone)(from) % QUARTER_S === 0 && [...changesOf(zone, from, to)].every(isWhole);
    return isRegular !== keepsQuarters({ name: zone });
  });
  expect(wrong).toEqual([]);
}, 120_000);

const isWhole = ({ at, offset }: { readonly at: number; readonly offset: number }): boolean =>
  at % QUARTER_S === 0 && offset % QUARTER_S === 0;

const ZONES = [
  "UTC",
  "America/New_York",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Australia/Lord_Howe",
  "Africa/Monrovia",
  "Europe/Amsterdam",
  "America/St_Johns",
  "Asia/Gaza",
];

const ROUNDED = [
  "toStartOfDay(timestamp)",
  "toDate(timestamp)",
  "toStartOfHour(timestamp)",
  "toStartOfFifteenMinutes(timestamp)",
  "timeSlot(timestamp)",
  "toStartOfWeek(timestamp)",
  "toStartOfWeek(timestamp, 1)",
  "toStartOfMonth(timestamp)",
  "toStartOfQuarter(timestamp)",
  "toStartOfYear(timestamp)",
  "dateTrunc('hour', timestamp)",
  "toStartOfInterval(timestamp, INTERVAL 6 HOUR)",
  "toStartOfInterval(timestamp, INTERVAL 5 HOUR)",
  "toStartOfInterval(timestamp, INTERVAL 45 MINUTE)",
  "toStartOfInterval(timestamp, INTERVAL 3 WEEK)",
  "toStartOfDay(timestamp, 'Asia/Tehran')",
];

/** Seconds about which rounding may go wrong: changes of clocks, and the ends of time. */
const edges = (): readonly number[] => {
  const ofZones = ZONES.flatMap((zone) =>
    [1937, 1972, 1987, 2006, 2016, 2025].flatMap((year) =>
      [...changesOf(zone, Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1))].map(({ at }) => at),
    ),
  );
  return [...ofZones, 0, Date.UTC(1973, 0, 1) / 1_000, Date.UTC(1, 0, 1) / 1_000, Date.UTC(9998, 11, 31) / 1_000];
};

describe("what an event's time is rounded to", () => {
  const objects = memoryObjects();
  const engine = anEngine(objects);
  const files: Record<string, FileFacts> = {};

  beforeAll(async () => {
    const seconds = fc.oneof(
      { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...edges()), fc.integer({ min: -8_000, max: 8_000 })).map(([at, by]) => at + by) },
      fc.integer({ min: -2_000_000_000, max: 4_000_000_000 }),
    );
    const times = fc.sample(fc.tuple(seconds, fc.integer({ min: 0, max: 999_999 })), 1_000);
    const rows = times.map(([second, micros], at) =>
      anEventRow({
        uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(at).padStart(12, "0")}`,
        distinct_id: `d${at % 7}`,
        timestamp: BigInt(second) * 1_000_000n + BigInt(micros),
      }),
    );
    const stored = (name: string, some: typeof rows) => storedSegment(engine(), objects, segmentKey(PROJECT, "2025-06", name), some);
    const merged = async (name: string, file: FileFacts): Promise<FileFacts> => {
      const key = (): string => eventFileKey(PROJECT, "2025-06", name);
      const [found] = await engine().rowFiles.merge(PROJECT, [{ file, skip: [] }], "one", key, []);
      if (found === undefined) throw new Error("nothing was merged");
      return found;
    };
    files.times = await stored("times", rows);
    files.quarters = await merged("quarters", files.times);
    files.half = await stored("half", rows.slice(0, 400));
    files.rest = await merged("rest", await stored("others", rows.slice(400)));
  });

  const ask = async (text: string, timezone: string, names: readonly string[]) => {
    const { lowered } = lower(await parse(text), { project: PROJECT, timezone, now: 0, variables: {}, page: { limit: MOST, offset: 0 } });
    const state = pinnedOf(
      PROJECT,
      names.flatMap((name) => files[name] ?? []),
    );
    const { rows } = await engine().run(lowered, state, LIMITS);
    return { rows, columns: lowered.scans.flatMap(({ columns }) => columns) };
  };

  it("says of a merged file, and of no other, that it has them", () => {
    expect([files.times?.quarterHours, files.quarters?.quarterHours]).toEqual([undefined, true]);
  });

  it.each(ZONES)(
    "is the same of its quarter of an hour, of files of both kinds: %s",
    async (zone) => {
      for (const rounded of ROUNDED) {
        const text = (more: string): string => `SELECT toString(uuid) AS id, ${rounded} AS at${more} FROM events ORDER BY id`;
        const exact = await ask(text(", timestamp"), zone, ["times"]);
        expect(exact.columns).not.toContain("quarter_hour");
        const expected = exact.rows.map(([id, at]) => [id, at]);
        for (const names of [["times"], ["quarters"], ["half", "rest"]]) {
          const found = await ask(text(""), zone, names);
          if (zone === "UTC") expect(found.columns).toEqual(["uuid", "quarter_hour"]);
          expect(found.rows, `${rounded} in ${zone}`).toEqual(expected);
        }
      }
    },
    120_000,
  );

  it("is counted within bounds that cut a file", async () => {
    for (const [from, to] of [
      ["1972-12-31 23:50:00", "2006-06-01 00:07:30"],
      ["1987-10-25 04:31:00", "2026-01-01 00:00:01"],
    ]) {
      const text = (column: string): string =>
        `SELECT toStartOfDay(timestamp) AS day, count()${column} FROM events WHERE timestamp >= '${from}' AND timestamp < '${to}' GROUP BY day ORDER BY day`;
      const exact = await ask(text(", max(timestamp)"), "UTC", ["times"]);
      expect(exact.rows.length).toBeGreaterThan(10);
      expect((await ask(text(""), "UTC", ["quarters"])).rows).toEqual(exact.rows.map(([day, count]) => [day, count]));
    }
  });

  it("is read from the time where that is read anyway", async () => {
    const text = "SELECT toStartOfDay(timestamp) AS day, count() FROM events GROUP BY timestamp ORDER BY timestamp LIMIT 5";
    expect((await ask(text, "UTC", ["quarters"])).columns).toEqual(["timestamp"]);
  });
});
