import { expect, it } from "vitest";
import { type Findings, verdict } from "./verdict.ts";
import type { Lane } from "./wire.ts";

const lane = (name: Lane["name"], changes: Partial<Lane> = {}): Lane => ({ name, waiting: 0, in_flight: 0, dead_letters: 0, ...changes });
const EMPTY = [lane("live"), lane("historical"), lane("jobs")];
const of = (findings: Partial<Findings> = {}) =>
  verdict({ lanes: EMPTY, isStuck: false, delay: null, failingJobs: 0, isCompactionLate: false, ...findings });

it.each<[Partial<Findings>, string]>([
  [{}, "All events are stored, and nothing waits."],
  [{ delay: { seconds: 1, isLate: false } }, "All events are stored, the latest within 1 second."],
  [{ delay: { seconds: 4, isLate: false } }, "All events are stored, the latest within 4 seconds."],
  [{ lanes: [lane("live", { in_flight: 1 })] }, "Events are on their way into storage, and nothing fails."],
  [{ lanes: [lane("historical", { waiting: 1 })] }, "Events are on their way into storage, and nothing fails."],
  [{ lanes: [lane("jobs", { waiting: 7 })] }, "All events are stored, and nothing waits."],
])("%j is all right", (findings, summary) => {
  expect(of(findings)).toEqual({ status: "ok", summary });
});

it.each<[Findings["isStuck"], Findings["delay"], boolean, RegExp]>([
  [true, { seconds: 700, isLate: true }, true, /^Live events wait, .*\(live-late\)/],
  [false, { seconds: 700, isLate: true }, true, /took 12 minutes .*\(live-late\)/],
  [false, { seconds: 4, isLate: false }, true, /^Stored events wait to be compacted, .*\(jobs-late\)/],
])("what takes too long is told, the worst first", (isStuck, delay, isCompactionLate, summary) => {
  expect(of({ isStuck, delay, isCompactionLate })).toEqual({ status: "behind", summary: expect.stringMatching(summary) });
});

it("what was given up on is told before what fails and what is late, and events before jobs", () => {
  const jobs = lane("jobs", { dead_letters: 2 });
  const imports = lane("historical", { dead_letters: 1 });
  const told = (findings: Partial<Findings>) => of({ isStuck: true, ...findings });
  expect(told({ lanes: [lane("live"), imports, jobs], failingJobs: 2 })).toEqual({
    status: "failing",
    summary: expect.stringMatching(/^1 message of the historical lane could not be stored: .*\(historical-dead-letters\)/),
  });
  expect(told({ lanes: [lane("live"), jobs], failingJobs: 2 }).summary).toMatch(/^2 jobs of this project fail: .*\(jobs-dead-letters\)/);
  expect(told({ lanes: [lane("live"), jobs] }).summary).toMatch(/^2 jobs were given up on: .*sends them back\.$/);
  expect(told({ lanes: EMPTY, failingJobs: 1 }).summary).toMatch(/^1 job of this project fails: /);
});
