import { describe, expect, it } from "vitest";
import { notices, sendNotices } from "../../../functions/notices/schedule.ts";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { asFunction } from "../../../infra/local/function-rights.ts";
import { readAlerts } from "../../../lib/billing/alerts.ts";
import { evaluateQuotas } from "../../../lib/billing/quotas.ts";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import type { Letter, Mail } from "../../../lib/ports/mail.ts";
import { put } from "../../../lib/table/store.ts";
import { dyingTable } from "../../support/dying-table.ts";
import { aWebhookReceiver } from "../../support/fakes/webhook-receiver.ts";
import { aMembership, aUser } from "../../support/worlds/api-world.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const receiver = aWebhookReceiver();
const START = day(7, 9);
const MINUTE = 60_000;
const budget = { remainingMs: () => 60_000 };

/** A customer with a million free events in a period, an admin and a member; letters are kept, unless the mail service is down. */
const aCustomer = async () => {
  const customer = await billingWorld(START, { webhookHosts: "127.0.0.1", baseUrl: "https://app.acme.test" });
  const letters: Letter[] = [];
  const service = { isDown: false };
  const mail: Mail = {
    async send(letter) {
      if (service.isDown) throw new Error("no answer");
      letters.push(letter);
    },
  };
  const { world, organization } = customer;
  await aMembership(world, await aUser(world, 2, { email: "admin@acme.test" }), organization, "admin");
  await aMembership(world, await aUser(world, 3, { email: "member@acme.test" }), organization, "member");
  const send = (within = world) => asFunction(notices, () => sendNotices({ ...within, mail }, budget));
  const evaluate = (within = world) => evaluateQuotas(within, organization.id);
  return {
    ...customer,
    letters,
    service,
    send,
    evaluate,
    /** Comes to so many events, which is seen, and sends what is due. */
    async reach(units: number, on = START, type = "event_count_in_period") {
      await customer.use(on, units, { type });
      await evaluate();
      await send();
    },
    alerts: async () => Object(await customer.get("alerts/")).results,
    subjects: () => letters.map(({ subject }) => subject.replace(/^.*?: /, "")),
  };
};

