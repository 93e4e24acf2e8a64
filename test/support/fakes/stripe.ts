import { afterAll, beforeAll } from "vitest";
import { type FakeAccount, fakeAccount } from "./stripe-account.ts";
import { type FakeStripe, openStripe } from "./stripe-server.ts";

export const SECRET_KEY = "sk_test_1";

/** One account at Stripe for a file of tests, whose clock they turn. */
export const aStripe = () => {
  const time = { now: 0 };
  const place = { url: "" };
  let server: FakeStripe | undefined;
  const account: FakeAccount = fakeAccount(() => time.now);
  beforeAll(async () => {
    server = await openStripe();
    server.accounts.set(SECRET_KEY, account);
    place.url = server.url;
  });
  afterAll(() => server?.stop());
  return { ...account, time, place };
};
