import { describe, expect, it } from "vitest";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { Conflict, type Table } from "../table/table.ts";
import { CATALOGUE_FORMAT, type Manifest } from "./catalogue.ts";
import { initialHead, readHead, tombstone } from "./head.ts";
import { POLICIES } from "./policy.ts";
import { swap } from "./swap.ts";

const MINUTE_MS = 60_000;

const aManifest = (id: string): Manifest => ({
  v: CATALOGUE_FORMAT,
  id,
  partition: "2026-06",
  files: [],
  loose: [],
  absorbed: [],
  absorbedAt: [],
  sealed: false,
});

const aLake = async (wrap: (table: Table, pass: (ms: number) => void) => Table = (table) => table) => {
  let now = 1_800_000_000_000;
  let ulids = 0;
  const table = memoryTable();
  await table.put(initialHead(1, now));
  const pass = (ms: number): void => {
    now += ms;
  };
  const parts = {
    table: wrap(table, pass),
    objects: memoryObjects(),
    clock: { now: () => now },
    ids: { uuid: () => "", ulid: () => String(ulids++).padStart(26, "0"), secret: () => new Uint8Array() },
  };
  return {
    table,
    swap: (from: string | null, to: string) => swap(parts, POLICIES.deployed, 1, "2026-06", from, aManifest(to), { retired: [] }),
  };
};

const named = async (table: Table): Promise<string | undefined> => (await readHead(table, 1)).manifests["2026-06"];

describe("a swap", () => {
  it("never succeeds once the project is removed, also when it is removed while the swap is on its way", async () => {
    const lake = await aLake((table) => ({
      ...table,
      transact: async (writes) => {
        await table.transact([tombstone(1, 0, 0)]);
        return table.transact(writes);
      },
    }));
    expect(await lake.swap(null, "m1")).toBe("removed");
    expect(await named(lake.table)).toBeUndefined();
  });

  it("counts as lost when the head names another manifest by then", async () => {
    const lake = await aLake();
    expect(await lake.swap(null, "m1")).toBe("done");
    expect(await lake.swap(null, "m2")).toBe("lost");
    expect(await named(lake.table)).toBe("m1");
  });

  it("is not tried any more five minutes after its manifest was made: readers were promised the commits that it absorbed", async () => {
    let tries = 0;
    const lake = await aLake((table, pass) => ({
      ...table,
      transact: async (writes) => {
        tries += 1;
        pass(3 * MINUTE_MS);
        if (tries < 3) throw new Conflict("another transaction is at the head");
        return table.transact(writes);
      },
    }));
    expect(await lake.swap(null, "m1")).toBe("lost");
    expect(await named(lake.table)).toBeUndefined();
  });
});
