import { describe, expect, it } from "vitest";
import { buckets, type Clock, movedPeriod, previousPeriod, resolveRange } from "./dates.ts";
import type { Interval } from "./query.ts";

const at = (text: string): bigint => BigInt(Date.parse(text)) * 1000n;
const iso = (micros: bigint | null): string | null =>
  micros === null ? null : new Date(Number(micros / 1000n)).toISOString().replace(".000Z", "Z");

/** Thursday. */
const NOW = Date.parse("2026-01-15T12:34:56Z");
const UTC: Clock = { now: NOW, timezone: "UTC", weekStart: 0 };
const BERLIN: Clock = { ...UTC, timezone: "Europe/Berlin" };

const range = (date_from: string | null, date_to: string | null, interval: Interval = "day", clock = UTC) => {
  const span = resolveRange({ date_from, date_to, explicitDate: null }, interval, clock);
  return [iso(span.from), iso(span.to)];
};

describe("a date range", () => {
  it.each([
    [null, null, "2026-01-08T00:00:00Z", "2026-01-16T00:00:00Z"],
    ["-7d", null, "2026-01-08T00:00:00Z", "2026-01-16T00:00:00Z"],
    ["-24h", null, "2026-01-14T00:00:00Z", "2026-01-16T00:00:00Z"],
    ["-2w", "-1w", "2026-01-01T00:00:00Z", "2026-01-09T00:00:00Z"],
    ["-1m", null, "2025-12-15T00:00:00Z", "2026-01-16T00:00:00Z"],
    ["-1q", null, "2025-10-15T00:00:00Z", "2026-01-16T00:00:00Z"],
    ["-1y", "-1d", "2025-01-15T00:00:00Z", "2026-01-15T00:00:00Z"],
    ["dStart", "dEnd", "2026-01-15T00:00:00Z", "2026-01-16T00:00:00Z"],
    ["-1dStart", "-1dEnd", "2026-01-14T00:00:00Z", "2026-01-15T00:00:00Z"],
    ["wStart", null, "2026-01-11T00:00:00Z", "2026-01-16T00:00:00Z"],
    ["mStart", "mEnd", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"],
    ["-1mStart", "-1mEnd", "2025-12-01T00:00:00Z", "2026-01-01T00:00:00Z"],
    ["qStart", null, "2026-01-01T00:00:00Z", "2026-01-16T00:00:00Z"],
    ["yStart", "yEnd", "2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z"],
    ["all", "2026-01-10", null, "2026-01-11T00:00:00Z"],
    ["2026-01-02", "2026-01-08", "2026-01-02T00:00:00Z", "2026-01-09T00:00:00Z"],
    ["2026-01-02T10:30:00Z", "2026-01-08T10:30:00Z", "2026-01-02T00:00:00Z", "2026-01-09T00:00:00Z"],
  ])("from %s to %s by day covers whole days", (from, to, first, end) => expect(range(from, to)).toEqual([first, end]));

  it.each([
    ["-24h", null, "2026-01-14T12:00:00Z", "2026-01-15T13:00:00Z"],
    ["-1d", "-1d", "2026-01-14T00:00:00Z", "2026-01-15T00:00:00Z"],
    ["2026-01-02", "2026-01-02", "2026-01-02T00:00:00Z", "2026-01-03T00:00:00Z"],
    ["2026-01-02T10:30:00Z", "2026-01-02 12:10", "2026-01-02T10:00:00Z", "2026-01-02T13:00:00Z"],
  ])("from %s to %s by hour covers whole hours, or days where it names days", (from, to, first, end) =>
    expect(range(from, to, "hour")).toEqual([first, end]),
  );

  it("by minute covers whole minutes", () =>
    expect(range("-30M", null, "minute")).toEqual(["2026-01-15T12:04:00Z", "2026-01-15T12:35:00Z"]));

  it("stands as written when it is explicit", () =>
    expect(resolveRange({ date_from: "2026-01-02T10:30:00Z", date_to: "2026-01-08", explicitDate: true }, "day", UTC)).toEqual({
      from: at("2026-01-02T10:30:00Z"),
      to: at("2026-01-08T00:00:00Z") + 1n,
    }));

  it("is read in the project's zone, over both changes of the clock", () => {
    expect(range("2026-03-29", "2026-03-29", "day", BERLIN)).toEqual(["2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"]);
    expect(range("2026-10-25", "2026-10-25", "day", BERLIN)).toEqual(["2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"]);
  });

  it("of weeks starts on the project's first day of the week", () =>
    expect(range("wStart", null, "day", { ...UTC, weekStart: 1 })[0]).toBe("2026-01-12T00:00:00Z"));

  it.each(["yesterday", "7x", "-d", "2026-02-30", "-7D"])("refuses %s and names it", (text) =>
    expect(() => range(text, null)).toThrow(`\`${text}\``),
  );
  it("refuses years that are none, and names the date", () => expect(() => range("-99999y", null)).toThrow("`-99999y` is out of range"));
  it("refuses to end before it starts", () => expect(() => range("2026-01-02", "2026-01-01")).toThrow("empty"));
});

describe("buckets", () => {
  const starts = (from: string, to: string, interval: Interval, clock = UTC) => buckets(at(from), at(to), interval, clock).map(iso);

  it("are eight for seven days back", () => {
    const { from, to } = resolveRange({ date_from: "-7d", date_to: null, explicitDate: null }, "day", UTC);
    expect(buckets(from ?? 0n, to, "day", UTC)).toHaveLength(8);
  });
  it("of weeks and months begin before the range", () => {
    expect(starts("2026-01-07T00:00:00Z", "2026-01-16T00:00:00Z", "week")).toEqual(["2026-01-04T00:00:00Z", "2026-01-11T00:00:00Z"]);
    expect(starts("2025-12-07T00:00:00Z", "2026-01-16T00:00:00Z", "month")).toEqual(["2025-12-01T00:00:00Z", "2026-01-01T00:00:00Z"]);
  });
  it("count the hours that a day has", () => {
    expect(starts("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", "hour", BERLIN)).toHaveLength(23);
    expect(starts("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", "hour", BERLIN)).toHaveLength(25);
  });
  it("are limited", () => expect(() => starts("2020-01-01T00:00:00Z", "2026-01-01T00:00:00Z", "minute")).toThrow("longer interval"));
});

describe("the period compared with", () => {
  const period = { from: at("2026-03-29T00:00:00+01:00"), to: at("2026-04-01T00:00:00+02:00") };
  it("is as many days long, and ends where the current one begins", () =>
    expect(previousPeriod(period, BERLIN)).toEqual({ from: at("2026-03-26T00:00:00+01:00"), to: period.from }));
  it("is moved by the calendar", () =>
    expect(movedPeriod(period, "-1m", BERLIN)).toEqual({ from: at("2026-02-28T00:00:00+01:00"), to: at("2026-03-01T00:00:00+01:00") }));
  it("ends with the last hour of a day whose clock shows it twice", () => {
    const days = { from: at("2026-11-03T00:00:00+02:00"), to: at("2026-11-06T00:00:00+02:00") };
    expect(movedPeriod(days, "-7d", { ...UTC, timezone: "Africa/Cairo" })).toEqual({
      from: at("2026-10-27T00:00:00+03:00"),
      to: at("2026-10-30T00:00:00+02:00"),
    });
    const hours = { from: at("2026-11-01T01:00:00+01:00"), to: at("2026-11-01T03:00:00+01:00") };
    expect(movedPeriod(hours, "-1w", BERLIN)).toEqual({ from: at("2026-10-25T01:00:00+02:00"), to: at("2026-10-25T03:00:00+01:00") });
  });
  it("is refused when it is no relative date", () => expect(() => movedPeriod(period, "mStart", BERLIN)).toThrow("`mStart`"));
});