describe("letters of limits", () => {
  it("come at 80 and 100 per cent and when data begins to be dropped, once each in a period, and say what follows", async () => {
    const customer = await aCustomer();
    for (const units of [799_999, 800_000, 900_000, 999_999, 1_000_000, 1_000_001]) await customer.reach(units);
    expect(customer.subjects()).toEqual(["80 % of the limit of Product analytics is used", "the limit of Product analytics is reached"]);
    customer.at(day(7, 15));
    await customer.reach(1_000_002);
    await customer.reach(1_000_003);
    expect(customer.subjects().slice(2)).toEqual(["Product analytics is above its limit"]);
    const [early, whole, dropping] = customer.letters.map(({ text }) => text);
    expect(early).toContain(
      "Organization 1 has used 800,000 of 1,000,000 events (Product analytics) in the billing period that ends on 2026-08-01 00:00 UTC.\n\nNothing changes yet.",
    );
    expect(whole).toContain(
      "Nothing is dropped before 2026-07-15 00:00 UTC. Unless the limit is raised, new events are dropped from then on",
    );
    expect(dropping).toContain("new events are dropped from now on until the period ends");
    for (const text of [early, whole, dropping]) expect(text).toContain("https://app.acme.test/api/billing/");
    expect(customer.log.lines.filter(({ level }) => level !== "info")).toEqual([]);
    customer.at(day(8, 3));
    await customer.reach(850_000, day(8, 2));
    expect(customer.subjects().slice(3)).toEqual(["80 % of the limit of Product analytics is used"]);
  });
  it("come of no limit in dollars while a trial runs, which costs nothing, but when it has ended", async () => {
    const customer = await aCustomer();
    await customer.post("trials/activate/", { type: "standard", target: "paid" });
    await customer.call("PATCH", "", { body: { custom_limits_usd: { product_analytics: 0, session_replay: 1 } } });
    await customer.reach(3_000_000);
    await customer.reach(9_000, START, "recording_count_in_period");
    expect(customer.letters).toEqual([]);
    const usage_summary = { events: { usage: 3_000_000, limit: null }, recordings: { usage: 9_000, limit: null } };
    expect(await customer.get("")).toMatchObject({ usage_summary });
    await customer.post("trials/cancel/", {});
    await customer.send();
    expect(customer.subjects()).toEqual(["the limit of Product analytics is reached", "the limit of Session replay is reached"]);
  });
  it("come of a product and of its addon by the limit of each, where both are priced on the same use", async () => {
    const customer = await aCustomer();
    const free = (free_allocation: number) => [{ plan_key: "free", name: "Free", is_free: true, free_allocation }];
    const groups = { type: "groups", name: "Groups", usage_key: "events", usage_type: "group_analytics", plans: free(1_000) };
    const events = { type: "events", name: "Events", usage_key: "events", usage_type: "event_count_in_period", plans: free(100) };
    await applyDocument(customer.world, { billing_catalogue: { products: [{ ...events, addons: [groups] }] } });
    await customer.reach(100);
    customer.at(day(7, 15));
    await customer.reach(800);
    const told = (await customer.alerts()).map(({ product, threshold, drops_from }: Record<string, unknown>) => [
      product,
      threshold,
      drops_from,
    ]);
    expect(told).toEqual([
      ["events", "dropping", "2026-07-15T00:00:00Z"],
      ["groups", "80", null],
      ["events", "100", "2026-07-15T00:00:00Z"],
      ["events", "80", "2026-07-15T00:00:00Z"],
    ]);
  });
  it("say that nothing is dropped where the grace outlasts the period", async () => {
    const customer = await aCustomer();
    customer.at(day(7, 25));
    await customer.reach(1_000_000);
    customer.at(day(7, 26));
    await customer.reach(100_000, START, "exceptions_captured_in_period");
    expect(await customer.alerts()).toMatchObject([
      { product: "error_tracking", threshold: "100", drops_from: null },
      { threshold: "80" },
      { product: "product_analytics", threshold: "100", drops_from: "2026-07-31T00:00:00Z" },
      { threshold: "80" },
    ]);
    const [before, after] = customer.letters.map(({ text }) => text);
    expect(before).toContain("Nothing is dropped before 2026-07-31 00:00 UTC.");
    expect(after).toContain("Nothing is dropped as things stand.");
  });
  it("are of the highest threshold where several are crossed at once; those below are marked, and never come later", async () => {
    const customer = await aCustomer();
    await customer.reach(1_500_000);
    expect(customer.subjects()).toEqual(["the limit of Product analytics is reached"]);
    const marked = (await customer.alerts()).map(({ threshold, letter }: Record<string, unknown>) => [threshold, letter]);
    expect(marked).toEqual([
      ["100", "sent"],
      ["80", "superseded"],
    ]);
    await customer.use(START, 5_000, { type: "ai_credits_used_in_period" });
    await customer.evaluate();
    await customer.send();
    expect(customer.subjects().slice(1)).toEqual(["Assistant is above its limit"]);
  });
  it("stay silent where a limit is raised and crossed again in the same period", async () => {
    const customer = await aCustomer();
    await customer.post("activate/", { products: "product_analytics:" });
    const limit = (usd: number) => customer.call("PATCH", "", { body: { custom_limits_usd: { product_analytics: usd } } });
    await limit(50);
    await customer.reach(2_000_000);
    expect(customer.subjects()).toEqual(["the limit of Product analytics is reached"]);
    await limit(84.3);
    for (const units of [2_900_000, 3_000_000, 3_100_000]) await customer.reach(units);
    expect(customer.letters).toHaveLength(1);
    customer.at(day(8, 3));
    await customer.reach(3_000_000, day(8, 2));
    expect(customer.letters).toHaveLength(2);
  });
  it("go to owners and admins, to members where they may see usage, and to owners alone where billing is theirs", async () => {
    const settings = { member: { member_billing_usage_spend_read_access: true }, owner: { owner_only_billing: true }, admin: {} };
    const readers: Record<string, readonly string[]> = {};
    for (const [who, setting] of Object.entries(settings)) {
      const customer = await aCustomer();
      await put(customer.world.table, Organizations, { ...customer.organization, ...setting });
      await customer.reach(900_000);
      readers[who] = customer.letters.flatMap(({ to }) => to);
    }
    expect(readers).toEqual({
      owner: ["user1@example.com"],
      admin: ["user1@example.com", "admin@acme.test"],
      member: ["user1@example.com", "admin@acme.test", "member@acme.test"],
    });
  });
  it("come once by fifty evaluations and sendings at once", async () => {
    const customer = await aCustomer();
    await customer.use(START, 900_000);
    await Promise.all(Array.from({ length: 50 }, () => customer.evaluate()));
    await Promise.all(Array.from({ length: 50 }, () => customer.send()));
    expect([customer.letters.length, (await customer.alerts()).length]).toEqual([1, 1]);
  });
  it("come wherever an evaluation or a sending is killed: once, and twice where nobody knows whether one was sent", async () => {
    const counts = new Set<number>();
    for (const moment of ["before", "after"] as const)
      for (const killed of ["evaluate", "send"] as const)
        for (let write = 0; ; write += 1) {
          const customer = await aCustomer();
          await customer.use(START, 900_000);
          if (killed === "send") await customer.evaluate();
          const { table, died } = dyingTable(customer.world.table, write, moment);
          await customer[killed]({ ...customer.world, table }).catch(() => undefined);
          if (!died()) break;
          for (const minutes of [0, 1, 2]) {
            customer.at(START + minutes * MINUTE);
            await customer.evaluate();
            await customer.send();
          }
          expect(await customer.alerts()).toMatchObject([{ threshold: "80", letter: "sent" }]);
          counts.add(customer.letters.length);
        }
    expect(counts).toEqual(new Set([1, 2]));
  });
  it("wait for a mail service that is down, for a day, and are given up then, which is seen and names nobody", async () => {
    const customer = await aCustomer();
    customer.service.isDown = true;
    await customer.use(START, 900_000);
    await customer.evaluate();
    await expect(customer.send()).rejects.toThrow("1 letters");
    customer.at(START + MINUTE - 1);
    await customer.send();
    customer.service.isDown = false;
    customer.at(START + MINUTE);
    await customer.send();
    expect([customer.letters.length, await customer.alerts()]).toMatchObject([1, [{ letter: "sent" }]]);
    customer.service.isDown = true;
    customer.at(START + 5 * MINUTE);
    await customer.use(START, 1_000_000);
    await customer.evaluate();
    let failures = 0;
    for (let minutes = 5; minutes < 2 * 24 * 60; minutes += 1) {
      customer.at(START + minutes * MINUTE);
      await customer.send().catch(() => (failures += 1));
    }
    expect([failures, (await customer.alerts())[0]]).toMatchObject([8, { threshold: "100", letter: "failed" }]);
    expect(JSON.stringify(customer.log.lines)).not.toContain("@");
  });
  it("are not written for an organization that was removed", async () => {
    const customer = await aCustomer();
    await put(customer.world.table, Organizations, { ...customer.organization, state: "removed" });
    await customer.reach(900_000);
    expect(customer.letters).toEqual([]);
  });
  it("are not sent for one that was removed meanwhile, and nothing is left of them", async () => {
    const customer = await aCustomer();
    await customer.use(START, 900_000);
    await customer.evaluate();
    await put(customer.world.table, Organizations, { ...customer.organization, state: "removed" });
    await customer.send();
    expect([customer.letters, await readAlerts(customer.world.table, customer.organization.id)]).toEqual([[], []]);
  });
});

