import { describe, expect, it } from "vitest";
import { aManifest, PROJECT, smallLake } from "../../../test/support/samples/small-lake.ts";
import { Conflict, type Table } from "../../ports/table.ts";
import { readHead, tombstone } from "../head.ts";
import { laterKeys, manifestKey, publishSk, sealSk } from "../paths.ts";
import { POLICIES, policyOf } from "../policy.ts";
import type { SwapParts } from "./parts.ts";
import { readRetired } from "./retired.ts";
import { swap } from "./swap.ts";

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const PARTITION = "2024-10";

const swapped = (parts: SwapParts, from: string | null, to: string, retired: readonly string[] = [], sealAt?: number | null) =>
  swap(parts, POLICIES.deployed, PROJECT, PARTITION, from, aManifest(to), null, { retired, ...(sealAt !== undefined && { sealAt }) });
const named = async ({ table }: SwapParts) => (await readHead(table, PROJECT)).manifests[PARTITION];

/** A table whose transactions meet others, and take so long. */
const busy = (table: Table, times: number, pass: () => void): Table => {
  let left = times;
  return {
    ...table,
    transact: (writes) => {
      pass();
      if (left-- > 0) return Promise.reject(new Conflict("another transaction is under way"));
      return table.transact(writes);
    },
  };
};

describe("a swap", () => {
  it("names the new manifest and retires the old one with what it held", async () => {
    const { parts } = await smallLake(NOW);
    expect(await swapped(parts, null, "m1")).toBe("done");
    expect(await swapped(parts, "m1", "m2", ["events/old"])).toBe("done");
    expect(await named(parts)).toBe("m2");
    expect(await readRetired(parts.table, PROJECT)).toEqual(["events/old", manifestKey(PROJECT, PARTITION, "m1")]);
  });
  it("names only what is stored, and is done where nothing but the answer was lost", async () => {
    const { parts } = await smallLake(NOW);
    let isStored: boolean | undefined;
    const transact: Table["transact"] = async (writes) => {
      isStored = (await parts.objects.get(manifestKey(PROJECT, PARTITION, "m1"))) !== undefined;
      await parts.table.transact(writes);
      throw new Error("the table did not answer");
    };
    const put: typeof parts.objects.put = async (...given) => {
      await new Promise(setImmediate);
      return parts.objects.put(...given);
    };
    const slow = { ...parts, objects: { ...parts.objects, put }, table: { ...parts.table, transact } };
    expect(await swapped(slow, null, "m1")).toBe("done");
    expect(isStored).toBe(true);
  });
  it("leaves what it retired to be deleted a day later, the partition to be sealed at its time, and nothing else", async () => {
    const { parts } = await smallLake(NOW);
    const left = () =>
      parts.table
        .everything()
        .filter(({ sk }) => sk !== "head")
        .map(({ sk, duesk }) => [sk, duesk]);
    expect(await swapped(parts, null, "m1", [], null)).toBe("done");
    expect(left()).toEqual([]);
    const day = NOW + 24 * 60 * MINUTE_MS;
    expect(await swapped(parts, "m1", "m2", [], day + 5)).toBe("done");
    const sk = "retired#00000000000000000000000000";
    expect(left()).toEqual([
      [sk, laterKeys(PROJECT, day, sk).duesk],
      [sealSk(PARTITION), laterKeys(PROJECT, day + 5, sealSk(PARTITION)).duesk],
    ]);
  });
  it("is lost when another one named a manifest first, and retires nothing", async () => {
    const { parts } = await smallLake(NOW);
    await swapped(parts, null, "m1");
    expect(await swapped(parts, null, "m2", ["events/mine"])).toBe("lost");
    expect(await named(parts)).toBe("m1");
    expect(await readRetired(parts.table, PROJECT)).toEqual([]);
  });
  it("does nothing on a project that was removed", async () => {
    const { parts } = await smallLake(NOW);
    await parts.table.transact([tombstone(PROJECT, NOW, NOW)]);
    expect(await swapped(parts, null, "m1", ["events/old"])).toBe("removed");
    expect(await named(parts)).toBeUndefined();
    expect(await readRetired(parts.table, PROJECT)).toEqual([]);
  });
  it("is lost at once when another one is named by the time that it could not be written", async () => {
    const lake = await smallLake(NOW);
    let tries = 0;
    const first = busy(lake.parts.table, 1, () => {
      tries += 1;
    });
    const table: Table = {
      ...first,
      transact: (writes) =>
        first.transact(writes).catch(async (error: unknown) => {
          await swapped(lake.parts, null, "quicker");
          throw error;
        }),
    };
    expect(await swapped({ ...lake.parts, table }, null, "m1")).toBe("lost");
    expect(tries).toBe(1);
  });
  it("tries again while others write to the head", async () => {
    const lake = await smallLake(NOW);
    const table = busy(lake.parts.table, 7, () => undefined);
    expect(await swapped({ ...lake.parts, table }, null, "m1")).toBe("done");
    const never = busy(lake.parts.table, 8, () => undefined);
    await expect(swapped({ ...lake.parts, table: never }, "m1", "m2")).rejects.toThrow("under way");
  });
  it("is lost when it comes more than five minutes after its manifest was made, because the stay of commits is counted from that", async () => {
    const lake = await smallLake(NOW);
    const late = busy(lake.parts.table, 1, () => lake.pass(5 * MINUTE_MS + 1));
    expect(await swapped({ ...lake.parts, table: late }, null, "m1")).toBe("lost");
    expect(await named(lake.parts)).toBeUndefined();
    const inTime = busy(lake.parts.table, 1, () => lake.pass(2 * MINUTE_MS));
    expect(await swapped({ ...lake.parts, table: inTime }, null, "m2")).toBe("done");
  });
  it("keeps every key where it retires more than one item holds", async () => {
    const { parts } = await smallLake(NOW);
    const keys = Array.from({ length: 8_001 }, (_, at) => `events/${at}`);
    expect(await swapped(parts, null, "m1", keys)).toBe("done");
    expect((await readRetired(parts.table, PROJECT)).toSorted()).toEqual(keys.toSorted());
    expect(parts.table.everything().filter(({ sk }) => sk.startsWith("retired#"))).toHaveLength(3);
  });
  it("leaves a mark for each slot of time that tables are to be published after, and none where none are", async () => {
    const { parts, pass } = await smallLake(NOW);
    const publishing = policyOf({ compaction: "deployed", publish: "iceberg" });
    const every = publishing.publishEveryMs ?? 0;
    const marks = () => parts.table.everything().filter(({ sk }) => sk.startsWith(publishSk("")));
    const publish = (from: string | null, to: string) =>
      swap(parts, publishing, PROJECT, PARTITION, from, aManifest(to), null, { retired: [] });
    await swapped(parts, null, "m0");
    expect(marks()).toEqual([]);
    await publish("m0", "m1");
    const [first] = marks();
    const due = Number.parseInt(String(first?.duesk), 10);
    expect(due).toBeGreaterThan(NOW);
    expect(due).toBeLessThanOrEqual(NOW + every);
    pass(due - NOW - 1);
    await publish("m1", "m2");
    expect(marks()).toEqual([first]);
    pass(1);
    await publish("m2", "m3");
    expect(marks().map(({ duesk }) => Number.parseInt(String(duesk), 10))).toEqual([due, due + every]);
  });
});
