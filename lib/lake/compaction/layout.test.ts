import { describe, expect, it } from "vitest";
import { aFile, aManifest } from "../../../test/support/layouts.ts";
import { partitionEnd } from "../../event/time-partitions.ts";
import { POLICIES } from "../policy.ts";
import { encodeSkipped } from "../skipped-rows.ts";
import { cleanStep, nextStep, rewriteStep, type Step, sealDue, sealStep, sealTime } from "./layout.ts";
import { nextTier } from "./tier.ts";

const policy = POLICIES.deployed;
const PARTITION = "2026-03";
const DAY_MS = 86_400_000;
const DURING = Date.UTC(2026, 2, 20);
const LONG_AFTER = partitionEnd(PARTITION) + 7 * DAY_MS;

/** Most of what a step may read. */
const LARGE = { plainBytes: 185_000_000 };

const keys = (step: Step | null) => step?.merges.map((files) => files.map(({ key }) => key));

describe("nextTier", () => {
  const tier = (loose: Parameters<typeof aManifest>[1], files: Parameters<typeof aManifest>[0] = []) =>
    nextTier(aManifest(files, loose), policy)?.map(({ key }) => key);

  it("takes eight files of one size class, the smallest first, and leaves other sizes alone", () => {
    const small = Array.from({ length: 8 }, (_, at) => aFile(`s${at}`, 8 + at, 1));
    const large = aFile("l", 64, 1);
    expect(tier([large, ...small])).toEqual(small.map(({ key }) => key));
    expect(tier([large, ...small.slice(1)])).toBeUndefined();
  });

  it("goes on to larger sizes where the smaller are too few, and begins with the smallest that are enough", () => {
    const few = Array.from({ length: 3 }, (_, at) => aFile(`f${at}`, 1, 1));
    const small = Array.from({ length: 8 }, (_, at) => aFile(`s${at}`, 8, 1));
    const large = Array.from({ length: 8 }, (_, at) => aFile(`l${at}`, 64, 1));
    expect(tier([...large, ...few])).toEqual(large.map(({ key }) => key));
    expect(tier([...large, ...small, ...few])).toEqual(small.map(({ key }) => key));
  });

  it("passes over files that are too large to be put together with any", () => {
    const narrow = Array.from({ length: 8 }, (_, at) => aFile(`n${at}`, 1_000, 1, 1, { plainBytes: 1_000_000 }));
    const full = (key: string) => aFile(key, 1_000, 1, 1, { plainBytes: policy.fileBytes });
    expect(tier([full("x"), full("y"), ...narrow])).toEqual(narrow.map(({ key }) => key));
  });

  it("takes no more than fits into one file", () => {
    const wide = Array.from({ length: 8 }, (_, at) => aFile(`w${at}`, 1_000, 1, 1, { plainBytes: 40_000_000 }));
    expect(tier(wide)).toBeUndefined();
    const narrow = Array.from({ length: 8 }, (_, at) => aFile(`n${at}`, 1_000, 1, 1, { plainBytes: 1_000_000 }));
    expect(tier([...wide, ...narrow])?.filter((key) => key.startsWith("n"))).toHaveLength(8);
    const huge = aFile("n3-huge", 1_000, 1, 1, { plainBytes: policy.fileBytes });
    expect(tier([...narrow.slice(0, 4), huge, ...narrow.slice(4)])).toEqual(narrow.map(({ key }) => key));
  });

  it("never ties together days whose files are too much for one step", () => {
    const loose = Array.from({ length: 8 }, (_, day) => aFile(`l${day}`, 10, day));
    const files = Array.from({ length: 8 }, (_, day) => aFile(`f${day}`, 200_000, day, day, LARGE));
    expect(tier(loose)).toHaveLength(8);
    expect(tier(loose, files)).toBeUndefined();
    const twoDays = Array.from({ length: 8 }, (_, at) => aFile(`t${at}`, 10, at >> 2));
    const heavy = [0, 1].map((day) => aFile(`h${day}`, 200_000, day, day, { plainBytes: 600_000_000 }));
    expect(tier(twoDays, heavy)).toBeUndefined();
  });

  it("does not mind what is heavy and lies before the days that it ties together", () => {
    const heavy = aFile("h", 200_000, 0, 0, { plainBytes: 900_000_000 });
    const twoDays = Array.from({ length: 8 }, (_, at) => aFile(`t${at}`, 10, 1 + (at >> 2)));
    expect(tier(twoDays, [heavy])).toHaveLength(8);
  });
});

