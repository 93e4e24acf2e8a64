import { expect, test } from "vitest";
import { heldSecrets } from "../../test/support/held-secrets.ts";
import { MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { Unavailable } from "../core/unavailable.ts";

const aSecret = (text: string | Error) => {
  const { secretOf, ...held } = heldSecrets(text);
  return { ...held, secret: secretOf("githubToken") };
};

test("a secret is asked for at its first use, and once for all who use it then", async () => {
  const { secret, store } = aSecret("first");
  expect(store.asked).toBe(0);
  expect(await Promise.all([secret.read(), secret.read(), secret.read()])).toEqual(["first", "first", "first"]);
  expect(store.asked).toBe(1);
});

test("another text is noticed after five minutes, and nobody asks before", async () => {
  const { secret, store, time } = aSecret("first");
  await secret.read();
  store.text = "second";
  time.now = 5 * MINUTE_MS - 1;
  expect(await secret.read()).toBe("first");
  expect(store.asked).toBe(1);
  time.now = 5 * MINUTE_MS;
  expect(await secret.read()).toBe("second");
});

test("one that is refused is asked for again at once, and at most every ten seconds", async () => {
  const { secret, store, time } = aSecret("first");
  await secret.read();
  store.text = "second";
  time.now = 10 * SECOND_MS;
  secret.renew();
  expect(await secret.read()).toBe("second");
  for (time.now = 10 * SECOND_MS; time.now < 20 * SECOND_MS; time.now += SECOND_MS) {
    secret.renew();
    await secret.read();
  }
  expect(store.asked).toBe(2);
  secret.renew();
  await secret.read();
  expect(store.asked).toBe(3);
});

test("one that cannot be asked for stays what it was, and a line names where it lies", async () => {
  const { secret, store, time, log } = aSecret("first");
  await secret.read();
  store.text = new Error("the parameter store answered 400: ParameterNotFound");
  time.now = 5 * MINUTE_MS;
  expect(await secret.read()).toBe("first");
  expect(await secret.read()).toBe("first");
  expect(store.asked).toBe(2);
  const reason = "Error: the parameter store answered 400: ParameterNotFound";
  expect(log.lines).toEqual([
    { level: "error", event: "secret.unread", fields: { setting: "githubToken", name: "/platform/githubToken", is_known: true, reason } },
  ]);
  store.text = "second";
  time.now += 10 * SECOND_MS;
  expect(await secret.read()).toBe("second");
});

test("one that was never read is no use to anybody, and is asked for every ten seconds", async () => {
  const { secret, store, time, log } = aSecret(new Error("AccessDeniedException"));
  for (const _ of [1, 2]) await expect(secret.read()).rejects.toThrow(Unavailable);
  await expect(secret.read()).rejects.toThrow("githubToken");
  expect(store.asked).toBe(1);
  expect(log.lines).toMatchObject([{ fields: { name: "/platform/githubToken", is_known: false } }]);
  store.text = "first";
  time.now = 10 * SECOND_MS;
  expect(await secret.read()).toBe("first");
});
