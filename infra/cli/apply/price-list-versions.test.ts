import { expect, test } from "vitest";
import { systemIds } from "../../../lib/app/system.ts";
import { BillingCatalogues } from "../../../lib/billing/catalogue/catalogue.ts";
import { readPriceHistory } from "../../../lib/billing/catalogue/price-history.ts";
import { newAccount } from "../../../lib/billing/customer/account.ts";
import { Subscriptions } from "../../../lib/billing/customer/subscription.ts";
import { openInvoice } from "../../../lib/billing/invoices/open-invoice.ts";
import { Invoices } from "../../../lib/billing/invoices.ts";
import { readPriceListVersions } from "../../../lib/billing/price-list-versions.ts";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import * as store from "../../../lib/table/store.ts";
import { memoryTable } from "../../../test/simulation/ports/table.ts";
import { memoryTokenKeys } from "../../../test/support/memory-token-keys.ts";
import { applyDocument } from "./apply.ts";
import { planDocument } from "./dry-run.ts";

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 6, 9, 15);
const ORGANIZATION = "0190d0aa-0000-7000-8000-000000000001";

const listAt = (usd: string, more: object = {}) => ({
  products: [
    {
      type: "events",
      name: "Events",
      usage_key: "events",
      usage_type: "event_count_in_period",
      plans: [{ plan_key: "paid", name: "Paid", tiers: [{ up_to: null, unit_amount_usd: usd }] }],
    },
  ],
  ...more,
});

/** A deployment whose operator applies lists at times of his choice. */
const deployment = () => {
  const calls: string[] = [];
  const table = memoryTable({ meter: { record: ({ kind }) => calls.push(kind) } });
  const time = { now: NOW };
  const clock = { now: () => time.now };
  const parts = { table, clock, ids: systemIds(clock), tokenKeys: memoryTokenKeys() };
  return {
    table,
    calls,
    at(now: number) {
      time.now = now;
    },
    /** Somebody is billed. */
    async open() {
      await applyDocument(parts, { organizations: [{ key: "acme", name: "Acme" }] });
      const account = newAccount(ORGANIZATION);
      const period = { start: Date.UTC(2026, 6, 1), end: Date.UTC(2026, 7, 1) };
      await store.put(table, Invoices, openInvoice(account, period, (await readPriceHistory(table)).at(period.start)));
    },
    parts,
    plan: (document: unknown) => planDocument(parts, document),
    apply: (billing_catalogue?: unknown) => applyDocument(parts, billing_catalogue === undefined ? {} : { billing_catalogue }),
    versions: async () =>
      (await store.list(table, BillingCatalogues, "key", {})).map(({ id, effective_from, from_beginning }) => [
        id,
        effective_from,
        ...(from_beginning ? ["from the beginning"] : []),
      ]),
    price: async (at: number) => (await readPriceHistory(table)).at(at).products[0]?.plans[0]?.tiers?.[0]?.unit_amount_usd,
  };
};

test("the first list of a new deployment is in force at once, the next ones with the month after theirs", async () => {
  const world = deployment();
  expect((await world.apply(listAt("3"))).price_list).toEqual({ number: 1, effective_from: "2026-07-09T15:00:00.000Z" });
  expect(await world.price(Date.UTC(2026, 6, 1))).toBe("3");
  world.at(NOW + HOUR_MS);
  await world.apply(listAt("5"));
  expect(await world.versions()).toEqual([
    ["v000001", "2026-07-09T15:00:00.000Z", "from the beginning"],
    ["v000002", "2026-08-01T00:00:00.000Z"],
  ]);
  expect([await world.price(Date.UTC(2026, 6, 31, 23)), await world.price(Date.UTC(2026, 7, 1))]).toEqual(["3", "5"]);
});

test("the first list of a deployment that bills already leaves the periods that run their prices", async () => {
  const world = deployment();
  await world.open();
  await world.apply(listAt("3"));
  expect(await world.versions()).toEqual([["v000001", "2026-07-09T15:00:00.000Z"]]);
  const history = await readPriceHistory(world.table);
  expect([history.at(NOW - 1).id, history.at(NOW).id]).toEqual(["built-in", "v000001"]);
});

