import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { notices, sendNotices } from "../../../functions/notices/schedule.ts";
import { asFunction } from "../../../infra/local/function-rights.ts";
import { stepInvoice } from "../../../lib/billing/invoices.ts";
import type { Mail } from "../../../lib/ports/mail.ts";
import { dyingTable } from "../../support/dying-table.ts";
import { aWebhookReceiver } from "../../support/fakes/webhook-receiver.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const receiver = aWebhookReceiver();
beforeEach(() => {
  receiver.heard.length = 0;
  receiver.behaviours.length = 0;
});

const MADE = day(8, 8) + 1;
const MINUTE = 60_000;
const noMail: Mail = { send: async () => undefined };
const budget = { remainingMs: () => 60_000 };

/** A customer of July with an endpoint, and how what is due is sent. */
const aCustomer = async (events?: readonly string[]) => {
  const customer = await billingWorld(day(7, 9), { webhookHosts: "127.0.0.1,hooks.acme.test,*.example.test" });
  const send = (world = customer.world) => asFunction(notices, () => sendNotices({ ...world, mail: noMail }, budget));
  const made = await customer.call("POST", "webhooks/", { body: { url: `${receiver.state.url}/in`, ...(events && { events }) } });
  const { id, secret } = Object(made.json);
  const deliveries = async () => Object(await customer.get(`webhooks/${id}/deliveries/`));
  return { ...customer, send, id: String(id), secret: String(secret), deliveries };
};

/** The same after its invoice of July was made. */
const anInvoiced = async (events?: readonly string[]) => {
  const customer = await aCustomer(events);
  await customer.post("activate/", { products: "product_analytics:" });
  await customer.use(day(7, 9), 3_250_000);
  customer.at(MADE);
  await customer.close();
  return customer;
};

describe("an endpoint", () => {
  it("is registered, shown without its secret, changed and deleted", async () => {
    const customer = await billingWorld(day(7, 9), { webhookHosts: "hooks.acme.test" });
    const url = "https://hooks.acme.test/billing";
    const made = await customer.call("POST", "webhooks/", { body: { url } });
    expect(made).toMatchObject({
      status: 201,
      json: { url, is_active: true, events: ["billing.limit", "billing.invoice", "billing.payment"] },
    });
    const { id, secret, ...shown } = Object(made.json);
    expect(secret).toMatch(/^whsec_\w{43}$/);
    expect(await customer.get("webhooks/")).toEqual({ count: 1, next: null, previous: null, results: [{ id, ...shown }] });
    expect(await customer.get(`webhooks/${id}/`)).toEqual({ id, ...shown });
    const changed = await customer.call("PATCH", `webhooks/${id}/`, { body: { is_active: false, events: ["billing.limit"] } });
    expect(changed).toMatchObject({ status: 200, json: { id, url, is_active: false, events: ["billing.limit"] } });
    expect((await customer.call("DELETE", `webhooks/${id}/`)).status).toBe(204);
    for (const [method, path] of [
      ["GET", `webhooks/${id}/`],
      ["PATCH", `webhooks/${id}/`],
      ["DELETE", `webhooks/${id}/`],
      ["GET", `webhooks/${id}/deliveries/`],
      ["POST", `webhooks/${id}/deliveries/evt_1/retry/`],
    ] as const)
      expect((await customer.call(method, path, method === "PATCH" ? { body: {} } : {})).status).toBe(404);
  });
  it.each([
    "https://other.test/in",
    "https://example.test/in",
    "https://xexample.test/in",
    "https://hooks.acme.test.evil.test/in",
    "http://hooks.acme.test/in",
    "https://user@hooks.acme.test/in",
    "https://hooks.acme.test/in#part",
    "https://10.0.0.1/in",
    "https://169.254.169.254/latest",
    "http://localhost/in",
    "ftp://hooks.acme.test/in",
    "hooks.acme.test",
  ])("400: %s is no address that anything is sent to", async (url) => {
    const { call, id } = await aCustomer();
    const refusal = { status: 400, json: { type: "validation_error", code: "invalid_input", attr: "url" } };
    expect(await call("POST", "webhooks/", { body: { url } })).toMatchObject(refusal);
    expect(await call("PATCH", `webhooks/${id}/`, { body: { url } })).toMatchObject(refusal);
  });
  it("400: there are at most ten, also when many are registered at once", async () => {
    const customer = await aCustomer();
    const url = "https://a.b.example.test/in";
    const statuses = (await Promise.all(Array.from({ length: 12 }, () => customer.call("POST", "webhooks/", { body: { url } })))).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([...Array.from({ length: 9 }, () => 201), 400, 400, 400]);
    expect(await customer.get("webhooks/?limit=3")).toMatchObject({ count: 10, results: [{}, {}, {}] });
  });
});

