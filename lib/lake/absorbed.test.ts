import { expect, it } from "vitest";
import { absorbing } from "./absorbed.ts";
import type { Commit } from "./catalogue.ts";

const aCommit = (id: string): Commit => ({ v: 1, id, at: 0, lane: "live", segments: [], deltas: null });

it("keeps the time at which a commit was absorbed through later swaps, and forgets commits that are gone", () => {
  const first = absorbing(null, [aCommit("a"), aCommit("b")], [aCommit("a"), aCommit("b")], 1_000);
  const second = absorbing(first, [aCommit("b"), aCommit("c")], [aCommit("c")], 2_000);
  expect(second).toEqual({ absorbed: ["b", "c"], absorbedAt: [1_000, 2_000] });
});

it("marks only what was merged, not what was merely found", () => {
  expect(absorbing(null, [aCommit("a"), aCommit("b")], [aCommit("a")], 1_000).absorbed).toEqual(["a"]);
});