test("every list other than the last is a version, also one that was there before; the last one again is none", async () => {
  const world = deployment();
  for (const usd of ["3", "5", "5", "3"]) await world.apply(listAt(usd));
  await world.apply();
  expect((await world.apply(listAt("3"))).price_list).toBeUndefined();
  expect((await world.versions()).map(([id]) => id)).toEqual(["v000001", "v000002", "v000003"]);
  expect(await world.price(Date.UTC(2026, 7, 1))).toBe("3");
  world.at(Date.UTC(2026, 10, 9));
  await world.apply(listAt("3"));
  expect(await world.versions()).toHaveLength(3);
  await world.apply(listAt("3", { effective_from: "2027-01-01" }));
  expect((await world.versions())[3]).toEqual(["v000004", "2027-01-01T00:00:00.000Z"]);
});

test("null is the built-in list, as one among others", async () => {
  const world = deployment();
  await world.apply(null);
  expect(await world.versions()).toEqual([]);
  await world.apply(listAt("3"));
  await world.apply(null);
  await world.apply(null);
  expect((await world.versions()).map(([id]) => id)).toEqual(["v000001", "v000002"]);
  const history = await readPriceHistory(world.table);
  const builtIn = history.named("built-in");
  expect(history.at(Date.UTC(2026, 7, 1))).toEqual({ ...builtIn, id: "v000002" });
  await world.apply(listAt("3"));
  expect(await world.versions()).toHaveLength(3);
});

test("a moment that was is taken where nothing was opened, and refused where something was", async () => {
  const world = deployment();
  await world.apply(listAt("3", { effective_from: "2026-05-01T02:00:00+02:00" }));
  expect(await world.versions()).toEqual([["v000001", "2026-05-01T00:00:00.000Z"]]);
  await world.open();
  const refused = "billing_catalogue.effective_from: periods that are billed have begun since then";
  await expect(world.apply(listAt("5", { effective_from: "2026-07-09T14:59:59Z" }))).rejects.toThrow(refused);
  await world.apply(listAt("5", { effective_from: "2026-07-10" }));
  expect(await world.price(Date.UTC(2026, 6, 10))).toBe("5");
});

test("a paid invoice, which is never due again, is something that was opened", async () => {
  const world = deployment();
  const { organizations } = await applyDocument(
    { table: world.table, clock: { now: () => NOW }, ids: systemIds({ now: () => NOW }), tokenKeys: memoryTokenKeys() },
    { organizations: [{ key: "acme", name: "Acme" }] },
  );
  const account = newAccount(organizations[0]?.id ?? "");
  const period = { start: Date.UTC(2026, 4, 1), end: Date.UTC(2026, 5, 1) };
  const opened = openInvoice(account, period, (await readPriceHistory(world.table)).at(0));
  await store.put(world.table, Invoices, { ...opened, state: "paid", due_at: null });
  await world.apply(listAt("3"));
  expect(await world.versions()).toEqual([["v000001", "2026-07-09T15:00:00.000Z"]]);
});

test("of lists that are applied at once none is lost: each is a version, or its caller is told", async () => {
  const world = deployment();
  const prices = ["1", "2", "3", "4"];
  const told = await Promise.all(
    prices.map((usd) =>
      world.apply(listAt(usd)).then(
        () => "applied",
        (error: unknown) => String(error),
      ),
    ),
  );
  const applied = told.filter((each) => each === "applied").length;
  expect(applied).toBeGreaterThan(0);
  expect(await world.versions()).toHaveLength(applied);
  for (const each of told) if (each !== "applied") expect(each).toContain("billing_catalogue: another list was applied at the same moment");
  await Promise.all([world.apply(listAt("9")), world.apply(listAt("9"))]);
  expect(await world.versions()).toHaveLength(applied + 1);
});

