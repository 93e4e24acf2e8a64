import { describe, expect, it } from "vitest";
import { aCommit } from "../../../test/support/samples/small-lake.ts";
import { absorbedTimes, absorbing } from "./absorbed.ts";

const NOW = 5_000;
const [old, fresh, waiting] = ["c1", "c2", "c3"].map((id) => aCommit(id, 0));
const listed = { absorbed: ["c0", "c1"], absorbedAt: [1_000, 2_000] };

describe("what a new manifest has absorbed", () => {
  it("keeps the time at which a commit was absorbed first, whatever is swapped later", () => {
    const next = absorbing(
      listed,
      [old, fresh, waiting].flatMap((each) => each ?? []),
      fresh ? [fresh] : [],
      NOW,
    );
    expect(next).toEqual({ absorbed: ["c1", "c2"], absorbedAt: [2_000, NOW] });
  });
  it("begins with what was merged", () => {
    const merged = ["c3", "c4"].map((id) => aCommit(id, NOW));
    expect(absorbing(null, merged, merged, NOW)).toEqual({ absorbed: ["c3", "c4"], absorbedAt: [NOW, NOW] });
    expect(absorbing(null, fresh ? [fresh] : [], fresh ? [fresh] : [], NOW)).toEqual({ absorbed: ["c2"], absorbedAt: [NOW] });
  });
  it("counts from now where the old one does not say since when", () => {
    const all = old ? [old] : [];
    expect(absorbing({ absorbed: ["c1"], absorbedAt: [] }, all, [], NOW)).toEqual({ absorbed: ["c1"], absorbedAt: [NOW] });
  });
  it("says when each was, and nothing of others", () => {
    const times = absorbedTimes(listed);
    expect([times.get("c0"), times.get("c1"), times.get("c2")]).toEqual([1_000, 2_000, undefined]);
    expect(absorbedTimes(null).size).toBe(0);
  });
  it("was never absorbed for long where its time is missing", () => {
    expect(absorbedTimes({ absorbed: ["c0"], absorbedAt: [] }).get("c0")).toBe(Number.POSITIVE_INFINITY);
  });
});
