import { describe, expect, it } from "vitest";
import { aFile } from "../../../test/support/layouts.ts";
import { aCommit, aManifest, PROJECT } from "../../../test/support/samples/small-lake.ts";
import type { FileFacts, Manifest } from "../catalogue.ts";
import type { Proposal } from "./gather.ts";
import type { PartitionState } from "./partition-state.ts";
import { rebase } from "./rebase.ts";

const [A, B, C, D] = ["a", "b", "c", "d"].map((key) => aFile(key, 10, 1)) as [FileFacts, FileFacts, FileFacts, FileFacts];
const AB = aFile("ab", 20, 1);
const CD = aFile("cd", 20, 1);
const WAITING = aCommit("c1", 0);

const state = (changes: Partial<Manifest> | null, commits = [WAITING]): PartitionState => ({
  project: PROJECT,
  partition: "2024-10",
  manifest: changes && aManifest("m", changes),
  commits,
  removals: null,
});

const proposal = (changes: Partial<Proposal>): Proposal => ({
  ...{ files: [], loose: [], merged: [], corrections: [], sealed: false, retired: ["old"] },
  ...changes,
});

const FOUND = state({ files: [A, B], loose: [C, D] });
const MERGES_FILES = proposal({ files: [AB], loose: [C, D] });
const MERGES_LOOSE = proposal({ files: [A, B, CD], loose: [] });
const GATHERS = proposal({ files: [A, B], loose: [C, D, aFile("new", 5, 1)], merged: [WAITING] });

const named = (rebased: Proposal | null) => rebased && [rebased.files.map(({ key }) => key), rebased.loose.map(({ key }) => key)];

describe("a merge", () => {
  it("stays right where others gathered rows and merged other files, and keeps theirs", () => {
    const others = state({ files: [A, B, CD], loose: [aFile("late", 3, 1)], absorbed: ["c9"], absorbedAt: [5] });
    expect(named(rebase(FOUND, MERGES_FILES, others))).toEqual([["cd", "ab"], ["late"]]);
    expect(rebase(FOUND, MERGES_FILES, others)?.retired).toEqual(["old"]);
  });
  it("is to be done again where one of its files is gone, or is of the other kind by now", () => {
    expect(rebase(FOUND, MERGES_FILES, state({ files: [A], loose: [C, D] }))).toBeNull();
    expect(rebase(FOUND, MERGES_LOOSE, state({ files: [A, B, C], loose: [D] }))).toBeNull();
    expect(rebase(FOUND, MERGES_LOOSE, state(null))).toBeNull();
  });
  it("leaves sealed what was sealed meanwhile, and never seals what changed", () => {
    expect(rebase(FOUND, MERGES_FILES, state({ files: [A, B], sealed: true }))?.sealed).toBe(true);
    expect(rebase(FOUND, { ...MERGES_LOOSE, sealed: true }, FOUND)).toBeNull();
    const sealed = state({ files: [A, B], loose: [C, D], sealed: true });
    expect(rebase(sealed, { ...MERGES_LOOSE, sealed: true }, sealed)?.sealed).toBe(true);
  });
});

describe("what is gathered", () => {
  it("stays right where rows only moved from file to file", () => {
    expect(named(rebase(FOUND, GATHERS, state({ files: [AB, CD], loose: [] })))).toEqual([["ab", "cd"], ["new"]]);
    expect(named(rebase(state(null), GATHERS, state(null)))).toEqual([
      ["a", "b"],
      ["c", "d", "new"],
    ]);
  });
  it("is to be compared again where rows came, wherever they lie", () => {
    expect(rebase(FOUND, GATHERS, state({ files: [A, B], loose: [C, D, aFile("late", 1, 1)] }))).toBeNull();
    expect(rebase(state(null), GATHERS, FOUND)).toBeNull();
    const leaf = { id: "l", loose: false, days: [9, 9] as const, files: 1, rows: 20, plainBytes: 1, footers: [] };
    expect(named(rebase(FOUND, GATHERS, state({ files: [], loose: [C, D], leaves: [leaf] })))).toEqual([[], ["c", "d", "new"]]);
    expect(rebase(FOUND, GATHERS, state({ files: [], loose: [C, D], leaves: [{ ...leaf, rows: 21 }] }))).toBeNull();
  });
  it("is nobody's any more where another one gathered it, also where its commit is deleted by now", () => {
    expect(rebase(FOUND, GATHERS, state({ files: [A, B], loose: [C, D], absorbed: ["c1"], absorbedAt: [5] }))).toBeNull();
    expect(rebase(FOUND, GATHERS, state({ files: [A, B], loose: [C, D] }, []))).toBeNull();
  });
  it("adds its corrections to those of others, and takes away those of deleted commits once", () => {
    const correction = (key: string) => ({ key, commits: [key] });
    const found = state({ corrections: [correction("gone"), correction("stays")] });
    const change = proposal({ merged: [WAITING], corrections: [correction("stays"), correction("own")] });
    const keys = (base: PartitionState) => rebase(found, change, base)?.corrections.map(({ key }) => key);
    expect(keys(state({ corrections: [correction("gone"), correction("stays"), correction("others")] }))).toEqual([
      "stays",
      "others",
      "own",
    ]);
    expect(keys(state({ corrections: [correction("stays")] }))).toEqual(["stays", "own"]);
  });
});
