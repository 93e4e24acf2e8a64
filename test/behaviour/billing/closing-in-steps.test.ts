import { describe, expect, it } from "vitest";
import { closeDue, closing } from "../../../functions/closing/schedule.ts";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { asFunction } from "../../../infra/local/function-rights.ts";
import { giveCredit, voidGrant } from "../../../lib/billing/credit.ts";
import { CreditEntries } from "../../../lib/billing/customer/credit-grant.ts";
import { readCustomerState } from "../../../lib/billing/customer.ts";
import { readInvoices, stepInvoice } from "../../../lib/billing/invoices.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/core/time.ts";
import { list } from "../../../lib/table/store.ts";
import { dyingTable } from "../../support/dying-table.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";
import { aSubscriber } from "../../support/worlds/subscribers.ts";

const JULY = { start: day(7, 1), end: day(8, 1) };
const MADE = day(8, 8) + 1;
const LONG = { remainingMs: () => 60_000 };

/** 92.88 dollars of July, with coupons of a cent each and grants of a dollar each. */
const aCustomer = async ({ grants, coupons }: { readonly grants: number; readonly coupons: number }) => {
  const customer = await billingWorld(day(7, 9));
  await customer.post("activate/", { products: "product_analytics:" });
  await customer.use(day(7, 9), 3_250_000);
  const slugs = Array.from({ length: coupons }, (_, at) => `c${at}`);
  const campaign = { name: "C", kind: "amount", amount_cents: 1, duration: "periods", periods: 2 };
  await applyDocument(customer.world, { coupon_campaigns: slugs.map((slug) => ({ slug, ...campaign, codes: [slug] })) });
  for (const code of slugs) await customer.post("coupons/claim/", { code });
  for (let given = 0; given < grants; given += 1) {
    customer.at(day(7, 9) + given);
    await giveCredit(customer.world, customer.organization.id, { cents: 100, expires_at: null });
  }
  customer.at(MADE);
  return customer;
};
type Customer = Awaited<ReturnType<typeof aCustomer>>;

/** All that the books say, without what is made up anew in each world. */
const books = async ({ world, organization }: Pick<Customer, "world" | "organization">) => {
  const [invoices, { grants, claims }, entries] = await Promise.all([
    readInvoices(world.table, organization.id),
    readCustomerState(world.table, organization.id),
    list(world.table, CreditEntries, "key", { organization_id: organization.id }),
  ]);
  const place = new Map(grants.map(({ id }, at) => [id, at]));
  return {
    invoices: invoices.map(({ id: _, organization_id: __, version: ___, credits, ...invoice }) => ({
      ...invoice,
      credits: credits.map(({ id, cents }) => [place.get(id), cents]),
    })),
    left: grants.map(({ state, remaining_cents }) => [state, remaining_cents]),
    claims: claims.map(({ slug, remaining_periods, status }) => [slug, remaining_periods, status]),
    entries: entries.map(({ delta_cents, reason, grant_id }) => [place.get(grant_id), delta_cents, reason]),
  };
};

/** Ends a process at each of its writes in turn, and lets another one do it again and the schedule come; gives how many there were. */
const killedEverywhere = async (
  prepare: () => Promise<Customer>,
  work: (world: Customer["world"], organization: string) => Promise<unknown>,
  expected: Awaited<ReturnType<typeof books>>,
): Promise<number> => {
  for (let write = 0; ; write += 1) {
    for (const moment of ["before", "after"] as const) {
      const customer = await prepare();
      const { table, died } = dyingTable(customer.world.table, write, moment);
      await work({ ...customer.world, table }, customer.organization.id).catch(() => undefined);
      if (!died()) return write;
      await work(customer.world, customer.organization.id);
      await customer.close();
      expect(await books(customer)).toEqual(expected);
    }
  }
};

