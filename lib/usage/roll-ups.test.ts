import { describe, expect, it } from "vitest";
import { smallLake } from "../../test/support/samples/small-lake.ts";
import { pack, unpack } from "../core/pack.ts";
import type { Table } from "../ports/table.ts";
import { deleteOldRollUps, type RollUp, readRollUp, replaceRollUp, rollUpItems, withProject } from "./roll-ups.ts";

const NOW = 1_800_000_000_000;
const DAY_MS = 86_400_000;
const OWNER = "organization";
const MONTHS = ["2026-01", "2026-02", "2026-03", "2026-04", "2026-05"] as const;

const NOTHING: RollUp = { names: [], projects: {} };
const counts = (events: number): RollUp =>
  withProject(NOTHING, 7, { manifest: `m${events}`, days: { "20000": { event_count_in_period: events } } });

/** A store with short pages, beside which the table may lose a race or an answer. */
const aLedger = async (table?: (stored: Table) => Table) => {
  const lake = await smallLake(NOW);
  const parts = { ...lake.parts, table: table ? table(lake.parts.table) : lake.parts.table };
  return {
    ...lake,
    parts,
    usage: async (month: string) => (await readRollUp(lake.parts, OWNER, month)).rollUp,
    /** Counts anew in what was read now. */
    replace: async (month: string, events: number) =>
      replaceRollUp(parts, OWNER, month, (await readRollUp(lake.parts, OWNER, month)).item, counts(events)),
  };
};

describe("the usage of an organization in a month", () => {
  it("is what was counted last, and what it was before stays for its readers", async () => {
    const { replace, usage, keys } = await aLedger();
    expect(await usage("2026-01")).toEqual(NOTHING);
    for (const events of [1, 2, 3]) {
      expect(await replace("2026-01", events)).toBe(true);
      expect(await usage("2026-01")).toMatchObject(counts(events));
    }
    expect(keys()).toHaveLength(2);
  });

  it("is left as it is by one who was not first, and nothing stays of the attempt", async () => {
    const { parts, replace, usage, keys } = await aLedger();
    const { item } = await readRollUp(parts, OWNER, "2026-01");
    await replace("2026-01", 1);
    const before = keys();
    expect(await replaceRollUp(parts, OWNER, "2026-01", item, counts(9))).toBe(false);
    expect(await usage("2026-01")).toMatchObject(counts(1));
    expect(keys()).toEqual(before);
  });

  it("is told apart from other faults of the table, and nothing is deleted that was not replaced twice", async () => {
    let removed = 0;
    const { parts, replace } = await aLedger();
    const { remove } = parts.objects;
    Object.assign(parts.objects, {
      remove: (keys: readonly string[]) => {
        removed += keys.length;
        return remove(keys);
      },
    });
    for (const events of [1, 2]) await replace("2026-01", events);
    expect(removed).toBe(0);
    await replace("2026-01", 3);
    expect(removed).toBe(1);
    const table = { ...parts.table, update: () => Promise.reject(new Error("throttled")) };
    await expect(replaceRollUp({ ...parts, table }, OWNER, "2026-02", undefined, counts(1))).rejects.toThrow("throttled");
  });

  it("is looked for again where it was replaced meanwhile, and missed where it is gone", async () => {
    const { parts, replace } = await aLedger();
    await replace("2026-01", 1);
    let missing = 3;
    const get: typeof parts.objects.get = async (key) => (missing-- > 0 ? undefined : parts.objects.get(key));
    const unlucky = { ...parts, objects: { ...parts.objects, get } };
    expect((await readRollUp(unlucky, OWNER, "2026-01")).rollUp).toMatchObject(counts(1));
    missing = Number.POSITIVE_INFINITY;
    await expect(readRollUp(unlucky, OWNER, "2026-01")).rejects.toThrow("is missing");
  });

  it("is stored in a format that says its version, and refused where that is a later one", async () => {
    const { parts, replace, keys } = await aLedger();
    await replace("2026-01", 1);
    const [key = ""] = keys();
    expect(key).toMatch(/^usage\/organization\/2026-01\/[0-9A-Z]{26}$/);
    expect(await parts.table.get({ pk: "usage#organization", sk: "2026-01" })).toMatchObject({ current: key.split("/")[3] });
    const stored = unpack((await parts.objects.get(key)) ?? new Uint8Array());
    expect(stored).toEqual({ v: 2, names: ["event_count_in_period"], projects: { 7: { manifest: "m1", runs: [[0, 20_000, 1]] } } });
    await parts.objects.put(key, pack({ ...Object(stored), v: 4 }));
    await expect(readRollUp(parts, OWNER, "2026-01")).rejects.toThrow("newer than this version");
  });

  it("keeps the counts and the names of the projects that were not counted anew", () => {
    const both = withProject(counts(1), 8, { manifest: "n", days: { "20000": { other: 2, event_count_in_period: 3 } } });
    expect(both).toEqual({
      names: ["event_count_in_period", "other"],
      projects: {
        7: { manifest: "m1", runs: [[0, 20_000, 1]] },
        8: {
          manifest: "n",
          runs: [
            [1, 20_000, 2],
            [0, 20_000, 3],
          ],
        },
      },
    });
  });

  it("is counted where only the answer was lost", async () => {
    let isLost = true;
    const { replace, usage } = await aLedger((stored) => ({
      ...stored,
      async update(...given) {
        const item = await stored.update(...given);
        if (isLost) {
          isLost = false;
          return stored.update(...given);
        }
        return item;
      },
    }));
    expect(await replace("2026-01", 1)).toBe(true);
    expect(await usage("2026-01")).toMatchObject(counts(1));
  });

  it("is found in each of its months, however few of them the table gives at once", async () => {
    const { parts, replace } = await aLedger((stored) => ({ ...stored, query: (asked) => stored.query({ ...asked, limit: 2 }) }));
    for (const month of MONTHS) await replace(month, 1);
    expect((await rollUpItems(parts.table, OWNER)).map(({ sk }) => sk)).toEqual(MONTHS);
  });

  it("is cleared of what nobody names once it is two days old, in each month and on each page", async () => {
    const { parts, replace, usage, keys, pass } = await aLedger();
    for (const month of MONTHS) for (const events of [1, 2]) await replace(month, events);
    expect((await rollUpItems(parts.table, OWNER)).map(({ sk }) => sk)).toEqual(MONTHS);
    const named = keys();
    for (const key of named) await parts.objects.put(`${key}-left-by-a-crash`, new Uint8Array(1));
    pass(2 * DAY_MS);
    await deleteOldRollUps(parts, 2 * DAY_MS, OWNER);
    expect(keys()).toHaveLength(2 * named.length);
    pass(1);
    await deleteOldRollUps(parts, 2 * DAY_MS, OWNER);
    expect(keys()).toEqual(named);
    for (const month of MONTHS) expect(await usage(month)).toMatchObject(counts(2));
  });
});