describe("cleanStep", () => {
  const gone = (key: string, first: number, last = first) => aFile(key, 2, first, last, { skip: encodeSkipped([0, 1]) });
  const some = (key: string, first: number, last = first) => aFile(key, 2, first, last, { skip: encodeSkipped([0]) });
  const merges = (files: Parameters<typeof aManifest>[0], loose: Parameters<typeof aManifest>[1] = []) =>
    keys(cleanStep(aManifest(files, loose), policy));

  it("writes each file by itself that has rows left, and leaves alone what has no removed ones", () => {
    expect(merges([some("a", 1), aFile("b", 2, 1), some("c", 1)])).toEqual([["a"], ["c"]]);
    expect(merges([aFile("b", 2, 1)])).toBeUndefined();
  });

  it("puts what has no row left to one of its days that has, however many there are: what it counts may be of that one's", () => {
    expect(merges([gone("a", 1), aFile("b", 2, 1), gone("c", 1)])).toEqual([["a", "b", "c"]]);
    expect(merges([gone("a", 1), aFile("b", 2, 2)], [aFile("l", 2, 1)])).toEqual([["a", "l"]]);
    expect(merges([some("b", 1), gone("a", 1), gone("c", 1)])).toEqual([["b", "a", "c"]]);
  });

  it("takes with it what has no row left either and lies between it and one that has", () => {
    expect(merges([gone("a", 1), gone("d", 1, 2), gone("c", 2, 3), aFile("b", 2, 3)])).toEqual([["a", "d", "c", "b"]]);
    expect(merges([gone("a", 1), gone("d", 1, 2), aFile("b", 2, 3)])).toEqual([["a", "d"]]);
  });

  it("leaves to the next step what this one has no room for", () => {
    expect(merges([some("a", 1), some("b", 2)].map((file) => ({ ...file, plainBytes: policy.stepBytes })))).toEqual([["a"]]);
  });
});

describe("nextStep", () => {
  const alike = Array.from({ length: 8 }, (_, at) => aFile(`s${at}`, 8 + at, 1));

  it("puts loose files of one size together where none has to be rewritten", () => {
    expect(nextStep(aManifest([], alike), policy, DURING)).toEqual({ merges: [alike], shape: "one", into: "loose", seals: false });
    expect(nextStep(aManifest([], alike.slice(1)), policy, DURING)).toBeNull();
  });

  it("rewrites before it puts together, and leaves the partition open", () => {
    const many = aFile("many", 10_000, 1);
    expect(nextStep(aManifest([], [...alike, many]), policy, DURING)).toEqual({
      merges: [[...alike, many]],
      shape: "days",
      into: "files",
      seals: false,
    });
  });

  it("seals what is over and not sealed, even where nothing is left to do", () => {
    expect(nextStep(aManifest([], []), policy, LONG_AFTER)).toEqual({ merges: [], shape: "days", into: "files", seals: true });
    expect(nextStep(aManifest([], [], true), policy, LONG_AFTER)).toBeNull();
  });
});

