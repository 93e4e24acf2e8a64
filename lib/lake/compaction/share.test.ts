import { describe, expect, it } from "vitest";
import { aFile, aManifest } from "../../../test/support/layouts.ts";
import type { FileFacts } from "../catalogue.ts";
import { POLICIES } from "../policy.ts";
import { nextStep } from "./layout.ts";
import { sharesDue } from "./share.ts";

/** A step takes two thousand rows. */
const POLICY = { ...POLICIES.deployed, stepBytes: 1_000_000, rewriteMinRows: 1, shares: 4 };
const IN_TIME = Date.UTC(2026, 2, 15);
const DAY = Date.UTC(2026, 2, 1) / 86_400_000;
const SHARES = [0, 1, 2].map((at) => ({ at, of: 3 }));

const merged = (files: readonly FileFacts[], loose: readonly FileFacts[]) =>
  SHARES.map(
    (share) =>
      nextStep(aManifest(files, loose), POLICY, IN_TIME, share)
        ?.merges.flat()
        .map(({ key }) => key) ?? [],
  );

describe("shares of the merges of a partition", () => {
  it("are whole days where these are one step's, each of them one share's", () => {
    const days = Array.from({ length: 20 }, (_, at) => DAY + at);
    const [files, loose] = [days.map((day) => aFile(`file ${day}`, 10, day)), days.map((day) => aFile(`loose ${day}`, 10, day))];
    const steps = merged(files, loose);
    for (const keys of steps)
      expect(keys.filter((key) => key.startsWith("file")).map((key) => key.replace("file", "loose"))).toEqual(
        keys.filter((key) => key.startsWith("loose")),
      );
    expect(steps.flat().toSorted()).toEqual([...files, ...loose].map(({ key }) => key).toSorted());
    expect(steps.every((keys) => keys.length > 0)).toBe(true);
  });

  it("are loose files of a day that is more than a step, each of them one share's", () => {
    const loose = Array.from({ length: 40 }, (_, at) => aFile(`loose ${at}`, 100, DAY));
    const steps = merged([aFile("file", 10_000, DAY)], loose);
    expect(new Set(steps.flat()).size).toBe(steps.flat().length);
    expect(steps.flat().every((key) => key.startsWith("loose"))).toBe(true);
    expect(steps.every((keys) => keys.length > 0)).toBe(true);
  });

  it("leave tiers and the seal to one of them", () => {
    const alike = Array.from({ length: 8 }, (_, at) => aFile(`loose ${at}`, 1, DAY));
    expect(
      merged([aFile("file", 100_000_000, DAY + 3), aFile("large", 1_900, DAY)], alike)
        .map((keys) => keys.length)
        .toSorted(),
    ).toEqual([0, 0, 8]);
    const over = SHARES.map((share) => nextStep(aManifest([], alike), POLICY, Date.UTC(2026, 4, 1), share)?.seals);
    expect(over).toEqual([true, undefined, undefined]);
  });

  it("are as many as steps are due, up to the most that there may be", () => {
    const day = (rows: number) => sharesDue(aManifest([aFile("file", 1_000, DAY)], [aFile("loose", rows, DAY)]), POLICY);
    expect([day(100), day(999), day(3_500), day(6_500), day(100_000)]).toEqual([1, 1, 1, 2, 4]);
    const days = (count: number) => {
      const all = Array.from({ length: count }, (_, at) => DAY + at);
      return sharesDue(
        aManifest(
          all.map((at) => aFile(`f${at}`, 500, at)),
          all.map((at) => aFile(`l${at}`, 500, at)),
        ),
        POLICY,
      );
    };
    expect([days(1), days(4), days(7)]).toEqual([1, 2, 3]);
  });

  it("are as many where leaves were not read", () => {
    const leaf = (id: string, loose: boolean, rows: number) => ({
      ...{ id, loose, days: [DAY, DAY] as const, files: 3, rows, plainBytes: 500 * rows, footers: [] },
    });
    expect(sharesDue({ files: [], loose: [], leaves: [leaf("a", false, 1_000), leaf("b", true, 6_500)] }, POLICY)).toBe(2);
  });
});
