import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { closeDue } from "../../../functions/closing/schedule.ts";
import { giveCredit } from "../../../lib/billing/credit.ts";
import { CreditEntries, CreditGrants } from "../../../lib/billing/customer/credit-grant.ts";
import { readCustomerState } from "../../../lib/billing/customer.ts";
import { Invoices, readInvoices, stepInvoice } from "../../../lib/billing/invoices.ts";
import { DAY_MS } from "../../../lib/core/time.ts";
import { ConditionFailed } from "../../../lib/ports/table.ts";
import { list } from "../../../lib/table/store.ts";
import { nextVersion } from "../../../lib/table/versions.ts";
import { dyingTable } from "../../support/dying-table.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const START = day(7, 9);
/** When the first invoice is made: so that every run has one, and most of what happens to it. */
const MADE = day(8, 8) + 1_000;
const PAYABLE_MS = 14 * DAY_MS;
/** How long after each attempt that failed the next one is made. */
const AFTER_FAILURE_MS = [DAY_MS, 3 * DAY_MS, 5 * DAY_MS];

type Customer = Awaited<ReturnType<typeof billingWorld>>;
type State = "issued" | "payment_failed" | "overdue" | "paid" | "uncollectible" | "voided";

/** What an invoice ought to be, by the simplest means. */
interface Bill {
  readonly total: number;
  readonly credit: number;
  readonly issued: number;
  state: State;
  paid: number | null;
  failures: number;
  /** When it is collected again. */
  again: number | null;
}

type Step = "pay" | "fail" | "void" | "write_off";
type Command =
  | { readonly kind: "wait"; readonly days: number }
  | { readonly kind: "wait until due" }
  | { readonly kind: "close"; readonly killedAt: number | null }
  | { readonly kind: "give"; readonly cents: number }
  | { readonly kind: "step"; readonly of: number; readonly step: Step };

const command: fc.Arbitrary<Command> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constant("wait" as const), days: fc.constantFrom(1, 3, 5, 13, 14, 31) }), weight: 3 },
  { arbitrary: fc.constant({ kind: "wait until due" as const }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant("close" as const), killedAt: fc.option(fc.nat({ max: 5 })) }), weight: 4 },
  fc.record({ kind: fc.constant("give" as const), cents: fc.constantFrom(1, 10_000, 100_000) }),
  {
    arbitrary: fc.record({
      kind: fc.constant("step" as const),
      of: fc.nat({ max: 2 }),
      step: fc.constantFrom<Step>("pay", "fail", "fail", "void", "write_off", "write_off"),
    }),
    weight: 5,
  },
);

/** Where a step may be taken from. */
const FROM: Readonly<Record<Step, readonly State[]>> = {
  pay: ["issued", "payment_failed", "overdue", "uncollectible"],
  fail: ["issued"],
  void: ["issued", "overdue", "uncollectible"],
  write_off: ["overdue"],
};

/** Takes a step of the model, where there is one. */
const take = (bill: Bill, step: Step, now: number): boolean => {
  if (!FROM[step].includes(bill.state)) return false;
  bill.again = null;
  if (step === "fail") {
    bill.again = Math.min(bill.issued + PAYABLE_MS, now + (AFTER_FAILURE_MS[bill.failures] ?? PAYABLE_MS));
    bill.failures += 1;
  }
  if (step === "pay") bill.paid = now;
  bill.state = ({ pay: "paid", fail: "payment_failed", void: "voided", write_off: "uncollectible" } as const)[step];
  return true;
};

/** What the hourly closing does with an invoice that was made before. */
const lookAfter = (bill: Bill, now: number): void => {
  const isUnpaid = bill.state === "issued" || bill.state === "payment_failed";
  if (isUnpaid && now >= bill.issued + PAYABLE_MS) bill.state = "overdue";
  else if (bill.state === "payment_failed" && bill.again !== null && now >= bill.again) bill.state = "issued";
  else return;
  bill.again = null;
};

const Listed = z.object({
  count: z.int(),
  results: z.array(
    z.object({
      number: z.string(),
      status: z.string(),
      period_start: z.string(),
      period_end: z.string(),
      total_usd: z.string(),
      amount_due_usd: z.string(),
      issued_at: z.string(),
      paid_at: z.string().nullable(),
    }),
  ),
});

const cents = (usd: string): number => Math.round(Number(usd) * 100);
const usd = (amount: number): string => (amount / 100).toFixed(2);
const iso = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

const due = ({ total, credit, state }: Bill): number => (["issued", "payment_failed", "overdue"].includes(state) ? total - credit : 0);

const reading = async ({ world, organization }: Customer) => {
  const organization_id = organization.id;
  const [invoices, { grants }, entries] = await Promise.all([
    readInvoices(world.table, organization_id),
    readCustomerState(world.table, organization_id),
    list(world.table, CreditEntries, "key", { organization_id }),
  ]);
  return { invoices, grants, entries };
};
type Reading = Awaited<ReturnType<typeof reading>>;

