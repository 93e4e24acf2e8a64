import { expect, test } from "vitest";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import * as store from "../../table/store.ts";
import { ABSENT } from "../../table/transact.ts";
import { BillingCatalogues } from "./catalogue.ts";
import { readPriceHistory } from "./price-history.ts";

const GIVEN = "2026-01-01T00:00:00.000Z";

/** A list as an earlier release took it, with all that would be refused today. */
const LAX = {
  products: [
    {
      type: "events",
      name: "Events",
      usage_key: "event",
      usage_type: "event_count",
      colour: "red",
      plans: [
        { plan_key: "paid", name: "Paid", mode: "volume", free_allocation: 10, tiers: [{ up_to: 50, unit_amount_usd: "2", step: 1 }] },
        { plan_key: "paid", name: "Paid" },
      ],
    },
    { type: "events", name: "Nothing", plans: [] },
  ],
};

test("a stored list keeps its prices, whatever would be refused of it today", async () => {
  const table = memoryTable();
  await store.put(
    table,
    BillingCatalogues,
    { id: "lax", number: 0, document: LAX, effective_from: GIVEN, from_beginning: false, replaces: {} },
    ABSENT,
  );
  const prices = {
    id: "lax",
    products: [
      {
        usage_key: "event",
        usage_type: "event_count",
        trial: null,
        addons: [],
        plans: [{ free_allocation: 10, tiers: [{ up_to: 50, unit_amount_usd: "2", flat_amount_usd: "0" }] }, { tiers: null }],
      },
      { type: "events", plans: [] },
    ],
  };
  const history = await readPriceHistory(table);
  expect(history.named("lax")).toMatchObject(prices);
  expect(history.at(Date.parse(GIVEN))).toMatchObject(prices);
  expect(history.at(Date.parse(GIVEN) - 1).id).toBe("built-in");
});
