import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll } from "vitest";

/** A call as the fake heard it. */
export interface HeardCall {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
  readonly key: string | undefined;
}

export const SECRET_KEY = "sk_test_1";
export const WEBHOOK_SECRET = "whsec_1";
/** The card that somebody enters on the provider's page. */
export const CARD = "pm_card";

/** Speaks the part of Stripe's interface that is used here: forms in, JSON out, answers repeated under an idempotency key. */
export const aStripe = () => {
  const calls: HeardCall[] = [];
  const intents = new Map<string, Record<string, unknown>>();
  const answered = new Map<string, readonly [number, object]>();
  const state = { url: "", isCardDeclined: false, isDown: false, isCancellingDown: false };
  const answer = (method: string, { path, form }: HeardCall): readonly [number, object] => {
    if (state.isDown) return [500, { error: { type: "api_error" } }];
    if (path === "/v1/customers") return [200, { id: "cus_stripe", object: "customer" }];
    if (path === "/v1/billing_portal/sessions") return [200, { id: "bps_1", url: `https://billing.stripe.test/${form.customer}` }];
    const [, cancelled] = /^\/v1\/payment_intents\/(\w+)\/cancel$/.exec(path) ?? [];
    if (cancelled !== undefined && state.isCancellingDown) return [500, { error: { type: "api_error" } }];
    if (cancelled !== undefined && intents.get(cancelled)?.status === "canceled")
      return [400, { error: { type: "invalid_request_error", code: "payment_intent_unexpected_state" } }];
    if (cancelled !== undefined) {
      intents.set(cancelled, { ...intents.get(cancelled), status: "canceled" });
      return [200, intents.get(cancelled) ?? {}];
    }
    if (method === "GET") {
      const intent = intents.get(path.split("/").at(-1) ?? "");
      return intent ? [200, intent] : [404, { error: { type: "invalid_request_error" } }];
    }
    if (form.confirm === "true" && form.payment_method !== CARD)
      return [400, { error: { type: "invalid_request_error", message: "There is no such payment method." } }];
    if (state.isCardDeclined && form.confirm === "true")
      return [402, { error: { type: "card_error", code: "card_declined", message: "Your card was declined." } }];
    const id = `pi_${intents.size + 1}`;
    const status = form.confirm === "true" ? "succeeded" : "requires_payment_method";
    intents.set(id, { id, object: "payment_intent", status, client_secret: `${id}_secret_abc`, last_payment_error: null });
    return [200, intents.get(id) ?? {}];
  };
  const server = createServer(async (request, response) => {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    const key = request.headers["idempotency-key"]?.toString();
    const heard = { path: request.url ?? "", form, key };
    calls.push(heard);
    const isKnown = request.headers.authorization === `Bearer ${SECRET_KEY}`;
    const reply = isKnown ? (answered.get(key ?? "") ?? answer(request.method ?? "", heard)) : ([401, { error: {} }] as const);
    if (key !== undefined && !state.isDown) answered.set(key, reply);
    response.writeHead(reply[0], { "content-type": "application/json" }).end(JSON.stringify(reply[1]));
  });
  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    // A listening server of this kind has an address of this kind.
    state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => server.close());
  return { calls, intents, state };
};

/** The header that Stripe signs a notice with. */
export const signatureOf = (body: string, atMs: number, secret = WEBHOOK_SECRET): string => {
  const time = Math.floor(atMs / 1_000);
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")}`;
};
