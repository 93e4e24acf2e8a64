import { describe, expect, it } from "vitest";
import { smallLake } from "../../../test/support/samples/small-lake.ts";
import type { Table } from "../../ports/table.ts";
import { POLICIES } from "../catalogue/policy.ts";
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

  it("is cleared of what nobody names once it is two days old, in each month and on each page", async () => {
    const { parts, replace, usage, keys, pass } = await aLedger();
    for (const month of MONTHS) for (const events of [1, 2]) await replace(month, events);
    expect((await rollUpItems(parts.table, OWNER)).map(({ sk }) => sk)).toEqual(MONTHS);
    const named = keys();
    for (const key of named) await parts.objects.put(`${key}-left-by-a-crash`, new Uint8Array(1));
    pass(2 * DAY_MS);
    await deleteOldRollUps(parts, POLICIES.deployed, OWNER);
    expect(keys()).toHaveLength(2 * named.length);
    pass(1);
    await deleteOldRollUps(parts, POLICIES.deployed, OWNER);
    expect(keys()).toEqual(named);
    for (const month of MONTHS) expect(await usage(month)).toMatchObject(counts(2));
  });
});
