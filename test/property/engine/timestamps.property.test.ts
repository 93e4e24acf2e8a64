import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoDate, isoTimestamp } from "../../../lib/engine/query/timestamps.ts";

const YEAR_0 = -62_167_219_200_000_000n;
const YEAR_10000 = 253_402_300_800_000_000n;
const ZONES = ["UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Pacific/Chatham", "America/St_Johns", "Africa/Monrovia"];

describe("isoTimestamp", () => {
  it("names the moment it was given, in every zone", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -3_000_000_000_000_000n, max: YEAR_10000 - 86_400_000_000n }),
        fc.constantFrom(...ZONES),
        (micros, zone) => {
          const text = isoTimestamp(micros, zone);
          const seconds = /([+-]\d\d:\d\d):(\d\d)$/.exec(text);
          const offsetSeconds = seconds ? Number(seconds[2]) * (text.at(-9) === "-" ? -1 : 1) : 0;
          const parsed = Date.parse(seconds ? text.slice(0, -3) : text) - offsetSeconds * 1_000;
          expect(parsed).toBe(Number((micros - (((micros % 1_000n) + 1_000n) % 1_000n)) / 1_000n));
          const fraction = /\.(\d{6})/.exec(text)?.[1] ?? "000000";
          expect(BigInt(fraction)).toBe(((micros % 1_000_000n) + 1_000_000n) % 1_000_000n);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("reads the wall clock of the zone around its changes", () => {
    const change = BigInt(Date.UTC(2025, 10, 2, 6)) * 1_000n;
    expect(isoTimestamp(change - 1n, "America/New_York")).toBe("2025-11-02T01:59:59.999999-04:00");
    expect(isoTimestamp(change, "America/New_York")).toBe("2025-11-02T01:00:00-05:00");
  });

  it("reads the mean time of a place for years before there were zones, the first hundred too", () => {
    for (const year of ["0015", "0999", "1850"])
      expect(isoTimestamp(BigInt(Date.parse(`${year}-03-02T00:00:00Z`)) * 1_000n, "Europe/Berlin")).toBe(`${year}-03-02T00:53:28+00:53:28`);
  });

  it("keeps four digits for the years from 0 to 9999", () => {
    expect(isoTimestamp(YEAR_0, "UTC")).toBe("0000-01-01T00:00:00Z");
    expect(isoTimestamp(YEAR_10000 - 1n, "UTC")).toBe("9999-12-31T23:59:59.999999Z");
    expect([isoDate(-719_528), isoDate(0), isoDate(2_932_896)]).toEqual(["0000-01-01", "1970-01-01", "9999-12-31"]);
  });

  it("goes on where JavaScript's own dates end", () => {
    expect(isoTimestamp(2n ** 63n - 1n, "UTC")).toBe("294247-01-10T04:00:54.775807Z");
    expect(isoTimestamp(-(2n ** 63n), "UTC")).toBe("-290308-12-21T19:59:05.224192Z");
    expect([isoDate(100_000_000), isoDate(100_000_001), isoDate(109_220_454)]).toEqual(["275760-09-13", "275760-09-14", "301005-06-13"]);
  });
});