describe("an invoice with more credit and coupons than a transaction takes", () => {
  it("uses all of both: 120 grants and 90 coupons", async () => {
    const customer = await aCustomer({ grants: 120, coupons: 90 });
    await Promise.all([customer.close(), customer.close()]);
    const { invoices, left, claims } = await books(customer);
    // 92.88 less 90 coupons of a cent are 91.98: 91 grants of a dollar and 98 cents of one.
    expect(invoices.at(-1)).toMatchObject({
      state: "paid",
      coupon_cents: 90,
      credit_cents: 9_198,
      due_cents: 0,
      number: "INV-2026-000001",
    });
    expect(left).toEqual(left.map((_, at) => (at < 91 ? ["depleted", 0] : at === 91 ? ["active", 2] : ["active", 100])));
    expect(claims.map(([, periods]) => periods)).toEqual(claims.map(() => 1));
  });
  it("is due only what nothing covers, however many grants have expired or nearly so", async () => {
    const customer = await aCustomer({ grants: 60, coupons: 0 });
    for (let given = 0; given < 40; given += 1)
      await giveCredit(customer.world, customer.organization.id, { cents: 1, expires_at: given < 20 ? day(7, 20) : day(8, 2) });
    await customer.close();
    expect((await books(customer)).invoices.at(-1)).toMatchObject({ credit_cents: 6_020, due_cents: 3_268 });
  });
  it("is the same wherever its making was cut off", async () => {
    const prepare = () => aCustomer({ grants: 40, coupons: 2 });
    const whole = await prepare();
    await whole.close();
    const expected = await books(whole);
    expect(expected.invoices).toMatchObject([
      { state: "open" },
      { state: "issued", coupon_cents: 2, credit_cents: 4_000, due_cents: 5_286 },
    ]);
    expect(await killedEverywhere(prepare, (world) => asFunction(closing, () => closeDue(world, LONG)), expected)).toBeGreaterThanOrEqual(
      4,
    );
  });
  it("gives all of it back where it is voided, wherever that was cut off", async () => {
    const prepare = async () => {
      const customer = await aCustomer({ grants: 50, coupons: 3 });
      await customer.close();
      return customer;
    };
    const voiding = (world: Customer["world"], organization_id: string) =>
      stepInvoice(world, { organization_id, period_start: JULY.start }, "void");
    const whole = await prepare();
    await voiding(whole.world, whole.organization.id);
    const expected = await books(whole);
    expect(expected.invoices[1]).toMatchObject({ state: "voided", due_at: null });
    expect(expected.left).toEqual(expected.left.map(() => ["active", 100]));
    expect(expected.claims).toEqual(["c0", "c1", "c2"].map((slug) => [slug, 2, "claimed"]));
    expect(await killedEverywhere(prepare, voiding, expected)).toBeGreaterThanOrEqual(2);
  });
  it("no longer takes a grant that was taken back meanwhile", async () => {
    const customer = await aCustomer({ grants: 40, coupons: 0 });
    const { table } = dyingTable(customer.world.table, 1, "after");
    await closeDue({ ...customer.world, table }, LONG).catch(() => undefined);
    const { invoices, left } = await books(customer);
    expect(invoices[0]).toMatchObject({ state: "finalizing", credit_cents: 3_000, due_cents: 6_288 });
    expect(await customer.get("get_invoices/")).toMatchObject({ count: 0 });
    const { grants } = await readCustomerState(customer.world.table, customer.organization.id);
    const rest = grants.filter(({ state }) => state === "active");
    expect([left.length, rest.length]).toEqual([40, 10]);
    for (const { id } of rest.slice(0, 4)) await voidGrant(customer.world, customer.organization.id, id);
    await customer.close();
    expect((await books(customer)).invoices[1]).toMatchObject({ state: "issued", credit_cents: 3_600, due_cents: 5_688 });
  });
});

