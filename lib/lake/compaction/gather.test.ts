import { describe, expect, it } from "vitest";
import { memoryRowFiles, rowLists } from "../../../test/simulation/ports/row-files.ts";
import { anEventRow, countRows } from "../../../test/support/samples/event-rows.ts";
import { aCommit, aManifest, PROJECT, smallLake } from "../../../test/support/samples/small-lake.ts";
import type { Commit, Manifest } from "../catalogue.ts";
import { POLICIES } from "../policy.ts";
import type { RowFiles } from "../row-files.ts";
import { gather } from "./gather.ts";

const NOW = Date.UTC(2024, 9, 20);
const PARTITION = "2024-10";

/** A lake whose merges are noted by the files that they read. */
const aLake = async () => {
  const { parts } = await smallLake(NOW);
  const files = memoryRowFiles(parts.objects, rowLists(), { countUsage: countRows });
  const merges: (readonly string[])[] = [];
  const rowFiles: RowFiles = {
    ...files,
    merge: (project, sources, shape, name) => {
      merges.push(sources.map(({ file }) => file.key));
      return files.merge(project, sources, shape, name);
    },
  };
  /** A commit of one event of each of some people. */
  const commit = async (id: string, ...people: readonly string[]): Promise<Commit> => {
    const rows = people.map((distinct_id) => anEventRow({ distinct_id, timestamp: BigInt(NOW) * 1_000n }));
    const { content, ...facts } = await files.write(rows);
    await parts.objects.put(`segment-${id}`, content);
    return aCommit(id, NOW, { segments: [{ key: `segment-${id}`, partition: PARTITION, ...facts }] });
  };
  const gatheredUpTo = (upTo: string, manifest: Manifest | null, ...commits: readonly Commit[]) =>
    gather({ ...parts, rowFiles }, POLICIES.deployed, { project: PROJECT, partition: PARTITION, manifest, commits, removals: null }, upTo);
  const gathered = (manifest: Manifest | null, ...commits: readonly Commit[]) => gatheredUpTo("c9", manifest, ...commits);
  return { commit, gathered, gatheredUpTo, merges };
};

describe("gathering waiting rows", () => {
  it("reads each waiting file of which a row is not there yet, and no other", async () => {
    const { commit, gathered, merges } = await aLake();
    const [first, second, third] = [await commit("c1", "ann", "bob"), await commit("c2", "ann"), await commit("c3", "bob", "cleo")];
    const proposal = await gathered(null, first, second, third);
    expect(merges).toEqual([["segment-c1", "segment-c3"]]);
    expect(proposal?.loose.map(({ rows }) => rows)).toEqual([3]);
    expect(proposal).toMatchObject({ merged: [first, second, third], retired: ["segment-c1", "segment-c2", "segment-c3"], sealed: false });
  });

  it("writes nothing where all of them are there, and lets go of what waited", async () => {
    const { commit, gathered, merges } = await aLake();
    const before = await gathered(null, await commit("c1", "ann", "bob"));
    const manifest = aManifest("m1", { loose: before?.loose ?? [], absorbed: ["c1"], absorbedAt: [NOW], sealed: true });
    const again = await commit("c2", "bob");
    const proposal = await gathered(manifest, again);
    expect(merges).toEqual([["segment-c1"]]);
    expect(proposal).toMatchObject({ files: [], loose: manifest.loose, merged: [again], retired: ["segment-c2"], sealed: true });
  });

  it.each([
    ["c0", false],
    ["c1", true],
    ["c2", true],
  ])("takes all that waits where a commit up to %s does: %s", async (upTo, isDone) => {
    const { commit, gatheredUpTo } = await aLake();
    const commits = [await commit("c0", "ann"), await commit("c1", "bob"), await commit("c3", "cleo")];
    const manifest = aManifest("m1", { absorbed: ["c0"], absorbedAt: [NOW] });
    const proposal = await gatheredUpTo(upTo, manifest, ...commits);
    expect(proposal?.merged.map(({ id }) => id)).toEqual(isDone ? ["c1", "c3"] : undefined);
  });

  it("leaves rows of other partitions to those", async () => {
    const { commit, gathered, merges } = await aLake();
    const [own, other] = [await commit("c1", "ann"), await commit("c2", "bob")];
    const elsewhere = other.segments.map((segment) => ({ ...segment, partition: "2024-11" }));
    const proposal = await gathered(null, { ...own, segments: [...own.segments, ...elsewhere] }, { ...other, segments: elsewhere });
    expect([proposal?.merged.map(({ id }) => id), proposal?.retired, merges]).toEqual([["c1"], ["segment-c1"], [["segment-c1"]]]);
  });
});
