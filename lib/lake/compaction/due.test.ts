import { describe, expect, it } from "vitest";
import type { Commit, Segment } from "../catalogue.ts";
import { POLICIES } from "../policy.ts";
import { foldDue, growingBacklog, isDue, oldestCommit, partitionsDue, type Waiting } from "./due.ts";

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const policy = POLICIES.deployed;

const aSegment = (partition: string, rows: number): Segment => ({
  key: `${partition}/${rows}`,
  partition,
  bytes: 1,
  rows,
  days: [1, 1],
  times: ["0", "0"],
  ids: ["a", "b"],
  events: null,
  usage: {},
  footerBytes: 1,
});

const aCommit = (ageMs: number, lane: Commit["lane"], ...segments: Segment[]): Commit => ({
  v: 1,
  id: `c${ageMs}`,
  at: NOW - ageMs,
  lane,
  segments,
  deltas: null,
});

const live = (rows: number, ageMs: number) => ({ at: NOW - ageMs, lane: "live" as const, rows });

const historical = (rows: number, ageMs: number) => ({ at: NOW - ageMs, lane: "historical" as const, rows });

const backlogOf = (waiting: readonly Waiting[]) => {
  const backlog = growingBacklog();
  for (const each of waiting) backlog.add(each);
  return backlog.all;
};

const due = (waiting: readonly Waiting[]): boolean => isDue(backlogOf(waiting), policy, NOW);

describe("isDue", () => {
  it("waits with little and young live work", () => {
    expect(due([live(10, 59 * MINUTE_MS)])).toBe(false);
    expect(due([live(5_000, 59_000)])).toBe(false);
    expect(due([])).toBe(false);
  });

  it("gathers when many commits wait, when many rows wait a minute, and when anything waits an hour", () => {
    expect(due(Array.from({ length: 64 }, () => live(1, 0)))).toBe(true);
    expect(due([live(999, MINUTE_MS), live(1, 0)])).toBe(true);
    expect(due([live(1, 60 * MINUTE_MS)])).toBe(true);
  });

  it("waits with whatever is just below", () => {
    expect(due(Array.from({ length: 63 }, () => live(1, 0)))).toBe(false);
    expect(due([live(999, MINUTE_MS)])).toBe(false);
    expect(due([live(1_000, MINUTE_MS - 1)])).toBe(false);
    expect(due([live(1, 60 * MINUTE_MS - 1)])).toBe(false);
  });

  it("gathers what was committed before the clock was set back, but not what another function's clock is a little ahead with", () => {
    for (const committed of [live, historical]) {
      expect(due([committed(1, -61 * MINUTE_MS)])).toBe(true);
      expect(due([committed(1, -MINUTE_MS)])).toBe(false);
    }
  });

  it("takes an import that is quiet for a minute, or of a million rows, or an hour old, be it a single commit", () => {
    expect(due([historical(1, MINUTE_MS)])).toBe(true);
    expect(due([historical(1_000_000, 0)])).toBe(true);
    expect(due([historical(1, 61 * MINUTE_MS), historical(1, 0)])).toBe(true);
    expect(due([historical(999_999, MINUTE_MS - 1)])).toBe(false);
    expect(due([historical(1, 59 * MINUTE_MS), historical(1, 0)])).toBe(false);
  });

  it("tells how old the oldest is of whatever lane", () => {
    expect(oldestCommit(backlogOf([historical(1, 5), live(1, 3)]))).toBe(NOW - 5);
    expect(oldestCommit(backlogOf([historical(1, 3), live(1, 5)]))).toBe(NOW - 5);
  });
});

describe("partitionsDue", () => {
  it("judges live rows by partition", () => {
    const commits = [aCommit(2 * MINUTE_MS, "live", aSegment("2026-03", 2_000), aSegment("2026-02", 3))];
    expect(partitionsDue(commits, policy, NOW)).toEqual(["2026-03"]);
  });

  it("sums up what waits in a partition, and takes its live rows with an import that is done", () => {
    const many = Array.from({ length: 64 }, () => aCommit(0, "live", aSegment("2026-03", 1)));
    expect(partitionsDue(many, policy, NOW)).toEqual(["2026-03"]);
    expect(partitionsDue(many.slice(1), policy, NOW)).toEqual([]);
    const beside = [aCommit(0, "live", aSegment("2026-03", 1)), aCommit(MINUTE_MS, "historical", aSegment("2026-03", 1))];
    expect(partitionsDue([...beside, aCommit(0, "live", aSegment("2026-02", 1))], policy, NOW)).toEqual(["2026-03"]);
  });

  it("lets an import go on, and takes all its partitions when it is quiet for a minute or a million rows wait", () => {
    const parts = [aSegment("2025-01", 400_000), aSegment("2025-02", 90_000)];
    expect(partitionsDue([aCommit(59_000, "historical", ...parts)], policy, NOW)).toEqual([]);
    expect(partitionsDue([aCommit(MINUTE_MS, "historical", ...parts)], policy, NOW)).toEqual(["2025-01", "2025-02"]);
    const million = [5_000, 4_000, 3_000].map((age) => aCommit(age, "historical", ...parts));
    expect(partitionsDue(million, policy, NOW)).toEqual(["2025-01", "2025-02"]);
  });
});

describe("foldDue", () => {
  const deltas = (count: number, ageMs: number, lane: Commit["lane"] = "live") => Array.from({ length: count }, () => aCommit(ageMs, lane));

  it("waits like rows do, each commit for itself", () => {
    expect(foldDue(deltas(63, 59 * MINUTE_MS), policy, NOW)).toBe(false);
    expect(foldDue(deltas(64, 0), policy, NOW)).toBe(true);
    expect(foldDue(deltas(1, 60 * MINUTE_MS), policy, NOW)).toBe(true);
    expect(foldDue(deltas(1, MINUTE_MS, "historical"), policy, NOW)).toBe(true);
    expect(foldDue([], policy, NOW)).toBe(false);
  });
});
