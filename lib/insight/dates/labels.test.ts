import { describe, expect, it } from "vitest";
import { dayText, isoText, labelText } from "./labels.ts";

const at = (text: string): bigint => BigInt(Date.parse(text)) * 1000n;
const range = { from: at("2026-01-01T00:00:00Z"), to: at("2026-02-01T00:00:00Z") };

describe("labels", () => {
  it.each([
    ["second", "5-Jan 14:07:09"],
    ["minute", "5-Jan 14:07"],
    ["hour", "5-Jan 14:07"],
    ["day", "5-Jan-2026"],
    ["month", "Jan 2026"],
    ["quarter", "5-Jan-2026"],
    ["year", "5-Jan-2026"],
  ] as const)("of a %s", (interval, text) => {
    expect(labelText(at("2026-01-05T14:07:09Z"), interval, "UTC", range)).toBe(text);
  });

  it.each([
    ["2026-01-04", "4–10 Jan"],
    ["2025-12-28", "1–3 Jan"],
    ["2026-01-28", "28–31 Jan"],
    ["2026-01-31", "31–31 Jan"],
  ])("of the week from %s keep to the range", (day, text) => {
    expect(labelText(at(`${day}T00:00:00Z`), "week", "UTC", range)).toBe(text);
  });

  it("of a week name both months", () => {
    const year = { from: at("2025-01-01T00:00:00Z"), to: at("2027-01-01T00:00:00Z") };
    expect(labelText(at("2025-12-28T00:00:00Z"), "week", "UTC", year)).toBe("28-Dec–3-Jan");
  });
});

describe("days", () => {
  it("have a time below a day, on the zone's wall clock", () => {
    expect(dayText(at("2026-07-01T03:00:00Z"), "day", "America/New_York")).toBe("2026-06-30");
    expect(dayText(at("2026-07-01T03:00:00Z"), "hour", "America/New_York")).toBe("2026-06-30 23:00:00");
    expect(dayText(at("2026-07-01T03:00:30Z"), "second", "Asia/Kolkata")).toBe("2026-07-01 08:30:30");
  });
});

describe("moments", () => {
  it.each([
    ["UTC", "2026-07-01T03:00:00Z"],
    ["America/New_York", "2026-06-30T23:00:00-04:00"],
    ["Asia/Kolkata", "2026-07-01T08:30:00+05:30"],
  ])("in %s", (zone, text) => {
    expect(isoText(at("2026-07-01T03:00:00Z"), zone)).toBe(text);
  });

  it("have a fraction when there is one, also before 1970", () => {
    expect(isoText(at("2026-01-02T00:00:00Z") - 1n, "UTC")).toBe("2026-01-01T23:59:59.999999Z");
    expect(isoText(-1n, "UTC")).toBe("1969-12-31T23:59:59.999999Z");
  });
});
