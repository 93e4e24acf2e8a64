import { expect, it } from "vitest";
import { conditionWords } from "./condition.ts";

it.each([
  [{ key: "$browser", type: "event", operator: "exact", value: ["Chrome", "Edge"] }, "$browser is Chrome or Edge"],
  [{ key: "$browser", value: "Chrome" }, "$browser is Chrome"],
  [{ key: "plan", type: "person", operator: "is_not_set", value: null }, "person plan is not set"],
  [{ key: "version", type: "event", operator: "semver_gt", value: "1.2" }, "version semver_gt 1.2"],
  [{ key: "price", type: "event", operator: "gte", value: 5 }, "price is at least 5"],
])("says %j", (condition, words) => {
  expect(conditionWords(condition)).toBe(words);
});
