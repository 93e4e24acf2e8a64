import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { BillingAccounts } from "../../../lib/billing/customer/account.ts";
import { runningItems } from "../../../lib/billing/customer/subscription.ts";
import { Trials } from "../../../lib/billing/customer/trial.ts";
import { type CustomerState, readCustomerState } from "../../../lib/billing/customer.ts";
import { DAY_MS } from "../../../lib/core/time.ts";
import { ConditionFailed } from "../../../lib/ports/table.ts";
import { nextVersion } from "../../../lib/table/versions.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const START = day(7, 9);
const TARGETS = ["paid", "teams", "boost", "surveys"] as const;
const PRODUCTS = ["product_analytics", "surveys", "teams", "boost"] as const;
const LENGTH_MS = 30 * DAY_MS;

type Customer = Awaited<ReturnType<typeof billingWorld>>;
type Type = "standard" | "autosubscribe";

/** What a trial ought to be, by the simplest means. */
interface Trial {
  readonly type: Type;
  readonly begun: number;
  /** How it ended, once that is written down. */
  ended: "cancelled" | "expired" | "converted" | null;
}

type Command =
  | { readonly kind: "try"; readonly type: Type; readonly target: string }
  | { readonly kind: "cancel" }
  | { readonly kind: "wait"; readonly days: number }
  | { readonly kind: "close" }
  | { readonly kind: "again"; readonly call: number };

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    arbitrary: fc.record({
      kind: fc.constant("try" as const),
      type: fc.constantFrom<Type>("standard", "autosubscribe"),
      target: fc.constantFrom(...TARGETS),
    }),
    weight: 3,
  },
  fc.constant({ kind: "cancel" as const }),
  { arbitrary: fc.record({ kind: fc.constant("wait" as const), days: fc.constantFrom(1, 15, 29, 30) }), weight: 2 },
  { arbitrary: fc.constant({ kind: "close" as const }), weight: 2 },
  fc.record({ kind: fc.constant("again" as const), call: fc.nat({ max: 9 }) }),
);

const endOf = ({ begun }: Trial): number => begun + LENGTH_MS;

/** How a trial stands, whether or not its end was written down. */
const statusAt = (trial: Trial, now: number): string => {
  if (trial.ended !== null) return trial.ended;
  if (now < endOf(trial)) return "active";
  return trial.type === "standard" ? "expired" : "converted";
};

const Overview = z.looseObject({
  trial: z.object({ type: z.string(), status: z.string(), target: z.string(), expires_at: z.string() }).nullable(),
  has_active_subscription: z.boolean(),
  free_trial_until: z.string().nullable(),
});

const iso = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

const check = async (
  customer: Customer,
  model: ReadonlyMap<string, Trial>,
  held: ReadonlySet<string>,
  now: number,
): Promise<CustomerState> => {
  const state = await readCustomerState(customer.world.table, customer.organization.id);
  const stored = state.trials.map(({ target, type, status, started_at, expires_at }) => [target, { type, status, started_at, expires_at }]);
  const expected = [...model].map(([target, trial]) => [
    target,
    { type: trial.type, status: trial.ended ?? "active", started_at: trial.begun, expires_at: endOf(trial) },
  ]);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(expected));
  const { trial, has_active_subscription, free_trial_until } = Overview.parse(await customer.get(""));
  const [running] = [...model].filter(([, each]) => statusAt(each, now) === "active");
  if (running !== undefined) {
    const [target, { type, begun }] = running;
    expect(trial).toEqual({ type, status: "active", target, expires_at: iso(begun + LENGTH_MS) });
  } else if (trial === null) expect(model.size).toBe(0);
  else expect(trial.status).toBe(statusAt(model.get(trial.target) ?? missing(), now));
  expect(free_trial_until).toBe(running === undefined ? null : iso(endOf(running[1])));
  // What a trial ends in holds from its end on, also before that is written down.
  const isConverting = [...model.values()].some((each) => each.ended === null && statusAt(each, now) === "converted");
  expect(has_active_subscription).toBe(held.size > 0 || isConverting);
  const subscribed = new Set(runningItems(state.subscription, now).map(({ product }) => product));
  expect(PRODUCTS.filter((product) => subscribed.has(product))).toEqual(PRODUCTS.filter((product) => held.has(product)));
  return state;
};