test("a list that waits is followed by another for the same moment, and comes after one for an earlier moment", async () => {
  const world = deployment();
  await world.apply(listAt("3"));
  await world.apply(listAt("5", { effective_from: "2026-12-01" }));
  await world.apply(listAt("7", { effective_from: "2026-12-01" }));
  const sooner = { billing_catalogue: listAt("4", { effective_from: "2026-10-01" }) };
  expect(await world.plan(sooner)).toMatchObject([{ price_list: { number: 4, until: "2026-12-01T00:00:00.000Z" } }]);
  await world.apply(sooner.billing_catalogue);
  const prices = [8, 9, 10, 11].map((month) => world.price(Date.UTC(2026, month)));
  expect(await Promise.all(prices)).toEqual(["3", "4", "4", "7"]);
  world.at(Date.UTC(2026, 9, 5));
  expect((await readPriceListVersions(world.parts)).map(({ number, state }) => [number, state])).toEqual([
    [1, "past"],
    [4, "in_force"],
    [2, "superseded"],
    [3, "to_come"],
  ]);
});

test("a list that an earlier release stored is the last one until another comes, which counts from 1", async () => {
  const world = deployment();
  const { products } = listAt("3");
  await world.apply({ products });
  const [stored] = await store.list(world.table, BillingCatalogues, "key", {});
  const legacy = deployment();
  const id = stored?.given_digest ?? "";
  const effective_from = "2026-01-05T10:00:00.000Z";
  await store.put(legacy.table, BillingCatalogues, {
    ...{ id, number: 0, effective_from, from_beginning: false, replaces: {} },
    document: { products },
  });
  expect(await legacy.price(NOW)).toBe("3");
  await legacy.apply({ products });
  expect(await legacy.versions()).toEqual([[id, effective_from]]);
  await legacy.apply({ products: [{ ...products[0], name: "Other events" }] });
  expect((await legacy.versions()).map(([version]) => version)).toEqual([id, "v000001"].sort());
  expect((await readPriceHistory(legacy.table)).named(id).products).toHaveLength(1);
});

test("the history of all lists is one query of short items, once a process has read their products", async () => {
  const world = deployment();
  for (const usd of ["1", "2", "1", "3"]) await world.apply(listAt(usd));
  world.calls.length = 0;
  await readPriceHistory(world.table);
  expect(world.calls).toEqual(["query", "getMany"]);
  world.calls.length = 0;
  const history = await readPriceHistory(world.table);
  expect(world.calls).toEqual(["query"]);
  expect(history.named("v000001").products).toEqual(history.named("v000003").products);
  const kept = world.table.everything().filter(({ entity }) => entity === "price-list-products");
  expect(kept).toHaveLength(3);
});

test("who holds what is read in batches, however many there are; those that were removed hold nothing", async () => {
  const world = deployment();
  await world.apply(listAt("3"));
  const many = 300;
  for (let at = 0; at < many; at += 1) {
    const id = `0190d0aa-0000-7000-8000-${String(at).padStart(12, "0")}`;
    const made = "2026-07-01T00:00:00.000Z";
    const state = at === 0 ? "removed" : "active";
    const organization = Organizations.schema.parse({
      id,
      state,
      name: `Number ${at}`,
      slug: `number-${at}`,
      created_at: made,
      updated_at: made,
    });
    await store.put(world.table, Organizations, organization);
    const items = [{ product: "events", plan_key: "paid", since: NOW, until: null }];
    await store.put(
      world.table,
      Subscriptions,
      Subscriptions.schema.parse({ organization_id: id, id: "sub", state: "active", items, version: 1 }),
    );
  }
  world.calls.length = 0;
  const [{ plans: [paid] = [], ...events } = {}] = listAt("3").products;
  const renamed = { products: [{ ...events, plans: [{ ...paid, plan_key: "pay" }] }] };
  await expect(world.apply(renamed)).rejects.toThrow('"paid" of events (299 organizations)');
  expect(world.calls.length).toBeLessThan(many / 10);
});
