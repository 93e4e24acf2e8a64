import { expect, it } from "vitest";
import { tryStored } from "../../lib/error-tracking/rule-trial.ts";
import { NOW } from "../support/worlds/ingest-world.ts";

/** Projects that no other test of this process asks rules for: who has asked before has to wait for those who have not. */
const OTHERS = [901, 902, 903, 904, 905, 906, 907, 908, 909];
const HOSTILE = 910;
/** Each character of a text is looked at in a thousand places. */
const SLOW = "(?:[a-zA-Z]?){990}[0-9][0-9]";
const LONG = "x".repeat(10_000);
const TRIALS = 3;

it("nine projects try rules while the tenth tries slow ones: each waits for one turn of its, and for none of the rest", async () => {
  const answered: number[] = [];
  const ask = async (project: number, value: string, text: string): Promise<number> => {
    const filters = { type: "AND", values: [{ key: "$exception_values", type: "event", operator: "regex", value }] };
    const exceptions = Array.from({ length: 6 }, () => ({ $exception_values: [text], $exception_fingerprint_record: [] }));
    const tried = await tryStored({ project, kind: "grouping", filters, timezone: "UTC" }, exceptions, NOW);
    answered.push(project);
    return tried.filter((each) => each === "matched").length;
  };
  const hostile = Array.from({ length: TRIALS }, () => ask(HOSTILE, SLOW, LONG));
  const others = OTHERS.map((project) => ask(project, "time[ -]?out \\d+", "a timeout 5"));
  expect(await Promise.all(others)).toEqual(OTHERS.map(() => 6));
  // In whichever order, none of the hostile project's is before the last of them.
  expect(answered.toSorted((a, b) => a - b)).toEqual(OTHERS);
  await Promise.all(hostile);
});
