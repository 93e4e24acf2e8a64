import { expect, it } from "vitest";
import { filterBy, filtersIn, filterWords } from "./filters.ts";

it("reads the filters of an address, and says them in words", () => {
  const filters = filtersIn(new URLSearchParams("event=signup&property=plan&value=team&open=x&person_id="));
  expect(filters).toEqual({ event: "signup", property: "plan", value: "team" });
  expect(filterWords(filters).map(({ words }) => words)).toEqual(["event is signup", "plan is team"]);
  expect(filterWords({ property: "plan" }).map(({ words }) => words)).toEqual(["plan is set"]);
});

it.each([
  [["event"], "signup", { event: "signup" }],
  [["distinct_id"], "ana", { distinct_id: "ana" }],
  [["person_id"], "p", { person_id: "p" }],
  [["properties", "seats"], 3, { property: "seats", value: "3" }],
  [["properties", "paid"], false, { property: "paid", value: "false" }],
  [["timestamp"], "2026-11-23", undefined],
  [["properties", "list", 0], "a", undefined],
  [["properties", "nothing"], null, undefined],
  [["properties", "long"], "x".repeat(500), undefined],
])("filters by what lies at %j", (path, value, expected) => {
  expect(filterBy(path, value)).toEqual(expected);
});
