import fc from "fast-check";
import { expect, it } from "vitest";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { systemIds } from "../../../lib/app/system.ts";
import { readPriceHistory } from "../../../lib/billing/catalogue/price-history.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { memoryTokenKeys } from "../../support/memory-token-keys.ts";

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const month = (at: number): number => Date.UTC(2026, at);
const MONTHS = 16;

const PRICES = ["1", "3", "5"] as const;

/** An apply some days after the one before; half of them rename the plan. */
const step = fc.record({ days: fc.double({ min: 0, max: 60, noNaN: true }), usd: fc.constantFrom(...PRICES), renames: fc.boolean() });

const listOf = (plan_key: string, usd: string, replaces: Readonly<Record<string, string>>) => ({
  products: [
    {
      ...{ type: "events", name: "Events", usage_type: "event_count_in_period" },
      plans: [{ plan_key, name: "Paid", tiers: [{ up_to: null, unit_amount_usd: usd }] }],
    },
  ],
  ...(Object.keys(replaces).length > 0 && { replaces }),
});

/** The list of a moment, by the simplest means: the last one of those that begin by then. */
interface Applied {
  readonly from: number;
  readonly plan_key: string;
  readonly usd: string;
  readonly text: string;
}

it("each period has the prices of the last list that began by its start, and a plan goes on under whatever replaced it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const table = memoryTable();
      const time = { now: START };
      const clock = { now: () => time.now };
      const applied: Applied[] = [];
      for (const [at, { days, usd, renames }] of steps.entries()) {
        time.now += Math.floor(days * DAY_MS);
        const date = new Date(time.now);
        const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
        const last = applied.at(-1);
        const from = last === undefined ? Number.NEGATIVE_INFINITY : next;
        const plan_key = last === undefined || renames ? `plan-${at}` : last.plan_key;
        // One that waits for the same moment never comes into force, and replaces nothing.
        const before = applied.filter((each) => each.from < from).at(-1);
        const list = listOf(plan_key, usd, before !== undefined && before.plan_key !== plan_key ? { [before.plan_key]: plan_key } : {});
        await applyDocument({ table, clock, ids: systemIds(clock), tokenKeys: memoryTokenKeys() }, { billing_catalogue: list });
        const text = JSON.stringify(list);
        if (text !== last?.text) applied.push({ from, plan_key, usd, text });
      }
      const history = await readPriceHistory(table);
      for (let at = 0; at < MONTHS; at += 1) {
        const inForce = applied.filter(({ from }) => from <= month(at)).at(-1);
        const plan = history.at(month(at)).products[0]?.plans[0];
        expect([plan?.plan_key, plan?.tiers?.[0]?.unit_amount_usd]).toEqual([inForce?.plan_key, inForce?.usd]);
        for (let since = 0; since <= at; since += 1) {
          const chosen = history.at(month(since)).products[0]?.plans[0]?.plan_key ?? "";
          const held = history.heldPlan({ product: "events", plan_key: chosen }, month(since), month(at));
          expect(held?.plan).toEqual(plan);
        }
      }
    }),
    { numRuns: 60 },
  );
});

it("applying the list before last gives its prices again", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...PRICES), { minLength: 2, maxLength: 6 }), async (prices) => {
      const table = memoryTable();
      const time = { now: START };
      const clock = { now: () => time.now };
      const apply = async (usd: string): Promise<string | undefined> => {
        await applyDocument(
          { table, clock, ids: systemIds(clock), tokenKeys: memoryTokenKeys() },
          { billing_catalogue: listOf("plan", usd, {}) },
        );
        time.now += 31 * DAY_MS;
        const { products } = (await readPriceHistory(table)).at(time.now);
        return products[0]?.plans[0]?.tiers?.[0]?.unit_amount_usd;
      };
      for (const usd of prices) expect(await apply(usd)).toBe(usd);
      const beforeLast = prices.at(-2) ?? "";
      expect(await apply(beforeLast)).toBe(beforeLast);
    }),
    { numRuns: 60 },
  );
});
