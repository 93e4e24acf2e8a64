import { describe, expect, it } from "vitest";
import { aCommit, aFile, PROJECT, smallLake } from "../../../test/support/samples/small-lake.ts";
import { itemBytes } from "../../../test/support/table-meter/units.ts";
import { CATALOGUE_FORMAT } from "../catalogue.ts";
import { commitBytes, commitItem, decodeCommit, MAX_COMMIT_BYTES, readCommits } from "./commits.ts";

const NOW = 1_800_000_000_000;
const segment = { ...aFile("fresh/1"), partition: "2024-10" };

describe("the waiting commits", () => {
  it.each(["live", "historical"] as const)("are read as they were written, those of the %s lane", async (lane) => {
    const lake = await smallLake(NOW);
    const commits = ["c1", "c2", "c3"].map((id, at) => aCommit(id, NOW + at, { lane, segments: [segment], deltas: { inline: "{}" } }));
    for (const commit of commits.toReversed()) await lake.commit(commit);
    expect(await readCommits(lake.parts.table, PROJECT)).toEqual(commits);
  });
  it("are read from all pages, with how many properties were left out of them", async () => {
    const lake = await smallLake(NOW);
    const over = aCommit("c0", NOW, { segments: [segment], over: 3 });
    for (const id of ["c1", "c2", "c3"]) await lake.commit({ ...over, id });
    const { table } = lake.parts;
    const paged: typeof table = { ...table, query: (asked) => table.query({ ...asked, limit: 2 }) };
    expect(await readCommits(paged, PROJECT)).toEqual(["c1", "c2", "c3"].map((id) => ({ ...over, id })));
  });
  it("tell in the index how many rows wait of which lane since when", () => {
    const segments = [segment, { ...segment, rows: 41 }];
    const item = commitItem(PROJECT, aCommit("c1", NOW, { lane: "historical", segments }));
    expect([item.duepk, item.duesk]).toEqual(["due#7", `${NOW}#historical#42#c1`]);
  });
  it("are weighed before they are written, and then fit into an item", () => {
    for (const count of [0, 1, 1_000]) {
      const segments = Array.from({ length: count }, (_, at) => ({ ...segment, key: `fresh/${Math.sin(at)}` }));
      const item = commitItem(PROJECT, aCommit("01JBT7K9Q0000000000000000X", NOW, { segments }));
      expect(Math.abs(commitBytes(item) - itemBytes(item))).toBeLessThan(150);
    }
    expect(MAX_COMMIT_BYTES).toBeLessThan(380_000);
  });
  it.each([
    ["of a format after the next", { v: CATALOGUE_FORMAT + 2 }],
    ["without a format", { v: "1" }],
    ["without a time", { at: "now" }],
    ["without what it says", { body: "" }],
  ])("are refused when one is %s, rather than left out", (_, changes) => {
    const item = { ...commitItem(PROJECT, aCommit("c1", NOW)), ...changes };
    expect(() => decodeCommit(item)).toThrow("a format that this version does not know");
  });
});
