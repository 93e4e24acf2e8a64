import { expect, it } from "vitest";
import { Busy } from "../core/concurrency.ts";
import type { Fields } from "../event/fields.ts";
import { tryStored } from "./rule-trial.ts";
import type { RuleKind } from "./rules.ts";

const stored = (characters: number) => ({
  $exception_fingerprint_record: [{ type: "exception" }],
  $exception_list: [{ type: "Error", value: "x" }],
  text: "x".repeat(characters),
});
const looking = { key: "text", type: "event", operator: "icontains", value: "absent" };

const tried = (kind: RuleKind, filters: Fields, ...exceptions: readonly Fields[]) =>
  tryStored({ project: 1, kind, filters, timezone: "UTC" }, exceptions, 0);

it.each(["icontains", "regex"])("passes an event over that takes too many steps, and ends when all together did: %s", async (operator) => {
  const values = Array.from({ length: 100 }, (_, at) => ({
    ...looking,
    operator,
    value: operator === "regex" ? `absent${at}.` : "absent",
  }));
  const outcomes = await tried("severity", { type: "OR", values }, ...Array.from({ length: 12 }, () => stored(1_000_000)));
  expect(outcomes.length).toBeGreaterThanOrEqual(2);
  expect(outcomes.length).toBeLessThan(12);
  expect(new Set(outcomes)).toEqual(new Set(["passed"]));
});

it("trials of a project at once share what one may take, and one that comes when that is used up is told to come again", async () => {
  const values = Array.from({ length: 100 }, (_, at) => ({ ...looking, operator: "regex", value: `absent${at}.` }));
  const dear = () =>
    tryStored(
      { project: 2, kind: "severity", filters: { type: "OR", values }, timezone: "UTC" },
      Array.from({ length: 12 }, () => stored(1_000_000)),
      0,
    );
  const first = dear();
  const second = await dear();
  await expect(dear()).rejects.toThrow(Busy);
  expect(second.length).toBe(1);
  expect((await first).length).toBe(2);
  expect((await dear()).length).toBeGreaterThanOrEqual(2);
});

it("asks no rule about what could not be read, and none of severity about an event that brings its own", async () => {
  const all = { type: "AND", values: [] };
  expect(await tried("grouping", all, { $cymbal_errors: ["no list"] }, stored(1))).toEqual(["unasked", "matched"]);
  const severities = [
    { ...stored(1), $issue_severity: "low" },
    { ...stored(1), $issue_severity: "nonsense" },
  ];
  expect(await tried("severity", all, ...severities)).toEqual(["unasked", "matched"]);
});
