import { expect, it } from "vitest";
import { ruleTrial } from "./rule-trial.ts";

const stored = (characters: number) => ({
  $exception_fingerprint_record: [{ type: "exception" }],
  $exception_list: [{ type: "Error", value: "x" }],
  text: "x".repeat(characters),
});
const looking = { key: "text", type: "event", operator: "icontains", value: "absent" };

it("passes an event over that takes too many steps, and ends when all together did", () => {
  const values = Array.from({ length: 100 }, (_, at) => ({ ...looking, label: `${at}` }));
  const trial = ruleTrial("severity", { type: "OR", values }, "UTC", 0);
  const outcomes = Array.from({ length: 12 }, () => trial(stored(1_000_000)));
  expect(outcomes.slice(0, 9)).toEqual(Array(9).fill("passed"));
  expect(outcomes.slice(10)).toEqual([undefined, undefined]);
});

it("asks no rule about what could not be read, and none of severity about an event that brings its own", () => {
  const all = { type: "AND", values: [] };
  expect(ruleTrial("grouping", all, "UTC", 0)({ $cymbal_errors: ["no list"] })).toBe("unasked");
  expect(ruleTrial("severity", all, "UTC", 0)({ ...stored(1), $issue_severity: "low" })).toBe("unasked");
  expect(ruleTrial("severity", all, "UTC", 0)({ ...stored(1), $issue_severity: "nonsense" })).toBe("matched");
});
