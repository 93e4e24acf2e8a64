import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeStripe, openStripe } from "../support/fakes/stripe-server.ts";
import { runWalks } from "./run-walks.ts";

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await openStripe();
});
afterAll(() => stripe.stop());

it("whatever Stripe does and wherever the process is killed, nothing is charged twice and no payment is lost", async () => {
  expect((await runWalks(stripe, { from: 1, walks: 150, stride: 1 })).failures).toEqual([]);
});
