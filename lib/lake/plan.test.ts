import { describe, expect, it } from "vitest";
import type { Commit, FileFacts, Manifest, PinnedState, Segment } from "./catalogue.ts";
import { planEvents } from "./pin.ts";

const DAY = 86_400_000_000n;

const aFile = (key: string, day: number, changes: Partial<FileFacts> = {}): FileFacts => ({
  key,
  bytes: 100,
  rows: 10,
  days: [day, day],
  times: [String(BigInt(day) * DAY), String(BigInt(day + 1) * DAY - 1n)],
  ids: ["b", "m"],
  events: ["view"],
  usage: {},
  footerBytes: 10,
  ...changes,
});

const pinnedOf = (files: FileFacts[], loose: FileFacts[], segments: FileFacts[]): PinnedState => {
  const manifest: Manifest = { v: 1, id: "m", partition: "p", files, loose, absorbed: [], absorbedAt: [], sealed: false };
  const waiting = segments.map((file, at): Commit => {
    const segment: Segment = { ...file, partition: "p" };
    return { v: 1, id: `c${at}`, at: 0, lane: "live", segments: [segment], deltas: null };
  });
  return { project: 1, manifests: new Map([["p", manifest]]), waiting, state: null, waitingDeltas: [], digest: "" };
};

const keys = (files: readonly FileFacts[]): string[] => files.map(({ key }) => key);
const everything = { from: null, to: null, events: null, distinctIds: null };

describe("planEvents", () => {
  it("keeps files that overlap the time range, its end excluded", () => {
    const pinned = pinnedOf([aFile("d9", 9), aFile("d10", 10), aFile("d11", 11)], [], []);
    expect(keys(planEvents(pinned, { ...everything, from: 10n * DAY, to: 11n * DAY }).files)).toEqual(["d10"]);
    expect(keys(planEvents(pinned, { ...everything, from: 10n * DAY - 1n, to: 11n * DAY + 1n }).files)).toEqual(["d9", "d10", "d11"]);
  });

  it("prunes by event names unless a file has too many to list", () => {
    const pinned = pinnedOf([aFile("view", 1), aFile("any", 1, { events: null }), aFile("buy", 1, { events: ["buy"] })], [], []);
    expect(keys(planEvents(pinned, { ...everything, events: ["buy", "pay"] }).files)).toEqual(["any", "buy"]);
    const both = pinnedOf([], [], [aFile("both", 1, { events: ["buy", "view"] }), aFile("view", 1)]);
    expect(keys(planEvents(both, { ...everything, events: ["buy"] }).waiting)).toEqual(["both"]);
  });

  it("prunes by distinct ids, also those longer than the kept bounds", () => {
    const long = "x".repeat(200);
    const pinned = pinnedOf([aFile("short", 1), aFile("long", 1, { ids: [long, long] })], [], []);
    expect(keys(planEvents(pinned, { ...everything, distinctIds: [`${long}yz`] }).files)).toEqual(["long"]);
    expect(keys(planEvents(pinned, { ...everything, distinctIds: ["b", "zz"] }).files)).toEqual(["short"]);
  });

  it("keeps waiting segments and loose files apart", () => {
    const plan = planEvents(pinnedOf([aFile("old", 1)], [aFile("loose", 2)], [aFile("s", 1)]), everything);
    expect([keys(plan.files), keys(plan.waiting)]).toEqual([["old", "loose"], ["s"]]);
  });
});