describe("an event", () => {
  it("is told once of each state of an invoice, signed with the endpoint's secret", async () => {
    const customer = await anInvoiced();
    await customer.send();
    await customer.send();
    expect(receiver.heard).toHaveLength(1);
    const [{ body, signature, path } = { body: "", signature: "", path: "" }] = receiver.heard;
    expect(path).toBe("/in");
    const [, time, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? [];
    expect(Number(time)).toBe(Math.floor(MADE / 1_000));
    expect(digest).toBe(createHmac("sha256", customer.secret).update(`${time}.${body}`).digest("hex"));
    expect(JSON.parse(body)).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9a-f]{32}$/),
      type: "billing.invoice",
      created_at: "2026-08-08T00:00:00Z",
      organization_id: customer.organization.id,
      data: { status: "issued", period_start: "2026-07-01T00:00:00Z", total_usd: "92.88", payable_usd: "92.88", paid_at: null },
    });
    await stepInvoice(customer.world, { organization_id: customer.organization.id, period_start: day(7, 1) }, "pay");
    await customer.send();
    expect(receiver.heard.map((each) => JSON.parse(each.body).data.status)).toEqual(["issued", "paid"]);
    expect(await customer.deliveries()).toMatchObject({
      count: 2,
      results: Array.from({ length: 2 }, () => ({
        status: "delivered",
        attempts: 1,
        response_status: 200,
        next_attempt_at: null,
        error: null,
      })),
    });
  });
  it("goes to nobody who asked for others, or is switched off", async () => {
    const customer = await anInvoiced(["billing.limit"]);
    await customer.send();
    await customer.call("PATCH", `webhooks/${customer.id}/`, { body: { events: ["billing.invoice"], is_active: false } });
    await stepInvoice(customer.world, { organization_id: customer.organization.id, period_start: day(7, 1) }, "pay");
    await customer.send();
    expect([receiver.heard, (await customer.deliveries()).count]).toEqual([[], 0]);
  });
  it.each([
    [500, 500, "It answered 500."],
    [404, 404, "It answered 404."],
    ["redirect", 302, "It answered 302, and redirects are not followed."],
    ["break", null, "It could not be reached: ECONNRESET."],
  ] as const)("that meets %s is sent again after a minute, the same but for its signature", async (behaviour, response_status, error) => {
    const customer = await anInvoiced();
    receiver.behaviours.push(behaviour);
    await customer.send();
    const waiting = { status: "pending", attempts: 1, response_status, error, next_attempt_at: "2026-08-08T00:01:00Z", delivered_at: null };
    expect(await customer.deliveries()).toMatchObject({ results: [waiting] });
    customer.at(MADE + MINUTE - 1);
    await customer.send();
    expect(receiver.heard).toHaveLength(1);
    customer.at(MADE + MINUTE);
    await customer.send();
    const [first, second] = receiver.heard;
    expect([second?.body, second?.path]).toEqual([first?.body, "/in"]);
    expect(second?.signature).not.toBe(first?.signature);
    expect(await customer.deliveries()).toMatchObject({
      results: [{ status: "delivered", attempts: 2, response_status: 200, error: null }],
    });
  });
  it("that nobody takes is tried for a day with growing waits, and again once it is asked for", async () => {
    const customer = await anInvoiced();
    const attempts: number[] = [];
    receiver.behaviours.push(...Array.from({ length: 20 }, () => 503));
    for (let minutes = 0; minutes <= 2 * 24 * 60; minutes += 1) {
      customer.at(MADE + minutes * MINUTE);
      const before = receiver.heard.length;
      await customer.send();
      if (receiver.heard.length > before) attempts.push(minutes);
    }
    expect(attempts).toEqual([0, 1, 6, 36, 156, 456, 816, 1_416]);
    const given = { status: "failed", attempts: 8, next_attempt_at: null, response_status: 503 };
    const { results } = await customer.deliveries();
    expect(results).toMatchObject([given]);
    receiver.behaviours.length = 0;
    const again = await customer.call("POST", `webhooks/${customer.id}/deliveries/${results[0].id}/retry/`);
    expect(again).toMatchObject({ status: 200, json: { status: "pending", attempts: 8 } });
    await customer.send();
    expect(await customer.deliveries()).toMatchObject({ results: [{ status: "delivered", attempts: 9 }] });
    expect((await customer.call("POST", `webhooks/${customer.id}/deliveries/evt_0/retry/`)).status).toBe(404);
  });
  it("is shown for thirty days", async () => {
    const customer = await anInvoiced();
    await customer.send();
    customer.at(MADE + 30 * 24 * 60 * MINUTE);
    expect(await customer.deliveries()).toMatchObject({ count: 1 });
    customer.at(MADE + 30 * 24 * 60 * MINUTE + 1);
    expect(await customer.deliveries()).toMatchObject({ count: 0 });
  });
  it("reaches the endpoint once by however many at once, and at least once wherever one is killed", async () => {
    const together = await anInvoiced();
    await Promise.all(Array.from({ length: 10 }, () => together.send()));
    expect(receiver.heard).toHaveLength(1);
    for (const moment of ["before", "after"] as const)
      for (let write = 0; ; write += 1) {
        const customer = await anInvoiced();
        receiver.heard.length = 0;
        const { table, died } = dyingTable(customer.world.table, write, moment);
        await customer.send({ ...customer.world, table }).catch(() => undefined);
        if (!died()) break;
        for (const minutes of [0, 1, 2]) {
          customer.at(MADE + minutes * MINUTE);
          await customer.send();
        }
        expect(await customer.deliveries()).toMatchObject({ count: 1, results: [{ status: "delivered" }] });
        expect(new Set(receiver.heard.map(({ body }) => body)).size).toBe(1);
      }
  });
  it("is not sent where the operator has taken the host back", async () => {
    const customer = await anInvoiced();
    await customer.send({ ...customer.world, config: { ...customer.world.config, webhookHosts: [] } });
    expect(receiver.heard).toEqual([]);
    expect(await customer.deliveries()).toMatchObject({
      results: [{ status: "pending", response_status: null, error: expect.stringContaining("webhookHosts") }],
    });
  });
});
