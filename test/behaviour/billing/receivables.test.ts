import { expect, it } from "vitest";
import { collectInvoice, payInvoice, voidInvoice, writeOffInvoice } from "../../../infra/cli/billing-command.ts";
import type { Run } from "../../../infra/cli/command.ts";
import { readCustomerState } from "../../../lib/billing/customer.ts";
import { isOverdue, readReceivables } from "../../../lib/billing/payments.ts";
import { DAY_MS } from "../../../lib/core/time.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const START = day(7, 9);

/** A customer that bought a hundred dollars of credit, and the operator beside it. */
const bought = async (collection_method: "charge_automatically" | "send_invoice") => {
  const customer = await billingWorld(START);
  await customer.post("credits/purchase/", { annual_amount_usd: 100, discount_percent: 0, collection_method });
  const { world, organization } = customer;
  const receivable = async () => {
    const [found] = await readReceivables(world.table, organization.id);
    if (found === undefined) throw new Error("a purchase is owed for");
    return found;
  };
  const target = { world, forgetKeys: () => undefined, close: async () => undefined };
  return {
    ...customer,
    receivable,
    operate: (run: Run, id: string) => run(target, { words: [id], flags: { organization: organization.id }, switches: new Set() }),
    grant: async () => (await readCustomerState(world.table, organization.id)).grants[0]?.state,
    balance: async () => Object(await customer.get("credits/overview/")).balance_usd,
  };
};

it("what is bought is owed until somebody writes down that it was paid, whether the credit is there by then or not", async () => {
  for (const [method, before] of [["charge_automatically", "100.00"] as const, ["send_invoice", "0.00"] as const]) {
    const customer = await bought(method);
    const { id, grant_id } = await customer.receivable();
    expect(await customer.receivable()).toMatchObject({
      kind: "credit_purchase",
      cents: 10_000,
      state: "open",
      created_at: START,
      paid_at: null,
    });
    expect(await customer.balance()).toBe(before);
    // By its own id, or by that of the credit.
    await customer.operate(payInvoice, method === "send_invoice" ? grant_id : id);
    expect([(await customer.receivable()).state, await customer.balance()]).toEqual(["paid", "100.00"]);
    await expect(customer.operate(payInvoice, id)).rejects.toThrow(`The receivable ${id} is paid, so this cannot be done with it.`);
  }
});

it("what is not owed any more takes its credit along", async () => {
  for (const method of ["charge_automatically", "send_invoice"] as const) {
    const customer = await bought(method);
    await customer.operate(voidInvoice, (await customer.receivable()).id);
    expect([(await customer.receivable()).state, await customer.grant(), await customer.balance()]).toEqual(["voided", "voided", "0.00"]);
  }
  const waiting = await bought("send_invoice");
  await waiting.operate(voidInvoice, (await waiting.receivable()).grant_id);
  expect((await waiting.receivable()).state).toBe("voided");
});

it("credit is waited for while any of it is, whatever became of what was bought after it", async () => {
  const customer = await bought("send_invoice");
  customer.at(START + 1);
  await customer.post("credits/purchase/", { annual_amount_usd: 200, discount_percent: 0, collection_method: "send_invoice" });
  const { grants } = await readCustomerState(customer.world.table, customer.organization.id);
  const [first, second] = [10_000, 20_000].map((cents) => grants.find((grant) => grant.cents === cents)?.id ?? "");
  const status = async () => Object(await customer.get("credits/overview/")).status;
  await customer.operate(voidInvoice, second ?? "");
  expect(await status()).toBe("pending");
  await customer.operate(voidInvoice, first ?? "");
  expect(await status()).toBe("voided");
});

it("only what is overdue is written off, and is paid if somebody pays it after all", async () => {
  const customer = await bought("send_invoice");
  const { id, overdue_at } = await customer.receivable();
  expect(overdue_at).toBe(START + 14 * DAY_MS);
  await expect(customer.operate(writeOffInvoice, id)).rejects.toThrow(`The receivable ${id} is open`);
  customer.at(overdue_at);
  expect(isOverdue(await customer.receivable(), overdue_at)).toBe(true);
  await customer.operate(writeOffInvoice, id);
  expect([(await customer.receivable()).state, await customer.grant()]).toEqual(["uncollectible", "pending"]);
  await customer.operate(payInvoice, id);
  expect([(await customer.receivable()).state, await customer.balance()]).toEqual(["paid", "100.00"]);
});

it("credit that nobody paid by its end is not owed for any more", async () => {
  const customer = await bought("send_invoice");
  customer.at(START + 374 * DAY_MS);
  await customer.close();
  expect([(await customer.receivable()).state, await customer.grant()]).toEqual(["voided", "voided"]);
});

it("an invoice is due at once when the operator has it collected again, and nothing else is collected so", async () => {
  const customer = await bought("send_invoice");
  await customer.post("activate/", { products: "boost:" });
  customer.at(day(8, 8) + 1);
  await customer.close();
  const [{ id, status }] = Object(await customer.get("get_invoices/")).results;
  expect(status).toBe("issued");
  expect(await customer.operate(collectInvoice, id)).toMatchObject({ json: { collected: id } });
  const owed = (await customer.receivable()).id;
  await expect(customer.operate(collectInvoice, owed)).rejects.toThrow(`There is no invoice ${owed}`);
  await customer.operate(payInvoice, id);
  await expect(customer.operate(collectInvoice, id)).rejects.toThrow("is paid, so this cannot be done with it");
});

it.each([
  ["2026-07-09T14:00:00Z", "2027-07-09T14:00:00Z"],
  ["2027-07-09T14:00:00Z", "2028-07-09T14:00:00Z"],
  ["2027-02-28T23:59:59Z", "2028-02-28T23:59:59Z"],
  ["2028-02-29T00:00:00Z", "2029-02-28T00:00:00Z"],
])("credit that is bought at %s is there until the same day of the next year, %s", async (bought, end) => {
  const customer = await billingWorld(Date.parse(bought));
  const order = { annual_amount_usd: 100, discount_percent: 0, collection_method: "charge_automatically" };
  await customer.post("credits/purchase/", order);
  expect(await customer.get("credits/overview/")).toMatchObject({ balance_usd: "100.00", expires_at: end });
  customer.at(Date.parse(end));
  expect(await customer.get("credits/overview/")).toMatchObject({ balance_usd: "0.00" });
});
