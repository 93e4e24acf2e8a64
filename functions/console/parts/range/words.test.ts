import { expect, it } from "vitest";
import { rangeWords } from "./words.ts";

it.each([
  [null, null, undefined],
  ["-30d", null, "Last 30 days"],
  ["-30d", "", "Last 30 days"],
  ["-30d", "-1d", "30 days ago to 1 day ago"],
  ["2026-10-01", "2026-10-31", "2026-10-01 to 2026-10-31"],
  ["-24h", null, "Last 24 hours"],
  ["2026-10-01T00:00:00", null, "Since 2026-10-01"],
  ["-1yStart", null, "Since -1yStart"],
  [null, "2026-10-31", "Until 2026-10-31"],
])("says %s and %s as %s", (date_from, date_to, words) => {
  expect(rangeWords({ date_from, date_to })).toBe(words);
});