describe("a period that cannot be closed", () => {
  /** A customer without whose usage nothing can be said, among others; what was taken away comes back with `repair`. */
  const withPoison = async (others: number) => {
    const customer = await aCustomer({ grants: 0, coupons: 0 });
    const { world, organization } = customer;
    const { objects } = await world.objects.list(`usage/${organization.id}/`, null);
    const lost = await Promise.all(objects.map(async ({ key }) => ({ key, bytes: (await world.objects.get(key)) ?? new Uint8Array() })));
    await world.objects.remove(lost.map(({ key }) => key));
    const ids: string[] = [];
    for (let at = 0; at < others; at += 1) ids.push(await aSubscriber(world, JULY, 3_250_000));
    const repair = async () => {
      for (const { key, bytes } of lost) await world.objects.put(key, bytes);
    };
    return { customer, ids, repair };
  };
  const states = async ({ world }: Customer, ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await readInvoices(world.table, id)).at(-1)?.state));

  it("holds up nobody, goes back for longer each time, and is seen", async () => {
    const { customer, ids, repair } = await withPoison(3);
    await expect(customer.close()).rejects.toThrow("1 of 4 things that were due failed");
    expect(await states(customer, ids)).toEqual(["issued", "issued", "issued"]);
    const waits = async () => {
      const [invoice] = (await books(customer)).invoices;
      return [invoice?.state, invoice?.failures, invoice?.due_at];
    };
    expect(await waits()).toEqual(["open", 1, MADE + HOUR_MS]);
    expect(customer.log.lines.filter(({ event }) => event === "invoice_waits")).toMatchObject([
      { level: "error", fields: { organization: customer.organization.id, period_start: "2026-07-01T00:00:00Z", failures: 1 } },
    ]);
    await customer.close();
    customer.at(MADE + HOUR_MS);
    await expect(customer.close()).rejects.toThrow("1 of 1 things");
    expect(await waits()).toEqual(["open", 2, MADE + 3 * HOUR_MS]);
    for (let failure = 3; failure < 9; failure += 1) {
      customer.at(Number((await waits())[2]));
      await customer.close().catch(() => undefined);
    }
    const now = Number((await waits())[2]);
    customer.at(now);
    await expect(customer.close()).rejects.toThrow();
    expect(await waits()).toEqual(["open", 9, now + DAY_MS]);
    await repair();
    customer.at(now + DAY_MS);
    await customer.close();
    const made = (await books(customer)).invoices.at(-1);
    expect(made).toMatchObject({ state: "issued", due_cents: 9_288, number: "INV-2026-000004" });
    expect([made?.failure, made?.failures]).toEqual([undefined, undefined]);
  });
  it("is followed by no later one, which waits for it", async () => {
    const { customer, repair } = await withPoison(0);
    await customer.close().catch(() => undefined);
    // Somebody subscribes to something else in August, whose invoice comes to be due as well.
    customer.at(day(8, 20));
    await customer.post("activate/", { products: "boost:" });
    customer.at(day(9, 8) + 1);
    await customer.close().catch(() => undefined);
    await repair();
    customer.at(day(9, 8) + 2);
    await customer.close();
    expect((await books(customer)).invoices.map(({ state }) => state)).toEqual(["open", "open"]);
    customer.at(day(9, 10));
    await customer.close();
    expect((await books(customer)).invoices.map(({ state, number }) => [state, number])).toEqual([
      ["open", null],
      ["issued", "INV-2026-000002"],
      ["issued", "INV-2026-000001"],
    ]);
  });
  it("keeps the credit that may pay for it from expiring", async () => {
    const { customer, repair } = await withPoison(0);
    await giveCredit(customer.world, customer.organization.id, { cents: 2_000, expires_at: day(8, 9) });
    const left = async () => (await books(customer)).left;
    customer.at(day(9, 1));
    for (let times = 0; times < 2; times += 1) await customer.close().catch(() => undefined);
    expect(await left()).toEqual([["active", 2_000]]);
    await repair();
    customer.at(day(9, 3));
    await customer.close();
    expect((await books(customer)).invoices.at(-1)).toMatchObject({ credit_cents: 2_000, due_cents: 7_288 });
    expect(await left()).toEqual([["depleted", 0]]);
  });
  it("holds up nobody where its item cannot even be read", async () => {
    const customer = await aCustomer({ grants: 0, coupons: 0 });
    const ids = [await aSubscriber(customer.world, JULY, 1), await aSubscriber(customer.world, JULY, 1)];
    const { table } = customer.world;
    const key = { pk: `billing#${customer.organization.id}#invoices`, sk: String(JULY.start).padStart(16, "0") };
    await table.update(key, { set: { lines: "none" } });
    await expect(customer.close()).rejects.toThrow("1 of 3 things");
    expect(await states(customer, ids)).toEqual(["paid", "paid"]);
    expect(await table.get(key)).toMatchObject({ due_at: MADE + HOUR_MS, failures: 1 });
    await customer.close();
  });
});

describe("numbers of invoices", () => {
  it("follow one another without a gap, however many are made at once, and begin anew with the year", async () => {
    const customer = await billingWorld(MADE);
    const ids: string[] = [];
    for (let at = 0; at < 30; at += 1) ids.push(await aSubscriber(customer.world, JULY, 3_250_000));
    // Each a process of its own.
    await Promise.all([1, 2, 3].map(() => closeDue({ ...customer.world, table: { ...customer.world.table } }, LONG)));
    const numbers = async (ofYear: string) =>
      (await Promise.all(ids.map((id) => readInvoices(customer.world.table, id))))
        .flat()
        .flatMap(({ number }) => (number?.startsWith(`INV-${ofYear}-`) ? [number] : []))
        .sort();
    expect(await numbers("2026")).toEqual(ids.map((_, at) => `INV-2026-${String(at + 1).padStart(6, "0")}`));
    customer.at(Date.UTC(2027, 0, 8) + 1);
    await customer.close();
    expect((await numbers("2027")).at(0)).toBe("INV-2027-000001");
  });
});
