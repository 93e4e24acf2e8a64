import type { ServerResponse } from "node:http";
import { beforeEach, describe, expect, it } from "vitest";
import { aBillingService, LICENSE } from "../../support/fakes/billing-service.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const service = aBillingService();

const aCustomer = (settings: Readonly<Record<string, string>> = {}) =>
  billingWorld(day(7, 9), { billingServiceUrl: service.state.url, billingLicense: LICENSE, ...settings });

beforeEach(() => {
  service.replies.clear();
});

/** Every operation that asks the billing service: method, path, body, and what is asked there. */
const RELAYED = [
  ["GET", "", undefined, "GET /api/billing"],
  ["PATCH", "", { custom_limits_usd: {} }, "PATCH /api/billing/"],
  ["GET", "period/", undefined, "GET /api/billing"],
  ["GET", "portal/", undefined, "GET /api/billing/portal"],
  ["GET", "get_invoices/", undefined, "GET /api/billing/get_invoices"],
  ["GET", "credits/overview/", undefined, "GET /api/credits/overview"],
  [
    "POST",
    "credits/purchase/",
    { annual_amount_usd: 1, discount_percent: 0, collection_method: "send_invoice" },
    "POST /api/credits/purchase",
  ],
  ["GET", "coupons/overview/", undefined, "GET /api/coupons/overview"],
  ["POST", "coupons/claim/", { code: "C" }, "POST /api/coupons/claim"],
  ["POST", "activate/", { products: "surveys:" }, "POST /api/activate"],
  ["POST", "activate/authorize/", {}, "POST /api/activate/authorize"],
  ["POST", "activate/authorize/status/", { payment_intent_id: "pi_1" }, "POST /api/activate/authorize/status"],
  ["POST", "deactivate/", { products: "surveys" }, "POST /api/billing/deactivate"],
  [
    "POST",
    "subscription/switch-plan/",
    { from_product_key: "a", from_plan_key: "b", to_product_key: "c", to_plan_key: "d" },
    "POST /api/subscription/switch-plan/",
  ],
  ["POST", "trials/activate/", { type: "standard", target: "paid" }, "POST /api/trials/activate"],
  ["POST", "trials/cancel/", {}, "POST /api/trials/cancel"],
  ["POST", "startups/apply/", "an application", "POST /api/startups/apply"],
  ["GET", "usage/", undefined, "GET /api/v2/usage/"],
  ["GET", "spend/", undefined, "GET /api/v2/spend/"],
  ["GET", "usage/export/", undefined, "GET /api/v2/usage/"],
  ["GET", "spend/export/", undefined, "GET /api/v2/spend/"],
] as const;

describe.each(RELAYED)("%s /api/billing/%s of a billing service upstream", (method, path, sent, asked) => {
  const calling = async () => {
    const customer = await aCustomer();
    const body = sent === "an application" ? { organization_id: customer.organization.id } : sent;
    return () => customer.call(method, path, { body });
  };

  it.each([401, 404])("%s passes as it is", async (status) => {
    const call = await calling();
    service.replies.set(asked, [status, { said: status }]);
    expect(await call()).toMatchObject({ status, json: { said: status } });
  });

  it("429 passes with the time that the service asks for, where that is one", async () => {
    const call = await calling();
    for (const [told, wait] of [
      ["7", "7"],
      ["3600", "3600"],
      ["0", "1"],
      ["3601", "1"],
      ["Fri, 10 Jul 2026 00:00:00 GMT", "1"],
      [undefined, "1"],
    ] as const) {
      service.replies.set(asked, [429, { detail: "secret" }, told === undefined ? {} : { "retry-after": told }]);
      const reply = await call();
      expect(reply).toMatchObject({
        status: 429,
        headers: { "retry-after": wait },
        json: { type: "throttled_error", code: "throttled", attr: null },
      });
      expect(String(reply.body)).not.toContain("secret");
    }
  });

  it("429 passes whatever its text is", async () => {
    const call = await calling();
    service.replies.set(asked, {
      write: (to) => to.writeHead(429, { "retry-after": "7", "content-encoding": "gzip" }).end("no gzip"),
    });
    expect(await call()).toMatchObject({ status: 429, headers: { "retry-after": "7" } });
  });

  it("502 stands for its faults", async () => {
    const call = await calling();
    service.replies.set(asked, [503, { detail: "secret" }, { "retry-after": "7" }]);
    expect(await call()).toMatchObject({ status: 502, json: { type: "server_error", code: "billing_service_error", attr: null } });
  });
});

it("the products of an overview without a customer pass what the service refuses, too", async () => {
  const customer = await aCustomer();
  service.replies.set("GET /api/billing", [200, {}]);
  for (const status of [401, 404, 429]) {
    service.replies.set("GET /api/products-v2", [status, { said: status }]);
    expect((await customer.call("GET", "")).status).toBe(status);
  }
});

it("the choices of a filter are none where the service refuses them", async () => {
  const customer = await aCustomer();
  for (const status of [401, 429, 503]) {
    service.replies.set("GET /api/v2/usage/", [status, {}]);
    expect(await customer.call("GET", "usage/team_options/")).toMatchObject({ status: 200, json: { team_id_options: [] } });
  }
});

describe("a long answer of a billing service", () => {
  const MOST_BYTES = 10_000_000;
  const padded = (bytes: number): string => JSON.stringify({ said: "x".repeat(bytes - JSON.stringify({ said: "" }).length) });

  it("is read up to ten megabytes", async () => {
    const customer = await aCustomer();
    service.replies.set("GET /api/credits/overview", [200, padded(MOST_BYTES)]);
    // What goes on to the client is longer than the gateway takes, which says so in its own words.
    expect((await customer.call("GET", "credits/overview/")).json).not.toMatchObject({ code: "billing_service_error" });
    service.replies.set("GET /api/credits/overview", [200, padded(MOST_BYTES + 1)]);
    expect(await customer.call("GET", "credits/overview/")).toMatchObject({ status: 502, json: { code: "billing_service_error" } });
  });

  it.each(["usage/", "usage/export/", "credits/overview/"])("502: of %s is not read further", async (path) => {
    const customer = await aCustomer();
    const ended = Promise.withResolvers<number>();
    const endless = {
      write(to: ServerResponse) {
        let megabytes = 0;
        const go = (): void => {
          while (to.write(Buffer.alloc(1_000_000, " "))) megabytes += 1;
          megabytes += 1;
        };
        to.on("drain", go).on("close", () => ended.resolve(megabytes));
        to.writeHead(200, { "content-type": "application/json" });
        go();
      },
    };
    service.replies.set("GET /api/v2/usage/", endless);
    service.replies.set("GET /api/credits/overview", endless);
    expect(await customer.call("GET", path)).toMatchObject({ status: 502, json: { code: "billing_service_error" } });
    // Some more lies in the buffers between.
    expect(await ended.promise).toBeLessThan(60);
  });

  it("400 and 502: that comes a little at a time ends with the time that a query has", async () => {
    const customer = await aCustomer({ queryTimeMs: "100" });
    const dripping = {
      write(to: ServerResponse) {
        to.writeHead(200, { "content-type": "application/json" });
        const drops = setInterval(() => to.write(" "), 5);
        to.on("close", () => clearInterval(drops));
      },
    };
    service.replies.set("GET /api/v2/spend/", dripping);
    service.replies.set("GET /api/billing", dripping);
    expect(await customer.call("GET", "spend/")).toMatchObject({ status: 400, json: { code: "usage_query_timeout" } });
    expect(await customer.call("GET", "")).toMatchObject({ status: 502, json: { code: "billing_service_error" } });
  });
});