describe("rewriteStep", () => {
  it("takes only the files whose days the loose rows touch, once these are a quarter of them", () => {
    const files = [aFile("a", 100_000, 1, 3), aFile("b", 100_000, 4)];
    expect(rewriteStep(aManifest(files, [aFile("x", 24_999, 2)]), policy, DURING)).toBeNull();
    expect(keys(rewriteStep(aManifest(files, [aFile("x", 25_000, 2)]), policy, DURING))).toEqual([["a", "x"]]);
  });

  it("takes all that a file of many days ties together", () => {
    const wide = aFile("w", 1_000, 0, 9);
    expect(keys(rewriteStep(aManifest([wide], [aFile("y", 9_000, 2), aFile("x", 9_000, 5)]), policy, DURING))).toEqual([["w", "y", "x"]]);
  });

  it("waits until the loose rows are a quarter of the bytes, too", () => {
    const files = [aFile("a", 20_000, 1, 1, LARGE)];
    expect(rewriteStep(aManifest(files, [aFile("x", 10_000, 1, 1, { plainBytes: 3_000_000 })]), policy, DURING)).toBeNull();
  });

  it("leaves a few rows loose while the month lasts, and folds them in when it is over", () => {
    const manifest = aManifest([], [aFile("x", 60, 2)]);
    expect(rewriteStep(manifest, policy, DURING)).toBeNull();
    expect(keys(rewriteStep(manifest, policy, LONG_AFTER))).toEqual([["x"]]);
  });

  it("puts only neighbours together: what lies between two days stays between them", () => {
    const manifest = aManifest([aFile("b", 500_000, 2)], [aFile("x", 20_000, 1), aFile("y", 20_000, 3), aFile("z", 20_000, 4)]);
    expect(keys(rewriteStep(manifest, policy, DURING))).toEqual([["x"], ["y", "z"]]);
  });

  it("takes as many days as one step holds", () => {
    const days = Array.from({ length: 8 }, (_, day) => aFile(`x${day}`, 200_000, day, day, LARGE));
    expect(keys(rewriteStep(aManifest([], days), policy, DURING))).toEqual([["x0", "x1", "x2", "x3", "x4"]]);
  });
});

describe("loose rows that with what they touch are too much for one step", () => {
  const files = Array.from({ length: 8 }, (_, day) => aFile(`f${day}`, 200_000, day, day, LARGE));

  it("are cut by days first, each file by itself", () => {
    const loose = [aFile("w", 400_000, 0, 7, { plainBytes: 400_000_000 }), aFile("d", 60_000, 2, 2, { plainBytes: 60_000_000 })];
    expect(nextStep(aManifest(files, loose), policy, DURING)).toEqual({
      merges: [[loose[0]]],
      shape: "parts",
      into: "loose",
      seals: false,
    });
  });

  it("are cut as many at a time as one step holds, the one at least that is too much by itself", () => {
    const wide = (key: string, plainBytes: number) => aFile(key, 400_000, 0, 7, { plainBytes });
    const cut = (...loose: ReturnType<typeof wide>[]) => keys(nextStep(aManifest(files, loose), policy, DURING));
    expect(cut(wide("a", 400_000_000), wide("b", 600_000_000))).toEqual([["a"], ["b"]]);
    expect(cut(wide("a", 400_000_000), wide("b", 600_000_001))).toEqual([["a"]]);
    expect(cut(wide("a", 1_000_000_001), wide("b", 1))).toEqual([["a"]]);
  });

  it("are rewritten with the files of their days then, and with no others", () => {
    expect(keys(nextStep(aManifest(files, [aFile("d", 60_000, 2, 2, { plainBytes: 60_000_000 })]), policy, DURING))).toEqual([["f2", "d"]]);
  });

  it("become files beside those of a day that is too much by itself", () => {
    const day = Array.from({ length: 8 }, (_, at) => aFile(`f${at}`, 200_000, 5, 5, LARGE));
    const loose = Array.from({ length: 9 }, (_, at) => aFile(`l${at}`, 200_000, 5, 5, LARGE));
    expect(nextStep(aManifest(day, loose), policy, DURING)).toMatchObject({ merges: [loose.slice(0, 5)], shape: "days", into: "files" });
  });
});

