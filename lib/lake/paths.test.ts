import { describe, expect, it } from "vitest";
import * as paths from "./paths.ts";

/** What is stored lies there, and policies, exports and people look for it by these names. */
const STORED: readonly [string, string][] = [
  [paths.segmentKey(7, "2024-10", "u"), "fresh/7/2024-10/u.parquet"],
  [paths.eventFileKey(7, "2024-10", "u"), "events/project=7/month=2024-10/u.parquet"],
  [paths.manifestKey(7, "2024-10", "u"), "state/7/manifests/2024-10/u"],
  [paths.footersKey(7, "2024-10", "u"), "state/7/footers/2024-10/u"],
  [paths.deltaKey(7, "u"), "state/7/deltas/u"],
  [paths.correctionKey(7, "u"), "state/7/corrections/u"],
  [paths.snapshotKey(7, "distinct-ids", "u"), "state/7/distinct-ids/u.parquet"],
  [paths.exportKey("o", "u"), "exports/o/u.csv"],
  [paths.seriesOrderKey("o", "d"), "exports/o/d.order"],
  [paths.pointerKey("u"), "messages/u"],
  [paths.resultKey(7, "d"), "results/7/d"],
  [paths.waitingKey(7, "d"), "waiting/7/d.parquet"],
  [paths.tableKey(7, "v", "u"), "tables/7/v/u"],
  [paths.symbolsKey(7, "u"), "symbols/7/u"],
  [paths.importKey(7, "i"), "imports/7/i"],
  [paths.rowsFileKey(7, "u", "csv"), "exports/project=7/u.csv"],
  [paths.erasureKey(7, "u"), "state/7/erasures/u"],
  [paths.removalsKey(7, "u"), "state/7/removals/u"],
  [paths.lakePk(7), "lake#7"],
  [paths.HEAD_SK, "head"],
  [paths.TYPES_SK, "types"],
  [paths.commitSk("u"), "commit#u"],
  [paths.retiredSk("u"), "retired#u"],
  [paths.sealSk("2024-10"), "seal#2024-10"],
  [paths.failedSk("compact/2024-10"), "failed#compact/2024-10"],
];

describe("where things of the lake lie", () => {
  it.each(STORED)("is %s", (path, expected) => expect(path).toBe(expected));

  it("is below the prefixes that an audit lists and a removal deletes", () => {
    const lake = ["fresh/7/", "events/project=7/", "state/7/", "results/7/", "waiting/7/", "iceberg/project=7/"];
    expect(paths.lakePrefixes(7)).toEqual(lake);
    expect(paths.projectPrefixes(7)).toEqual([...lake, "tables/7/", "symbols/7/", "imports/7/", "exports/project=7/"]);
  });

  it("is told of a key's project", () => expect(paths.projectOfPk(paths.lakePk(712))).toBe(712));
});

describe("the index of what is due", () => {
  it("spreads projects over sixteen partitions, and sorts by time, however early", () => {
    const commit = { at: 5.9, lane: "historical", rows: 12, id: "c" } as const;
    expect(paths.dueKeys(19, commit)).toEqual({ duepk: "due#3", duesk: "0000000000005#historical#12#c" });
    expect(paths.laterKeys(32, 1_800_000_000_000, "head")).toEqual({ duepk: "later#0", duesk: "1800000000000#32#head" });
    expect(paths.failingKeys(19, -1, "failed#audit")).toEqual({ duepk: "failing", duesk: "0000000000000#19#failed#audit" });
    expect(paths.laterKeys(7, 41, "head").duesk < paths.laterUpTo(41)).toBe(true);
    expect(paths.laterKeys(7, 42, "head").duesk > paths.laterUpTo(41)).toBe(true);
  });
});
