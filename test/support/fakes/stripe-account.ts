import { DAY_MS } from "../../../lib/core/time.ts";

/** A call as the fake heard it. */
export interface HeardCall {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  readonly key: string | undefined;
}

export interface FakeReply {
  readonly status: number;
  readonly body: object;
}

/**
 * What becomes of the next call. `lost`: it is carried out, and something on the way answers in its place. `reset`: it is carried out, and
 * the connection breaks. `delayed`: something on the way answers at once, and it is carried out with the next hour. `saved`: 500, which is
 * repeated under its key. The others are answered without being carried out.
 */
export const FAULTS = ["lost", "reset", "delayed", "saved", "down", "busy", "in flight", "no key", "not taken"] as const;
export type Fault = (typeof FAULTS)[number];

/** How the next payment comes out. */
export const OUTCOMES = ["succeeded", "declined", "processing"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface FakeIntent {
  readonly id: string;
  readonly object: "payment_intent";
  readonly client_secret: string;
  readonly amount: number;
  readonly customer: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Seconds since 1970. */
  readonly created: number;
  status: string;
  amount_received: number;
  payment_method: string | null;
  last_payment_error: { readonly message: string } | null;
  amount_refunded: number;
  dispute: { readonly id: string; readonly amount: number; status: string } | null;
  /** Whether it was collected after it had been declined, which nobody can foresee. */
  isLate: boolean;
}

/** An event that waits to be delivered, however often and in whatever order. */
export interface FakeEvent {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly object: object };
}

/** Cards that somebody enters on the provider's page. */
export const CARD = "pm_card";
export const OTHER_CARD = "pm_other_card";

const MINIMUM_CENTS = 50;
const KEY_LIFE_MS = DAY_MS;

const LOST: FakeReply = { status: 504, body: {} };
const DOWN: FakeReply = { status: 500, body: { error: { type: "api_error", message: "Stripe is down." } } };

const refusal = (message: string, code?: string): FakeReply => ({
  status: 400,
  body: { error: { type: "invalid_request_error", message, code } },
});

/**
 * One account at Stripe: the part of the interface that is used here, with what it remembers under idempotency keys and forgets a day
 * later, and with the events that it would send.
 */