/** Writes from a reading that is out of date never happen. */
const checkStale = async ({ world }: Customer, before: Reading, now: Reading): Promise<void> => {
  const invoices = new Map(now.invoices.map(({ id, version }) => [id, version]));
  const grants = new Map(now.grants.map(({ id, version }) => [id, version]));
  const stale = [
    ...before.invoices.filter(({ id, version }) => version < (invoices.get(id) ?? 0)).map((old) => nextVersion(Invoices, old)),
    ...before.grants.filter(({ id, version }) => version < (grants.get(id) ?? 0)).map((old) => nextVersion(CreditGrants, old)),
  ];
  for (const write of stale) await expect(world.table.transact([write])).rejects.toThrow(ConditionFailed);
};

it("invoices are made, collected, paid and taken back as a simple model says, once however often, and no credit is lost by it", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(command, fc.integer({ min: 1, max: 3 }), fc.boolean()), { minLength: 10, maxLength: 30, size: "max" }),
      async (commands) => {
        const customer = await billingWorld(START);
        const { world, organization } = customer;
        await customer.post("activate/", { products: "boost:" });
        const model = new Map<string, Bill>();
        let now = MADE;
        let given = 0;

        const balance = (): number => {
          const spent = [...model.values()].filter(({ state }) => state !== "voided").reduce((sum, { credit }) => sum + credit, 0);
          return given - spent;
        };

        /** The listed invoices are the model's; those that are new took what there was of credit, the oldest first. */
        const check = async (): Promise<void> => {
          const { results, count } = Listed.parse(await customer.get("get_invoices/"));
          expect(count).toBe(results.length);
          for (const [at, listed] of results.toReversed().entries()) {
            if (at > 0) expect(listed.period_start).toBe(results.toReversed()[at - 1]?.period_end);
            if (model.has(listed.period_start)) continue;
            const total = cents(listed.total_usd);
            const credit = Math.min(total, balance());
            const state = total === credit ? "paid" : "issued";
            const paid = state === "paid" ? now : null;
            model.set(listed.period_start, { total, credit, issued: now, state, paid, failures: 0, again: null });
          }
          expect(results).toHaveLength(model.size);
          for (const listed of results) {
            const bill = model.get(listed.period_start);
            expect(listed).toMatchObject({
              status: bill?.state,
              total_usd: usd(bill?.total ?? 0),
              amount_due_usd: bill && usd(due(bill)),
              issued_at: bill && iso(bill.issued),
              paid_at: bill?.paid == null ? null : iso(bill.paid),
            });
          }
          const open = Listed.parse(await customer.get("get_invoices/?status=open"));
          expect(open.count).toBe([...model.values()].filter((bill) => due(bill) > 0).length);
        };

        customer.at(now);
        await customer.close();
        await check();
        for (const [each, times, atOnce] of commands) {
          const before = await reading(customer);
          const known = [...model.keys()];
          const of = each.kind === "step" ? known[each.of % Math.max(1, known.length)] : undefined;
          const bill = of === undefined ? undefined : model.get(of);
          if (each.kind === "wait") {
            now += each.days * DAY_MS;
            customer.at(now);
          } else if (each.kind === "wait until due") {
            const dues = [...model.values()].map(({ again, issued }) => again ?? issued + PAYABLE_MS).filter((at) => at > now);
            if (dues.length > 0) now = Math.min(...dues);
            customer.at(now);
          } else if (each.kind === "give") {
            await giveCredit(world, organization.id, { cents: each.cents, expires_at: null });
            given += each.cents;
          } else if (each.kind === "close") {
            for (const known of model.values()) lookAfter(known, now);
            if (each.killedAt !== null) {
              const { table } = dyingTable(world.table, each.killedAt, times === 1 ? "before" : "after");
              await closeDue({ ...world, table }, { remainingMs: () => 60_000 }).catch(() => undefined);
            }
            if (atOnce) await Promise.all(Array.from({ length: times }, () => customer.close()));
            else for (let run = 0; run < times; run += 1) await customer.close();
          } else if (of !== undefined && bill !== undefined) {
            const period_start = Date.parse(of);
            const isTaken = take(bill, each.step, now);
            const step = () => stepInvoice(world, { organization_id: organization.id, period_start }, each.step);
            const taken = atOnce ? await Promise.all(Array.from({ length: times }, step)) : [await step()];
            expect(taken.filter(Boolean)).toHaveLength(isTaken ? 1 : 0);
          }
          await check();
          const after = await reading(customer);
          expect(after.entries.reduce((sum, { delta_cents }) => sum + delta_cents, 0)).toBe(balance());
          expect(after.grants.reduce((sum, { remaining_cents }) => sum + remaining_cents, 0)).toBe(balance());
          await checkStale(customer, before, after);
        }
      },
    ),
    { numRuns: 50 },
  );
});
