import fc from "fast-check";
import { expect, it } from "vitest";
import { BillingAccounts } from "../../../lib/billing/customer/account.ts";
import { readCustomerState } from "../../../lib/billing/customer.ts";
import { PaymentAuthorizations } from "../../../lib/billing/payments/authorization.ts";
import { ConditionFailed } from "../../../lib/ports/table.ts";
import { list } from "../../../lib/table/store.ts";
import { nextVersion } from "../../../lib/table/versions.ts";
import { aStripe, SECRET_KEY } from "../../support/fakes/stripe.ts";
import { CARD } from "../../support/fakes/stripe-account.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const stripe = aStripe();
const START = day(7, 9);
const MINUTE_MS = 60_000;

type Provider = "stripe" | "none";
type Customer = Awaited<ReturnType<typeof billingWorld>>;

const aCustomer = (provider: Provider): Promise<Customer> =>
  billingWorld(START, provider === "none" ? {} : { paymentProvider: provider, stripeUrl: stripe.place.url, stripeSecretKey: SECRET_KEY });

/** How the provider's page for an authorization was left. */
type Page = "open" | "accepted" | "declined" | "closed";

/** What an authorization ought to be, by the simplest means. */
interface Authorization {
  readonly secret: string;
  readonly begun: number;
  page: Page;
  told: { readonly status: string; readonly error?: string };
}

type Command =
  | { readonly kind: "begin" }
  | { readonly kind: "page"; readonly of: number; readonly page: Page }
  | { readonly kind: "status"; readonly of: number; readonly by: "id" | "secret" | "another secret"; readonly keyed: boolean }
  | { readonly kind: "wait"; readonly minutes: number }
  | { readonly kind: "again"; readonly call: number };

const of = fc.nat({ max: 9 });
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant("begin" as const) }),
  fc.record({ kind: fc.constant("page" as const), of, page: fc.constantFrom<Page>("open", "accepted", "declined", "closed") }),
  {
    arbitrary: fc.record({
      kind: fc.constant("status" as const),
      of,
      by: fc.constantFrom("id" as const, "secret" as const, "another secret" as const),
      keyed: fc.boolean(),
    }),
    weight: 3,
  },
  fc.record({ kind: fc.constant("wait" as const), minutes: fc.constantFrom(1, 5, 10, 15) }),
  fc.record({ kind: fc.constant("again" as const), call: of }),
);

const idOf = (secret: string): string => secret.split("_secret_")[0] ?? "";

/** Leaves the page of an authorization as somebody would. */
const leavePage = (id: string, page: Page): void => {
  const left = {
    open: { status: "requires_payment_method", last_payment_error: null },
    accepted: { status: "requires_capture", payment_method: CARD, last_payment_error: null },
    declined: { status: "requires_payment_method", last_payment_error: { message: "Your card was declined." } },
    closed: { status: "canceled", last_payment_error: null },
  };
  Object.assign(stripe.intents.get(id) ?? {}, left[page]);
};

/** What the model says of an authorization that is asked for now: what has ended stays as it ended. */
const asked = ({ told, page, begun }: Authorization, now: number): Authorization["told"] => {
  if (told.status !== "pending") return told;
  if (page === "accepted") return { status: "success" };
  if (page === "declined") return { status: "failed", error: "Your card was declined." };
  if (page === "closed") return { status: "failed", error: "The payment was cancelled." };
  return { status: now >= begun + 15 * MINUTE_MS ? "expired" : "pending" };
};

const reading = async ({ world, organization }: Customer) => {
  const organization_id = organization.id;
  const authorizations = await list(world.table, PaymentAuthorizations, "key", { organization_id });
  return { authorizations, account: (await readCustomerState(world.table, organization_id)).account };
};
type Reading = Awaited<ReturnType<typeof reading>>;