export const fakeAccount = (now: () => number) => {
  const calls: HeardCall[] = [];
  const intents = new Map<string, FakeIntent>();
  const events: FakeEvent[] = [];
  const keys = new Map<string, { readonly sent: string; readonly reply: FakeReply; readonly at: number }>();
  const state = { isCardDeclined: false, isDown: false, isCancellingDown: false };
  const faults: Fault[] = [];
  const outcomes: Outcome[] = [];
  const delayed: HeardCall[] = [];
  /** What it should never have been asked for. */
  const violations: string[] = [];

  const tell = (type: string, object: object): void => {
    events.push({ id: `evt_${events.length + 1}`, type, data: { object: structuredClone(object) } });
  };

  const end = (intent: FakeIntent, outcome: "succeeded" | "declined"): void => {
    if (outcome === "succeeded") Object.assign(intent, { status: "succeeded", amount_received: intent.amount, last_payment_error: null });
    else Object.assign(intent, { status: "requires_payment_method", last_payment_error: { message: "Your card was declined." } });
    tell(outcome === "succeeded" ? "payment_intent.succeeded" : "payment_intent.payment_failed", intent);
  };

  const watch = (metadata: FakeIntent["metadata"]): void => {
    const isSame = (each: FakeIntent) => ["organization_id", "kind", "id"].every((name) => each.metadata[name] === metadata[name]);
    const earlier = [...intents.values()].filter(
      (each) => isSame(each) && !each.isLate && ["processing", "succeeded"].includes(each.status),
    );
    if (earlier.length > 0)
      violations.push(`${metadata.kind} ${metadata.id} is charged again while ${earlier[0]?.id} is ${earlier[0]?.status}`);
  };

  const create = (form: HeardCall["form"]): FakeReply => {
    const amount = Number(form.amount);
    if (!(amount >= MINIMUM_CENTS)) {
      violations.push(`${amount} cents are too little`);
      return refusal("Amount must be at least $0.50 usd", "amount_too_small");
    }
    const isConfirmed = form.confirm === "true";
    if (isConfirmed && ![CARD, OTHER_CARD].includes(form.payment_method ?? "")) return refusal("There is no such payment method.");
    const metadata = Object.fromEntries(
      Object.entries(form).flatMap(([name, value]) => {
        const [, inner] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
        return inner === undefined ? [] : [[inner, value]];
      }),
    );
    if (isConfirmed) watch(metadata);
    const id = `pi_${intents.size + 1}`;
    const intent: FakeIntent = {
      id,
      object: "payment_intent",
      client_secret: `${id}_secret_abc`,
      amount,
      customer: form.customer ?? "",
      metadata,
      created: Math.floor(now() / 1_000),
      status: "requires_payment_method",
      amount_received: 0,
      payment_method: form.payment_method ?? null,
      last_payment_error: null,
      amount_refunded: 0,
      dispute: null,
      isLate: false,
    };
    intents.set(id, intent);
    if (!isConfirmed) return { status: 200, body: { ...intent } };
    const outcome = state.isCardDeclined ? "declined" : (outcomes.shift() ?? "succeeded");
    if (outcome === "processing") {
      intent.status = "processing";
      tell("payment_intent.processing", intent);
    } else end(intent, outcome);
    if (outcome !== "declined") return { status: 200, body: { ...intent } };
    const error = { type: "card_error", code: "card_declined", message: "Your card was declined.", payment_intent: { ...intent } };
    return { status: 402, body: { error } };
  };

  const listIntents = (form: HeardCall["form"]): FakeReply => {
    const since = Number(form["created[gte]"] ?? 0);
    const found = [...intents.values()].filter(({ customer, created }) => customer === form.customer && created >= since).toReversed();
    const from = form.starting_after === undefined ? 0 : found.findIndex(({ id }) => id === form.starting_after) + 1;
    const data = found.slice(from, from + PAGE);
    return { status: 200, body: { object: "list", url: "/v1/payment_intents", data, has_more: from + PAGE < found.length } };
  };

  const cancel = (id: string): FakeReply => {
    if (state.isCancellingDown) return DOWN;
    const intent = intents.get(id);
    if (intent === undefined) return { ...refusal("No such payment_intent."), status: 404 };
    if (intent.status === "canceled") return refusal("It is canceled.", "payment_intent_unexpected_state");
    intent.status = "canceled";
    return { status: 200, body: { ...intent } };
  };

  const retrieve = (id: string): FakeReply => {
    const intent = intents.get(id);
    if (intent === undefined) return { ...refusal("No such payment_intent."), status: 404 };
    const charge = { id: `ch_${id}`, object: "charge", payment_intent: id, amount_refunded: intent.amount_refunded };
    return { status: 200, body: { ...intent, latest_charge: intent.status === "succeeded" ? charge : null } };
  };

  const carriedOut = ({ method, path, form }: HeardCall): FakeReply => {
    const [, id = "", action] = /^\/v1\/payment_intents\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
    if (path === "/v1/customers") return { status: 200, body: { id: "cus_stripe", object: "customer" } };
    if (path === "/v1/billing_portal/sessions")
      return { status: 200, body: { id: "bps_1", object: "billing_portal.session", url: `https://billing.stripe.test/${form.customer}` } };
    if (path === "/v1/disputes") {
      const dispute = intents.get(form.payment_intent ?? "")?.dispute;
      return { status: 200, body: { object: "list", url: path, data: dispute ? [dispute] : [], has_more: false } };
    }
    if (path === "/v1/payment_intents") return method === "GET" ? listIntents(form) : create(form);
    return action === "cancel" ? cancel(id) : retrieve(id);
  };

  /** Once for each key, until it is forgotten. What was refused before it began is not kept. */
  const keyed = (call: HeardCall, carryOut: () => FakeReply): FakeReply => {
    if (call.key === undefined || call.method === "GET") return carryOut();
    const sent = JSON.stringify([call.path, call.form]);
    const known = keys.get(call.key);
    if (known !== undefined && now() - known.at < KEY_LIFE_MS) {
      if (known.sent === sent) return known.reply;
      violations.push(`the key ${call.key} came with another request`);
      return {
        status: 400,
        body: { error: { type: "idempotency_error", message: "Keys for idempotent requests can only be used with…" } },
      };
    }
    const reply = carryOut();
    if (reply.status !== 400) keys.set(call.key, { sent, reply, at: now() });
    return reply;
  };

  const answer = (call: HeardCall): FakeReply | "reset" => {
    calls.push(call);
    if (state.isDown) return DOWN;
    const fault = faults.shift();
    switch (fault) {
      case undefined:
        return keyed(call, () => carriedOut(call));
      case "lost":
      case "reset":
        keyed(call, () => carriedOut(call));
        return fault === "reset" ? "reset" : LOST;
      case "delayed":
        delayed.push(call);
        return LOST;
      case "saved":
        return keyed(call, () => DOWN);
      case "down":
        return DOWN;
      case "busy":
        return { status: 429, body: { error: { type: "invalid_request_error", code: "rate_limit", message: "Too many requests." } } };
      case "in flight":
        return {
          status: 409,
          body: { error: { type: "idempotency_error", message: "There is another request under way with this key." } },
        };
      case "no key":
        return { status: 401, body: { error: { type: "invalid_request_error", message: "Invalid API Key provided." } } };
      case "not taken":
        return refusal("Your account cannot make live charges.");
    }
  };

  return {
    calls,
    intents,
    events,
    state,
    faults,
    outcomes,
    violations,
    answer,
    /** Carries out what was delayed on the way. */
    catchUp(): void {
      for (const call of delayed.splice(0)) keyed(call, () => carriedOut(call));
    },
    /** Ends a payment that takes its time. */
    finish(intent: FakeIntent, outcome: "succeeded" | "declined"): void {
      if (intent.status === "processing") end(intent, outcome);
    },
    /** Collects a payment that was declined: its payer let it, later. */
    collectLate(intent: FakeIntent): void {
      if (intent.status !== "requires_payment_method") return;
      intent.isLate = true;
      end(intent, "succeeded");
    },
    refund(intent: FakeIntent, cents: number): void {
      const amount = Math.min(cents, intent.amount_received - intent.amount_refunded);
      if (amount <= 0) return;
      intent.amount_refunded += amount;
      tell("refund.created", { id: `re_${events.length}`, object: "refund", amount, payment_intent: intent.id });
      tell("charge.refunded", {
        id: `ch_${intent.id}`,
        object: "charge",
        payment_intent: intent.id,
        amount_refunded: intent.amount_refunded,
      });
    },
    dispute(intent: FakeIntent): void {
      if (intent.status !== "succeeded" || intent.dispute !== null) return;
      intent.dispute = { id: `dp_${intent.id}`, amount: intent.amount, status: "needs_response" };
      tell("charge.dispute.created", { ...intent.dispute, object: "dispute", payment_intent: intent.id });
    },
    closeDispute(intent: FakeIntent, status: "won" | "lost"): void {
      if (intent.dispute?.status !== "needs_response") return;
      intent.dispute.status = status;
      tell("charge.dispute.closed", { ...intent.dispute, object: "dispute", payment_intent: intent.id });
    },
  };
};

export type FakeAccount = ReturnType<typeof fakeAccount>;

/** So many intents a page, so that a list has several. */
const PAGE = 2;
