import { describe, expect, it } from "vitest";
import type { Commit, FileFacts, Manifest, Segment } from "./catalogue.ts";
import type { Pinned } from "./pinned.ts";
import { planEvents } from "./plan.ts";

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

const pinnedOf = (files: FileFacts[], loose: FileFacts[], segments: FileFacts[], absorbed: string[] = []): Pinned => {
  const manifest: Manifest = { v: 1, id: "m", partition: "p", files, loose, absorbed, sealed: false };
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
  });

  it("prunes by distinct ids, also those longer than the kept bounds", () => {
    const long = "x".repeat(200);
    const pinned = pinnedOf([aFile("short", 1), aFile("long", 1, { ids: [long, long] })], [], []);
    expect(keys(planEvents(pinned, { ...everything, distinctIds: [`${long}yz`] }).files)).toEqual(["long"]);
    expect(keys(planEvents(pinned, { ...everything, distinctIds: ["b", "zz"] }).files)).toEqual(["short"]);
  });

  it("leaves out segments that the manifest contains", () => {
    const pinned = pinnedOf([], [aFile("loose", 1)], [aFile("s0", 1), aFile("s1", 1)], ["c0"]);
    const plan = planEvents(pinned, everything);
    expect([keys(plan.files), keys(plan.segments)]).toEqual([["loose"], ["s1"]]);
  });

  it("names as rivals whatever can hold a copy of a planned segment's rows, and nothing else", () => {
    const files = [
      aFile("same", 1),
      aFile("otherDay", 2),
      aFile("otherIds", 1, { ids: ["x", "z"] }),
      aFile("otherEvent", 1, { events: ["buy"] }),
    ];
    const early = aFile("early", 1, { times: [String(DAY), String(DAY + 1n)] });
    const late = aFile("late", 1, { times: [String(2n * DAY - 2n), String(2n * DAY - 1n)] });
    const plan = planEvents(pinnedOf(files, [], [early, late]), { ...everything, from: 2n * DAY - 5n, to: 2n * DAY });
    expect(keys(plan.segments)).toEqual(["late"]);
    expect(keys(plan.rivals.segments)).toEqual(["early", "late"]);
    expect(keys(plan.rivals.files)).toEqual(["same"]);
  });
});