/** The stored states are the model's, and an account may be collected from as soon as one authorization was given. */
const check = ({ authorizations, account }: Reading, model: readonly Authorization[]): void => {
  const stored = new Map(authorizations.map(({ id, state, error }) => [id, error === null ? { status: state } : { status: state, error }]));
  expect(stored).toEqual(new Map(model.map(({ secret, told }) => [idOf(secret), told])));
  expect(account.has_payment_method).toBe(model.some(({ told }) => told.status === "success"));
};

/** Writes from a reading that is out of date never happen. */
const checkStale = async ({ world }: Customer, before: Reading, now: Reading): Promise<void> => {
  const versions = new Map(now.authorizations.map(({ id, version }) => [id, version]));
  const stale = [
    ...before.authorizations
      .filter(({ id, version }) => version < (versions.get(id) ?? 0))
      .map((old) => nextVersion(PaymentAuthorizations, { ...old, state: "pending" })),
    ...(before.account.version < now.account.version ? [nextVersion(BillingAccounts, before.account)] : []),
  ];
  for (const write of stale) await expect(world.table.transact([write])).rejects.toThrow(ConditionFailed);
};

it.each(["stripe", "none"] as const)(
  "an authorization through %s ends once, as a simple model says, however often it is asked for",
  async (provider) => {
    const commands = fc.array(fc.tuple(command, fc.integer({ min: 1, max: 3 }), fc.boolean()), { maxLength: 16, size: "max" });
    await fc.assert(
      fc.asyncProperty(commands, async (all) => {
        const customer = await aCustomer(provider);
        const model: Authorization[] = [];
        const calls: (() => Promise<void>)[] = [];
        let now = START;

        /** Sends a call some times, and keeps it to be sent again where it has a key. */
        const send = async (path: string, body: object, key: string | undefined, times: number, atOnce: boolean) => {
          const one = async () => {
            const { status, json } = await customer.post(path, body, key);
            return { status, json };
          };
          const answers = atOnce ? await Promise.all(Array.from({ length: times }, one)) : [await one()];
          while (answers.length < times) answers.push(await one());
          const [first] = answers;
          for (const answer of answers) expect(answer).toEqual(first);
          if (key !== undefined && first?.status === 200) calls.push(async () => expect(await one()).toEqual(first));
          return first;
        };

        for (const [at, [each, times, atOnce]] of all.entries()) {
          const before = await reading(customer);
          const named = "of" in each ? model[each.of % Math.max(1, model.length)] : undefined;
          if (each.kind === "begin") {
            const begun = await send("activate/authorize/", {}, `begin-${at}`, times, atOnce);
            expect(begun).toMatchObject({ status: 200, json: { success: true } });
            const secret = String(Object(begun?.json).clientSecret);
            model.push({ secret, begun: now, page: provider === "none" ? "accepted" : "open", told: { status: "pending" } });
          } else if (each.kind === "wait") {
            now += each.minutes * MINUTE_MS;
            customer.at(now);
          } else if (each.kind === "again") await calls[each.call % Math.max(1, calls.length)]?.();
          else if (named !== undefined && each.kind === "page" && provider === "stripe") {
            named.page = each.page;
            leavePage(idOf(named.secret), each.page);
          } else if (named !== undefined && each.kind === "status") {
            const sent = { id: idOf(named.secret), secret: named.secret, "another secret": `${named.secret}x` }[each.by];
            const key = each.keyed ? `status-${at}` : undefined;
            const answer = await send("activate/authorize/status/", { payment_intent_id: sent }, key, times, atOnce);
            if (each.by === "another secret") expect(answer).toMatchObject({ status: 400, json: { code: "authorization_not_found" } });
            else {
              named.told = asked(named, now);
              expect(answer).toEqual({ status: 200, json: named.told });
            }
          }
          const after = await reading(customer);
          check(after, model);
          await checkStale(customer, before, after);
        }
      }),
      { numRuns: 40 },
    );
  },
  60_000,
);