describe("GET /api/billing/alerts/", () => {
  it("200: the newest first, with what was used of what", async () => {
    const customer = await aCustomer();
    await customer.reach(800_000);
    customer.at(day(8, 2) + MINUTE);
    await customer.reach(1_200_000, day(8, 2));
    const july = { period_start: "2026-07-01T00:00:00Z", period_end: "2026-08-01T00:00:00Z", at: "2026-07-09T00:00:00Z" };
    const august = { period_start: "2026-08-01T00:00:00Z", at: "2026-08-02T00:01:00Z", drops_from: "2026-08-08T00:00:00Z" };
    expect(await customer.get("alerts/")).toMatchObject({
      count: 3,
      next: null,
      previous: null,
      results: [
        { ...august, threshold: "100", usage: 1_200_000, limit: 1_000_000, letter: "sent" },
        { ...august, threshold: "80", letter: "superseded" },
        {
          ...july,
          ...{ product: "product_analytics", name: "Product analytics", usage_key: "events", threshold: "80" },
          ...{ usage: 800_000, limit: 1_000_000, drops_from: null, letter: "sent" },
        },
      ],
    });
    expect(await customer.get("alerts/?limit=1&offset=1")).toMatchObject({
      count: 3,
      results: [{ threshold: "80" }],
      next: expect.any(String),
    });
  });
});

describe("the event of a limit", () => {
  it("is told with each alert that a letter is written for", async () => {
    const customer = await aCustomer();
    await customer.call("POST", "webhooks/", { body: { url: receiver.state.url, events: ["billing.limit"] } });
    await customer.reach(850_000);
    await customer.reach(1_200_000);
    expect(receiver.heard.map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        type: "billing.limit",
        data: { product: "product_analytics", threshold: "80", usage: 850_000, limit: 1_000_000, drops_from: null },
      },
      { type: "billing.limit", data: { threshold: "100", usage: 1_200_000, drops_from: "2026-07-15T00:00:00Z" } },
    ]);
  });
});
