import assert from "node:assert/strict";
import { CreditEntries } from "../../lib/billing/customer/credit-grant.ts";
import { readCustomerState } from "../../lib/billing/customer.ts";
import { readInvoices, stepInvoice } from "../../lib/billing/invoices.ts";
import { type PaymentAttempt, readPayments, readReceivables, stepReceivable } from "../../lib/billing/payments.ts";
import { HOUR_MS } from "../../lib/core/time.ts";
import { list } from "../../lib/table/store.ts";
import { memoryTable } from "../simulation/ports/table.ts";
import { CARD, type FakeEvent, type FakeIntent, fakeAccount, OTHER_CARD } from "../support/fakes/stripe-account.ts";
import { type FakeStripe, signatureOf, WEBHOOK_SECRET } from "../support/fakes/stripe-server.ts";
import { billingWorld, day } from "../support/worlds/billing-world.ts";
import type { WalkCommand } from "./commands.ts";
import { killableTable } from "./killable-table.ts";

/** When the first invoice is made, so that every walk has one. */
const FIRST_CLOSING = day(8, 8) + 1_000;

/** Enough for everything that is under way to end: each round is a day, and what has to be repaired is asked for again after one. */
const ROUNDS = 40;

let opened = 0;

/** One customer of a platform that is killed now and then, and one account at a Stripe that answers as it likes. */
export const openWalk = async (stripe: FakeStripe) => {
  opened += 1;
  const key = `sk_test_walk_${opened}`;
  let now = day(7, 9);
  const account = fakeAccount(() => now);
  stripe.accounts.set(key, account);
  const process = killableTable(memoryTable());
  const customer = await billingWorld(
    now,
    { paymentProvider: "stripe", stripeUrl: stripe.url, stripeSecretKey: key, stripeWebhookSecret: WEBHOOK_SECRET },
    { table: process.table },
  );
  const { world, organization } = customer;
  const organization_id = organization.id;
  /** What the operator said was paid, or void: by invoice's period and receivable's id. */
  const byHand = new Set<string>();

  const moveTo = (to: number): void => {
    now = to;
    customer.at(to);
  };

  const authorize = async (card: string): Promise<void> => {
    const { json } = await customer.post("activate/authorize/", {});
    const [id = ""] = String(Object(json).clientSecret).split("_secret_");
    const intent = account.intents.get(id);
    if (intent !== undefined) Object.assign(intent, { status: "requires_capture", payment_method: card });
    await customer.post("activate/authorize/status/", { payment_intent_id: id });
  };

  const close = (): Promise<void> => customer.close().catch(() => undefined);

  const deliver = async (event: FakeEvent): Promise<number> => {
    const body = JSON.stringify(event);
    const headers = { "content-type": "application/json", "stripe-signature": signatureOf(body, now) };
    return (await customer.call("POST", "webhooks/stripe/", { key: "", body, headers })).status;
  };

  const buy = ({ usd, isCollected, key }: WalkCommand & { kind: "buy" }) =>
    customer.post(
      "credits/purchase/",
      { annual_amount_usd: usd, discount_percent: 0, collection_method: isCollected ? "charge_automatically" : "send_invoice" },
      `buy-${key}-${usd}-${isCollected}`,
    );

  const step = async ({ of, step }: WalkCommand & { kind: "step" }): Promise<void> => {
    const [invoices, receivables] = await Promise.all([
      readInvoices(world.table, organization_id),
      readReceivables(world.table, organization_id),
    ]);
    const known = [...invoices.filter(({ state }) => state !== "open"), ...receivables];
    const chosen = known[of % Math.max(1, known.length)];
    if (chosen === undefined) return;
    if ("period_start" in chosen) {
      if (step === "pay") byHand.add(`invoice ${chosen.period_start}`);
      await stepInvoice(world, chosen, step === "collect" ? "retry" : step);
    } else if (step !== "collect") {
      if (step === "pay") byHand.add(`receivable ${chosen.id}`);
      await stepReceivable(world, chosen, step);
    }
  };

  /** The payments at Stripe, without the cards that were only authorized. */
  const charged = (): readonly FakeIntent[] => [...account.intents.values()].filter(({ metadata }) => metadata.kind !== undefined);
  const nth = (of: number): FakeIntent | undefined => charged()[of % Math.max(1, charged().length)];

  const run = async (command: WalkCommand): Promise<void> => {
    switch (command.kind) {
      case "wait":
        account.catchUp();
        return moveTo(now + command.hours * HOUR_MS);
      case "close":
        return void (await Promise.all(Array.from({ length: command.times }, close)));
      case "buy":
        return void (await Promise.all(Array.from({ length: command.times }, () => buy(command))));
      case "step":
        return step(command);
      case "card":
        return authorize(command.isOther ? OTHER_CARD : CARD);
      case "outcomes":
        return void account.outcomes.push(...command.next);
      case "fault":
        return void account.faults.push(...command.faults);
      case "kill":
        return process.killAfter(command.after, command.isApplied);
      case "deliver": {
        const event = account.events[command.of % Math.max(1, account.events.length)];
        if (event === undefined) return;
        await Promise.all([...Array.from({ length: command.times }, () => deliver(event)), ...(command.isWhileClosing ? [close()] : [])]);
        return;
      }
      default:
        return happenAt(command);
    }
  };

  /** What happens at Stripe alone. */
  const happenAt = (command: Extract<WalkCommand, { kind: "finish" | "late" | "refund" | "dispute" }>): void => {
    const intent = nth(command.of);
    if (intent === undefined) return;
    if (command.kind === "finish") account.finish(intent, command.outcome);
    else if (command.kind === "late") account.collectLate(intent);
    else if (command.kind === "refund") account.refund(intent, command.cents);
    else if (command.end === "open") account.dispute(intent);
    else account.closeDispute(intent, command.end);
  };

  /** What holds at every moment. */
  const check = async (): Promise<readonly PaymentAttempt[]> => {
    assert.deepEqual(account.violations, []);
    const [attempts, { grants }, entries] = await Promise.all([
      readPayments(world.table, organization_id),
      readCustomerState(world.table, organization_id),
      list(world.table, CreditEntries, "key", { organization_id }),
    ]);
    const open = attempts.filter(({ state }) => state === "begun" || state === "processing").map(subjectName);
    assert.equal(new Set(open).size, open.length, "two attempts at one thing are open");
    for (const { state, intent_id, cents } of attempts.filter(({ state }) => state === "succeeded")) {
      const intent = account.intents.get(intent_id ?? "");
      assert.deepEqual([intent?.status, intent?.amount], [state, cents], `${intent_id} is said to have succeeded`);
    }
    for (const { id, remaining_cents } of grants) {
      const moved = entries.filter(({ grant_id }) => grant_id === id).reduce((sum, { delta_cents }) => sum + delta_cents, 0);
      assert.equal(moved, remaining_cents, `the entries of credit ${id}`);
    }
    return attempts;
  };

  /** Lets everything end that is under way: each event arrives twice, in the order of its id's last figure, and nobody is killed. */
  const settle = async (): Promise<void> => {
    account.faults.length = 0;
    account.outcomes.length = 0;
    account.catchUp();
    for (const intent of charged()) account.finish(intent, "succeeded");
    for (let round = 0; round < ROUNDS; round += 1) {
      await close();
      const attempts = await readPayments(world.table, organization_id);
      if (attempts.every(({ due_at }) => due_at === null)) break;
      moveTo(now + 24 * HOUR_MS);
    }
    const shuffled = account.events.toSorted((a, b) => (a.id.at(-1) ?? "").localeCompare(b.id.at(-1) ?? "") || b.id.length - a.id.length);
    for (const event of [...shuffled, ...account.events]) assert.equal(await deliver(event), 200, `${event.type} is heard`);
  };

  /** What was charged, less what was given back, is what payments say, and that is what invoices, receivables and credit say. */
  const reconcile = async (): Promise<void> => {
    const attempts = await check();
    assert.deepEqual(
      attempts.filter(({ state }) => state !== "succeeded" && state !== "failed"),
      [],
      "everything has ended",
    );
    const collected = charged().filter(({ status }) => status === "succeeded");
    const told = collected.map(({ id, amount, amount_refunded, dispute }) => {
      const isDisputed = dispute !== null && dispute.status !== "won";
      return { intent: id, cents: amount, refunded: amount_refunded, disputed: isDisputed ? dispute.amount : 0 };
    });
    const kept = attempts
      .filter(({ state }) => state === "succeeded")
      .map(({ intent_id, cents, refunded_cents, disputed_cents }) => ({
        intent: intent_id,
        cents,
        refunded: refunded_cents,
        disputed: disputed_cents,
      }));
    const byIntent = (a: { intent: string | null }, b: { intent: string | null }) => String(a.intent).localeCompare(String(b.intent));
    assert.deepEqual(kept.toSorted(byIntent), told.toSorted(byIntent), "every charge is a payment, once");

    const [invoices, receivables, { grants }] = await Promise.all([
      readInvoices(world.table, organization_id),
      readReceivables(world.table, organization_id),
      readCustomerState(world.table, organization_id),
    ]);
    const owed = [
      ...invoices.map(({ period_start, state, due_cents }) => ({ name: `invoice ${period_start}`, state, cents: due_cents })),
      ...receivables.map(({ id, state, cents }) => ({ name: `receivable ${id}`, state, cents })),
    ];
    const succeeded = attempts.filter(({ state }) => state === "succeeded");
    for (const { name, state, cents } of owed) {
      const ofIt = succeeded.filter((attempt) => subjectName(attempt) === name);
      const paying = ofIt.filter(({ grant_id, refunded_cents, cents }) => grant_id === null && refunded_cents < cents);
      const maybe = ofIt.filter(({ grant_id }) => grant_id === null);
      assert.ok(paying.length <= 1, `${name} is paid by ${paying.length} payments`);
      if (paying.length === 1) assert.deepEqual([state, paying[0]?.cents], ["paid", cents], `${name} was paid`);
      if (state === "paid" && cents > 0 && !byHand.has(name)) assert.ok(maybe.length >= 1, `${name} is paid, and nobody paid it`);
    }
    for (const { grant_id, cents } of succeeded.filter(({ grant_id }) => grant_id !== null)) {
      const grant = grants.find(({ id }) => id === grant_id);
      assert.ok(grant?.source === "refund" && grant.cents <= cents, "what nothing was owed for is credit");
    }
    assert.equal(grants.filter(({ source }) => source === "refund").length, succeeded.filter(({ grant_id }) => grant_id !== null).length);
    for (const { id, state, grant_id } of receivables) {
      const grant = grants.find((each) => each.id === grant_id);
      const isWaiting = state === "open" || state === "uncollectible";
      if (grant?.source === "purchase")
        assert.equal(grant.state === "pending", isWaiting, `the credit of ${id} waits while that is ${state}`);
    }
  };

  await authorize(CARD);
  await customer.post("activate/", { products: "boost:" });
  moveTo(FIRST_CLOSING);
  return {
    /** Takes a command; a process that is killed by then is started anew. */
    async take(command: WalkCommand): Promise<void> {
      await run(command).catch((thrown: unknown) => {
        if (!(thrown instanceof Error) || thrown.name !== "Killed") throw thrown;
      });
      if (command.kind !== "kill") process.start();
      if (command.kind !== "kill") await check();
    },
    async end(): Promise<void> {
      process.start();
      await settle();
      await reconcile();
      stripe.accounts.delete(key);
    },
  };
};

const subjectName = ({ kind, subject_id }: PaymentAttempt): string => `${kind} ${subject_id}`;
