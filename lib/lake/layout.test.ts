import { describe, expect, it } from "vitest";
import type { FileFacts, Manifest } from "./catalogue.ts";
import { rewriteOf, sealDue, sealOf, sealTime, tierOf } from "./layout.ts";
import { partitionEnd } from "./partition.ts";
import { POLICIES } from "./policy.ts";

const policy = POLICIES.deployed;
const PARTITION = "2026-03";
const DAY_MS = 86_400_000;
const DURING = Date.UTC(2026, 2, 20);
const LONG_AFTER = partitionEnd(PARTITION) + 7 * DAY_MS;

const aFile = (key: string, rows: number, first: number, last = first): FileFacts => ({
  key,
  bytes: rows,
  rows,
  days: [first, last],
  times: ["0", "0"],
  ids: ["a", "b"],
  events: null,
  usage: {},
  footerBytes: 1,
});

const aManifest = (files: FileFacts[], loose: FileFacts[], sealed = false): Manifest => ({
  v: 1,
  id: "m",
  partition: PARTITION,
  files,
  loose,
  absorbed: [],
  absorbedAt: [],
  sealed,
});

const keys = (files: readonly FileFacts[] | undefined) => files?.map(({ key }) => key);

describe("tierOf", () => {
  it("takes eight files of one size class, the smallest first, and leaves other sizes alone", () => {
    const small = Array.from({ length: 8 }, (_, at) => aFile(`s${at}`, 8 + at, 1));
    const large = aFile("l", 64, 1);
    expect(keys(tierOf([large, ...small], policy) ?? [])).toEqual(keys(small));
    expect(tierOf([large, ...small.slice(1)], policy)).toBeNull();
  });
});

describe("rewriteOf", () => {
  it("takes only the files whose days the loose rows touch, once these are a fifth of them", () => {
    const files = [aFile("a", 100_000, 1, 3), aFile("b", 100_000, 4)];
    expect(rewriteOf(aManifest(files, [aFile("x", 19_999, 2)]), policy, DURING)).toBeNull();
    const due = rewriteOf(aManifest(files, [aFile("x", 20_000, 2)]), policy, DURING);
    expect([keys(due?.files), keys(due?.loose)]).toEqual([["a"], ["x"]]);
  });

  it("leaves a few rows loose while the month lasts, and folds them in when it is over", () => {
    const manifest = aManifest([], [aFile("x", 60, 2)]);
    expect(rewriteOf(manifest, policy, DURING)).toBeNull();
    expect(keys(rewriteOf(manifest, policy, LONG_AFTER)?.loose)).toEqual(["x"]);
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
    expect(keys(sealOf(few, policy).files)).toEqual(["b"]);
    const daily = Array.from({ length: 30 }, (_, day) => aFile(`d${day}`, 1_440, day));
    expect(sealOf(aManifest(daily, []), policy).files).toHaveLength(30);
  });
});
