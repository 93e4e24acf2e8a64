import { describe, expect, it } from "vitest";
import { aCommit, aFile, aManifest, aState, PROJECT, smallLake } from "../../test/support/samples/small-lake.ts";
import type { Query } from "../ports/table.ts";
import { hasCommitsSince, MOST_PARTITIONS, OLDEST_COMMITS, readBacklog } from "./backlog.ts";
import { putManifest } from "./catalogue/manifests.ts";
import { STATE_ENTRY } from "./catalogue.ts";
import { renameWrite } from "./head.ts";

const AT = Date.UTC(2026, 0, 1);
const idOf = (number: number): string => String(number).padStart(26, "0");
const segment = (partition: string) => ({ ...aFile(`fresh/${partition}`), partition });

/** A lake whose reads are counted. */
const countedLake = async () => {
  const lake = await smallLake(AT);
  const reads = { table: 0, objects: 0 };
  const { table, objects } = lake.parts;
  const parts = {
    ...lake.parts,
    table: {
      ...table,
      get: (...given: Parameters<typeof table.get>) => {
        reads.table += 1;
        return table.get(...given);
      },
      query: (query: Query) => {
        reads.table += 1;
        return table.query(query);
      },
    },
    objects: {
      ...objects,
      get: (key: string) => {
        reads.objects += 1;
        return objects.get(key);
      },
    },
  };
  return {
    ...lake,
    reads,
    backlog: () => readBacklog(parts, PROJECT),
    has: (since: number) => hasCommitsSince(parts.table, "live", since),
  };
};

describe("a project's backlog", () => {
  it("is empty without commits", async () => {
    const { backlog } = await countedLake();
    expect(await backlog()).toEqual({ newestLive: null, segments: 0, deltas: 0, oldestAt: null, hasMore: false });
  });

  it("leaves out what manifest and state have taken in, and knows the newest commit of the live lane", async () => {
    const { backlog, commit, parts } = await countedLake();
    const deltas = { inline: "x" };
    await commit(aCommit(idOf(1), AT + 1, { segments: [segment("2024-10")], deltas }));
    await commit(aCommit(idOf(2), AT + 2, { segments: [segment("2024-10"), segment("2024-11")], deltas, receivedAt: AT - 5 }));
    await commit(aCommit(idOf(3), AT + 3, { segments: [segment("2024-11")], lane: "historical" }));
    await putManifest(parts.objects, PROJECT, "2024-10", aManifest("m1", { absorbed: [idOf(1), idOf(2)], absorbedAt: [AT, AT] }));
    await putManifest(parts.objects, PROJECT, STATE_ENTRY, aState("s1", { absorbed: [idOf(1)], absorbedAt: [AT] }));
    await parts.table.transact([renameWrite(PROJECT, "2024-10", null, "m1", null)]);
    await parts.table.transact([renameWrite(PROJECT, STATE_ENTRY, null, "s1", null)]);
    expect(await backlog()).toMatchObject({
      newestLive: { at: AT + 2, receivedAt: AT - 5 },
      segments: 2,
      deltas: 1,
      oldestAt: AT + 2,
      hasMore: false,
    });
  });

  it("takes a bounded number of reads, however much waits, and says that there is more", async () => {
    const { backlog, commit, reads } = await countedLake();
    for (let number = 1; number <= OLDEST_COMMITS + 10; number += 1) {
      const partition = `20${String(10 + (number % (MOST_PARTITIONS + 3)))}-01`;
      await commit(aCommit(idOf(number), AT + number, { segments: [segment(partition)] }));
    }
    const found = await backlog();
    expect(found).toMatchObject({ newestLive: { at: AT + OLDEST_COMMITS + 10 }, oldestAt: AT + 1, hasMore: true });
    expect(found.segments).toBeLessThan(OLDEST_COMMITS);
    // The head, the oldest commits and the newest; no manifest is named.
    expect(reads).toEqual({ table: 3, objects: 0 });
  });
});

it("a commit of a lane since a moment is found in the index of all projects, by one read of each shard", async () => {
  const { commit, has, reads } = await countedLake();
  await commit(aCommit(idOf(1), AT));
  await commit(aCommit(idOf(2), AT + 60_000, { lane: "historical" }));
  reads.table = 0;
  expect([await has(AT - 1), reads.table]).toEqual([true, 16]);
  expect([await has(AT), await has(AT + 1)]).toEqual([true, false]);
});