const missing = (): never => {
  throw new Error("a trial that nobody began");
};

/** Writes from a reading that is out of date never happen. */
const checkStale = async ({ world }: Customer, before: CustomerState, now: CustomerState): Promise<void> => {
  const versions = new Map(now.trials.map(({ target, version }) => [target, version]));
  const stale = [
    ...before.trials.filter(({ target, version }) => version < (versions.get(target) ?? 0)).map((old) => nextVersion(Trials, old)),
    ...(before.account.version < now.account.version ? [nextVersion(BillingAccounts, before.account)] : []),
  ];
  for (const write of stale) await expect(world.table.transact([write])).rejects.toThrow(ConditionFailed);
};

it("a trial runs, ends once and subscribes once, as a simple model says, however often and late it is looked after", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(command, fc.integer({ min: 1, max: 3 }), fc.boolean()), { maxLength: 14, size: "max" }),
      async (commands) => {
        const customer = await billingWorld(START);
        const model = new Map<string, Trial>();
        const held = new Set<string>();
        const calls: { readonly at: number; readonly send: () => Promise<void> }[] = [];
        let now = START;

        /** The code that a command is refused with, after it was carried out on the model. */
        const expected = (each: Command): string | null => {
          const running = [...model.values()].find((trial) => statusAt(trial, now) === "active");
          if (each.kind === "try") {
            if (running !== undefined || model.has(each.target)) return "trial_already_used";
            model.set(each.target, { type: each.type, begun: now, ended: null });
          } else if (each.kind === "cancel") {
            if (running === undefined) return "no_active_trial";
            running.ended = "cancelled";
          } else if (each.kind === "close") {
            for (const [target, trial] of model) {
              if (trial.ended !== null || now < endOf(trial)) continue;
              trial.ended = trial.type === "standard" ? "expired" : "converted";
              if (trial.type === "autosubscribe")
                for (const product of target === "paid" ? PRODUCTS.slice(0, 2) : [target]) held.add(product);
            }
          }
          return null;
        };

        let before = await check(customer, model, held, now);
        for (const [at, [each, times, atOnce]] of commands.entries()) {
          if (each.kind === "wait") {
            now += each.days * DAY_MS;
            customer.at(now);
          } else if (each.kind === "again") {
            const call = calls[each.call % Math.max(1, calls.length)];
            if (call !== undefined && now < call.at + DAY_MS) await call.send();
          } else {
            const refusal = expected(each);
            const [path, body] = each.kind === "try" ? ["activate/", { type: each.type, target: each.target }] : ["cancel/", {}];
            const send = async () => {
              if (each.kind === "close") return customer.close();
              const { status, json } = await customer.post(`trials/${path}`, body, `key-${at}`);
              return { status, json };
            };
            const answers: unknown[] = atOnce ? await Promise.all(Array.from({ length: times }, send)) : [await send()];
            while (answers.length < times) answers.push(await send());
            for (const answer of answers) expect(answer).toEqual(answers[0]);
            if (refusal !== null) expect(answers[0]).toMatchObject({ status: 400, json: { code: refusal } });
            else if (each.kind !== "close") {
              expect(answers[0]).toMatchObject({ status: 200 });
              calls.push({ at: now, send: async () => expect(await send()).toEqual(answers[0]) });
            }
          }
          const after = await check(customer, model, held, now);
          await checkStale(customer, before, after);
          before = after;
        }
      },
    ),
    { numRuns: 40 },
  );
});