describe("sealing", () => {
  it("is due once, a week after the partition's end", () => {
    expect(sealDue(aManifest([], []), policy, LONG_AFTER - 1)).toBe(false);
    expect(sealDue(aManifest([], []), policy, LONG_AFTER)).toBe(true);
    expect(sealDue(aManifest([], [], true), policy, LONG_AFTER)).toBe(false);
    expect([sealTime(PARTITION, policy, DURING), sealTime(PARTITION, policy, LONG_AFTER)]).toEqual([LONG_AFTER, null]);
  });

  it("folds in what is loose, and puts many small files together", () => {
    const few = aManifest([aFile("a", 200_000, 1), aFile("b", 200_000, 2)], [aFile("x", 10, 2)]);
    expect(sealStep(few, policy)).toMatchObject({ merges: [[few.files[1], few.loose[0]]], seals: true });
    const daily = Array.from({ length: 30 }, (_, day) => aFile(`d${day}`, 1_440, day));
    expect(sealStep(aManifest(daily, []), policy)).toMatchObject({ merges: [daily], seals: true });
    const late = aFile("late", 10, 40);
    expect(sealStep(aManifest(daily, [late]), policy)).toMatchObject({ merges: [[...daily, late]], seals: true });
  });

  it("leaves files as they are up to three times as many as needed, by rows or by bytes", () => {
    const small = (count: number) => Array.from({ length: count }, (_, day) => aFile(`d${day}`, 100, day));
    expect(sealStep(aManifest(small(3), []), policy)).toMatchObject({ merges: [], seals: true });
    expect(sealStep(aManifest(small(4), []), policy)).toMatchObject({ merges: [small(4)], seals: true });
    const heavy = Array.from({ length: 4 }, (_, day) => aFile(`h${day}`, 100, day, day, LARGE));
    expect(sealStep(aManifest(heavy, []), policy)).toMatchObject({ merges: [], seals: true });
    const long = Array.from({ length: 4 }, (_, day) => aFile(`r${day}`, 200_000, day, day, { plainBytes: 1 }));
    expect(sealStep(aManifest(long, []), policy)).toMatchObject({ merges: [], seals: true });
  });

  it("is for a later step where one puts a single group together", () => {
    const large = Array.from({ length: 6 }, (_, day) => aFile(`l${day}`, 200_000, day, day, LARGE));
    const small = Array.from({ length: 20 }, (_, day) => aFile(`s${day}`, 100, 6 + day));
    const step = sealStep(aManifest([...large, ...small], []), policy);
    expect(step).toMatchObject({ merges: [[large[5], ...small]], seals: false });
  });

  it("seals with the last of its steps", () => {
    const days = Array.from({ length: 8 }, (_, day) => aFile(`x${day}`, 200_000, day, day, LARGE));
    expect(sealStep(aManifest([], days), policy)).toMatchObject({ merges: [days.slice(0, 5)], seals: false });
    expect(sealStep(aManifest([], days.slice(5)), policy)).toMatchObject({ merges: [days.slice(5)], seals: true });
    expect(sealStep(aManifest(days, []), policy)).toMatchObject({ merges: [], seals: true });
  });

  it("puts small neighbours together a step at a time where all is too much for one, and seals when none are left", () => {
    const large = Array.from({ length: 6 }, (_, day) => aFile(`l${day}`, 200_000, 5 * day, 5 * day, LARGE));
    const small = Array.from({ length: 24 }, (_, at) => aFile(`s${at}`, 100, 5 * Math.floor(at / 4) + 1 + (at % 4)));
    const days = (first: number) => small.slice(first, first + 4);
    const step = sealStep(aManifest([...large, ...small], []), policy);
    expect(step).toMatchObject({
      merges: [
        [large[0], ...days(0)],
        [large[1], ...days(4)],
        [large[2], ...days(8)],
        [large[3], ...days(12)],
        [large[4], ...days(16)],
      ],
    });
    expect(step).toMatchObject({ shape: "days", into: "files", seals: false });
    expect(sealStep(aManifest(large, []), policy)).toMatchObject({ merges: [], seals: true });
  });

  it("leaves a file alone that is full by itself, while it puts small ones together", () => {
    const full = aFile("full", 200_000, 0, 0, { plainBytes: policy.fileBytes });
    const others = Array.from({ length: 5 }, (_, day) => aFile(`o${day}`, 200_000, 40 + day, 40 + day, LARGE));
    const small = Array.from({ length: 40 }, (_, day) => aFile(`s${day}`, 100, 1 + (day % 30)));
    const { merges } = sealStep(aManifest([full, ...others, ...small], []), policy);
    expect(merges.flat()).toContainEqual(small[0]);
    expect(merges.flat()).not.toContainEqual(full);
  });
});
