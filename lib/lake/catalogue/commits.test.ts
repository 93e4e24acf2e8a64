import { describe, expect, it } from "vitest";
import { aCommit, aFile, PROJECT, smallLake } from "../../../test/support/samples/small-lake.ts";
import { CATALOGUE_FORMAT } from "./catalogue.ts";
import { commitItem, decodeCommit, readCommits } from "./commits.ts";

const NOW = 1_800_000_000_000;
const segment = { ...aFile("fresh/1"), partition: "2024-10" };

describe("the waiting commits", () => {
  it.each(["live", "historical"] as const)("are read as they were written, those of the %s lane", async (lane) => {
    const lake = await smallLake(NOW);
    const commits = ["c1", "c2", "c3"].map((id, at) => aCommit(id, NOW + at, { lane, segments: [segment], deltas: { inline: "{}" } }));
    for (const commit of commits.toReversed()) await lake.commit(commit);
    expect(await readCommits(lake.parts.table, PROJECT)).toEqual(commits);
  });
  it.each([
    ["of a later format", { v: CATALOGUE_FORMAT + 1 }],
    ["without a format", { v: "1" }],
    ["without a time", { at: "now" }],
    ["without what it says", { body: "" }],
  ])("are refused when one is %s, rather than left out", (_, changes) => {
    const item = { ...commitItem(PROJECT, aCommit("c1", NOW)), ...changes };
    expect(() => decodeCommit(item)).toThrow("a format that this version does not know");
  });
});
