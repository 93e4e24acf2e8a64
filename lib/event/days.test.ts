import { expect, it } from "vitest";
import { partitionOf } from "./days.ts";
import { parseTime } from "./time-formats.ts";

it.each([
  ["0000-01-01T00:00:00Z", "old"],
  ["1969-12-31T23:59:59.999999Z", "old"],
  ["1970-01-01T00:00:00Z", "1970"],
  ["2014-12-31T23:59:59.999999Z", "2014"],
  ["2015-01-01T00:00:00Z", "2015-01"],
  ["2026-09-30T23:59:59.999999Z", "2026-09"],
  ["2026-12-01T00:00:00Z", "2026-12"],
  ["9999-12-31T23:59:59.999999Z", "9999-12"],
])("an event of %s is kept with those of %s", (time, partition) => {
  expect(partitionOf(parseTime(time) ?? 1n)).toBe(partition);
});
