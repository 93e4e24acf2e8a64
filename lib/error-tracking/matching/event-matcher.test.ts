import { describe, expect, it } from "vitest";
import { eventMatcher, openEventMatcher } from "./event-matcher.ts";
import { ruleList } from "./rule-list.ts";

const list = (...patterns: readonly string[]) => {
  const filters = patterns.map((value) => ({ type: "AND", values: [{ key: "text", type: "event", operator: "regex", value }] }));
  return ruleList(
    filters.map((each) => JSON.stringify(each)),
    "UTC",
  );
};
const events = (...texts: readonly string[]) => texts.map((text) => ({ properties: () => ({ text }), issue: null }));
const asking = (steps: number) => ({ project: 1, now: 0, budget: { steps } });

const SLOW = "(?:[a-zA-Z]?){990}[0-9][0-9]";
const LONG = "x".repeat(10_000);

describe("rules that are asked about events", () => {
  it("are asked in their order, about as many events as there are", async () => {
    const texts = Array.from({ length: 450 }, (_, at) => `number ${at}`);
    const { verdicts, count } = await eventMatcher.match(list("0$", "[13579]$"), events(...texts), asking(10_000_000));
    expect(count).toBe(450);
    expect(verdicts.map(({ matched }) => matched)).toEqual(texts.map((_, at) => (at % 10 === 0 ? 0 : at % 2 === 1 ? 1 : null)));
  });

  it("need no thread where they have no regular expression but a text", () => {
    expect(list("just a text").compiled).not.toBeNull();
    expect(list("just a text", "no text.").compiled).toBeNull();
  });

  it("are passed over for an event that one of them takes too many steps for, and asked about the next one", async () => {
    const { verdicts, costs } = await eventMatcher.match(list(SLOW, "^a$"), events(LONG, "a", LONG), asking(100_000_000));
    expect(verdicts.map(({ matched, isOver }) => [matched, isOver])).toEqual([
      [null, true],
      [1, false],
      [null, true],
    ]);
    expect(costs[0]).toBeGreaterThan(1_000 * (costs[1] ?? 0));
  });

  it("are asked behind one that takes too many steps, as far as three such", async () => {
    const asked = async (...patterns: readonly string[]) => {
      const { verdicts } = await eventMatcher.match(list(...patterns), events(LONG), asking(100_000_000));
      return verdicts.map(({ matched, isOver }) => [matched, isOver]);
    };
    expect(await asked(SLOW, "^x")).toEqual([[1, true]]);
    expect(await asked(SLOW, "^a$", SLOW, SLOW, "^x")).toEqual([[4, true]]);
    expect(await asked(SLOW, SLOW, SLOW, SLOW, "^x")).toEqual([[null, true]]);
    const { budget, ...rest } = asking(100_000_000);
    await eventMatcher.match(list(SLOW, SLOW, "^x"), events(LONG), { ...rest, budget });
    expect(budget.steps).toBeLessThanOrEqual(90_000_000);
  });

  it.each([
    ["exact", "a", null],
    ["is_set", null, null],
    ["is_not", "a", 0],
    ["is_not_set", null, 0],
    ["not_icontains", "a", 0],
  ])("find missing what an exception knows nothing of: %s", async (operator, value, matched) => {
    for (const type of ["person", "cohort", "error_tracking_issue"]) {
      const filters = JSON.stringify({ type: "AND", values: [{ key: "name", type, operator, value }] });
      const { verdicts } = await eventMatcher.match(ruleList([filters], "UTC"), events("a"), asking(1_000));
      expect(verdicts.map((verdict) => verdict.matched)).toEqual([matched]);
    }
  });

  it("are asked no further once the budget is used up", async () => {
    const { budget, ...rest } = asking(7_000_000);
    const { verdicts, count } = await eventMatcher.match(list(SLOW), events(LONG, LONG, LONG, "1"), { ...rest, budget });
    expect(count).toBe(2);
    expect(verdicts.map(({ isOver }) => isOver)).toEqual([true, true, true, true]);
    expect(budget.steps).toBeLessThanOrEqual(0);
  });

  it("are ended with their thread where it takes too long, and the rule that it was at is said; the next ones get another", async () => {
    const impatient = openEventMatcher({ cpuMs: 60_000, ms: 0 });
    const { verdicts } = await impatient.match(list(SLOW), events(LONG, "a"), asking(100_000_000));
    expect(verdicts.map(({ failures }) => failures)).toEqual([[{ rule: 0, message: "The rule took too long for an exception." }], []]);
    expect(verdicts.every(({ matched, isOver }) => matched === null && isOver)).toBe(true);
    expect((await eventMatcher.match(list("a"), events("a"), asking(1_000))).verdicts[0]?.matched).toBe(0);
  });
});
