import fc from "fast-check";
import { expect, it } from "vitest";
import { giveCredit, voidGrant } from "../../../lib/billing/credit.ts";
import { CreditEntries, type CreditGrant, grantState } from "../../../lib/billing/customer/credit-grant.ts";
import { readCustomerState } from "../../../lib/billing/customer.ts";
import { stepReceivable } from "../../../lib/billing/payments.ts";
import { list } from "../../../lib/table/store.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const DAY_MS = 86_400_000;

/** A grant as it ought to be, by the simplest means: in the order in which grants were made. */
interface Modelled {
  state: CreditGrant["state"];
  cents: number;
  left: number;
  /** Null for credit without an end. */
  readonly end: number | null;
  /** Whether its price is still to be paid. */
  isOwed: boolean;
}

const takeBack = (grant: Modelled): void => {
  if (grant.state === "active" || grant.state === "pending") Object.assign(grant, { state: "voided", left: 0 });
};

type Command =
  | { readonly kind: "buy"; readonly usd: number; readonly method: "charge_automatically" | "send_invoice" }
  | { readonly kind: "give"; readonly cents: number; readonly days: number | null }
  | { readonly kind: "paid" | "unpaid" | "void"; readonly at: number }
  | { readonly kind: "wait"; readonly days: number };

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    kind: fc.constant("buy" as const),
    usd: fc.integer({ min: 1, max: 50 }),
    method: fc.constantFrom("charge_automatically" as const, "send_invoice" as const),
  }),
  fc.record({
    kind: fc.constant("give" as const),
    cents: fc.integer({ min: 1, max: 5_000 }),
    days: fc.option(fc.integer({ min: 1, max: 40 })),
  }),
  fc.record({ kind: fc.constantFrom("paid" as const, "unpaid" as const, "void" as const), at: fc.nat({ max: 4 }) }),
  fc.record({ kind: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 200 }) }),
);

const YEAR_DAYS = 365;

it("credit is pending, there, used up by its end or taken back as a simple model says, however often each is told, and its entries add up to it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(command, fc.integer({ min: 1, max: 3 })), { maxLength: 12 }), async (commands) => {
      const customer = await billingWorld(day(7, 9));
      const { world, organization } = customer;
      let now = day(7, 9);
      const model: Modelled[] = [];
      const grants = async () => (await readCustomerState(world.table, organization.id)).grants.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      for (const [at, [each, times]] of commands.entries()) {
        switch (each.kind) {
          case "buy": {
            const body = { annual_amount_usd: each.usd, discount_percent: 0, collection_method: each.method };
            await Promise.all(Array.from({ length: times }, () => customer.post("credits/purchase/", body, `key-${at}`)));
            const isThere = each.method === "charge_automatically";
            const cents = each.usd * 100;
            model.push({
              state: isThere ? "active" : "pending",
              cents,
              left: isThere ? cents : 0,
              end: now + YEAR_DAYS * DAY_MS,
              isOwed: true,
            });
            break;
          }
          case "give": {
            const end = each.days === null ? null : now + each.days * DAY_MS;
            await giveCredit(world, organization.id, { cents: each.cents, expires_at: end });
            model.push({ state: "active", cents: each.cents, left: each.cents, end, isOwed: false });
            break;
          }
          case "wait":
            now += each.days * DAY_MS;
            customer.at(now);
            await Promise.all(Array.from({ length: times }, () => customer.close()));
            for (const grant of model) {
              if (grant.end === null || grant.end + 8 * DAY_MS > now) continue;
              if (grant.state === "pending") Object.assign(grant, { state: "voided", isOwed: false });
              if (grant.state === "active") grant.state = "expired";
              grant.left = 0;
            }
            break;
          default: {
            const id = (await grants())[each.at]?.id ?? "none";
            const own = model[each.at];
            const owed = { organization_id: organization.id, id: `rc_${id}` };
            const step = each.kind === "paid" ? "pay" : "fail";
            const told = () => (each.kind === "void" ? voidGrant(world, organization.id, id) : stepReceivable(world, owed, step));
            await Promise.all(Array.from({ length: times }, told));
            if (own === undefined) break;
            const wasPending = own.state === "pending";
            if (each.kind === "void" || (each.kind === "unpaid" && own.isOwed)) takeBack(own);
            if (each.kind === "paid" && own.isOwed && wasPending) Object.assign(own, { state: "active", left: own.cents });
            if (each.kind !== "void" || wasPending) own.isOwed = false;
          }
        }
        const found = await grants();
        expect(found.map(({ state, remaining_cents }) => [state, remaining_cents])).toEqual(model.map(({ state, left }) => [state, left]));
        const entries = await list(world.table, CreditEntries, "key", { organization_id: organization.id });
        for (const grant of found) {
          const sum = entries.filter(({ grant_id }) => grant_id === grant.id).reduce((total, { delta_cents }) => total + delta_cents, 0);
          expect(sum).toBe(grant.remaining_cents);
        }
        const shown = found.map((grant) => grantState(grant, now));
        const ended = model.map(({ state, end }) => (state === "active" && end !== null && end <= now ? "expired" : state));
        expect(shown).toEqual(ended);
      }
    }),
    { numRuns: 40 },
  );
});
