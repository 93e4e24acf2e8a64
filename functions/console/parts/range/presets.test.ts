import { expect, it } from "vitest";
import { datesOf, isCustom } from "./presets.ts";

const LATE = Date.parse("2026-11-23T23:30:00Z");

it.each([
  ["so many days before now", "-30d", "2026-10-24"],
  ["the month so far", "-0mStart", "2026-11-01"],
  ["a date, which stays", "2026-02-03", "2026-02-03"],
  ["what is neither, as the last week", "-1q", "2026-11-16"],
])("gives the dates of %s", (_, date_from, first) => {
  expect(datesOf({ date_from, date_to: "" }, "UTC", LATE)).toEqual({ date_from: first, date_to: "2026-11-23" });
});

it("reads the day of the zone", () => {
  expect(datesOf({ date_from: "-7d", date_to: "" }, "Europe/Berlin", LATE)).toEqual({ date_from: "2026-11-17", date_to: "2026-11-24" });
});

it.each([
  ["back", "2026-11-06T04:30:00Z", "2026-10-29", "2026-11-05"],
  ["forward", "2026-03-10T04:30:00Z", "2026-03-03", "2026-03-10"],
])("counts days of the calendar where a clock was set %s meanwhile", (_, now, date_from, date_to) => {
  expect(datesOf({ date_from: "-7d", date_to: "" }, "America/New_York", Date.parse(now))).toEqual({ date_from, date_to });
});

it("knows a preset", () => {
  expect([isCustom({ date_from: "-7d", date_to: "" }), isCustom({ date_from: "-7d", date_to: "2026-01-01" })]).toEqual([false, true]);
});
