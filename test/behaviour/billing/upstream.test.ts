import { beforeEach, describe, expect, it } from "vitest";
import { billing } from "../../../functions/billing/routes.ts";
import { installDeploymentLicense, installLicense, readLicense, removeDeploymentLicense } from "../../../lib/billing/license.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { aBillingService, LICENSE } from "../../support/fakes/billing-service.ts";
import { heldSecrets } from "../../support/held-secrets.ts";
import { aHousehold, aMembership, aPersonalKey, aProject, ask, aUser } from "../../support/worlds/api-world.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

const service = aBillingService();
const NOW = day(7, 9) + 3_600_000;

const aCustomer = (settings: Readonly<Record<string, string>> = { billingLicense: LICENSE }) =>
  billingWorld(NOW, { billingServiceUrl: service.state.url, ...settings });
type Customer = Awaited<ReturnType<typeof aCustomer>>;

const CUSTOMER = {
  customer_id: "cus_upstream",
  billing_plan: "paid",
  billing_period: { current_period_start: "2026-07-05T00:00:00Z", current_period_end: "2026-08-05T00:00:00Z", interval: "month" },
  usage_summary: { events: { usage: 100, limit: 400 } },
  products: [{ type: "product_analytics", usage_key: "events", current_usage: 100, percentage_usage: 0.25, extra: "kept" }, { type: "x" }],
  something_new: { a: 1 },
};

const last = () => service.heard.at(-1);

beforeEach(() => {
  service.heard.length = 0;
  service.replies.clear();
  service.replies.set("GET /api/billing", [200, { license: { type: "scale" }, customer: CUSTOMER }]);
});

/** Writes of which the service gets the body, and the caller its answer, as they are: method, path, body, and what is asked there. */
const PASSED_ON = [
  ["POST", "activate/", { products: "surveys:" }, "POST /api/activate"],
  ["POST", "activate/authorize/", {}, "POST /api/activate/authorize"],
  ["POST", "activate/authorize/status/", { payment_intent_id: "pi_1" }, "POST /api/activate/authorize/status"],
  [
    "POST",
    "credits/purchase/",
    { annual_amount_usd: 1, discount_percent: 0, collection_method: "send_invoice" },
    "POST /api/credits/purchase",
  ],
  ["POST", "coupons/claim/", { code: "C" }, "POST /api/coupons/claim"],
  ["POST", "trials/activate/", { type: "standard", target: "paid" }, "POST /api/trials/activate"],
  [
    "POST",
    "subscription/switch-plan/",
    { from_product_key: "a", from_plan_key: "b", to_product_key: "c", to_plan_key: "d" },
    "POST /api/subscription/switch-plan/",
  ],
] as const;

describe("with a billing service upstream", () => {
  it("200: the overview is the service's, with what was used today and the license's plan", async () => {
    const customer = await aCustomer();
    await customer.use(day(7, 9), 60);
    await customer.use(day(7, 8), 1_000);
    expect(await customer.get("?include_forecasting=true")).toEqual({
      available_product_features: [],
      license: { plan: "scale" },
      ...CUSTOMER,
      products: [{ ...CUSTOMER.products[0], current_usage: 160, percentage_usage: 0.4 }, { type: "x" }],
      stripe_portal_url: "https://api.example.org/api/billing/portal",
    });
    expect(last()).toMatchObject({ query: { include_forecasting: "true" } });
    expect(last()?.claims).toEqual({
      exp: NOW / 1_000 + 900,
      id: "license-1",
      organization_id: customer.organization.id,
      organization_name: customer.organization.name,
      organization_role: "owner",
      distinct_id: "user-1",
      aud: "posthog:license-key",
    });
  });

  it("200: of what the overview tells of use, nothing is kept but what has a quota; 502: numbers that are none of use", async () => {
    const customer = await aCustomer();
    const told = (usage_summary: object) => service.replies.set("GET /api/billing", [200, { customer: { ...CUSTOMER, usage_summary } }]);
    const others = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`other-${at}`, { usage: 1, limit: 2 }]));
    told({ ...CUSTOMER.usage_summary, "half \ud83d": { usage: 1, limit: 2 }, ...others });
    expect(await customer.get("")).toMatchObject({ products: [{ current_usage: 100 }, {}] });
    for (const usage of [1e300, 5e-324, 2 ** 60]) {
      told({ events: { usage, limit: 400 } });
      expect(await customer.call("GET", "")).toMatchObject({ status: 502, json: { code: "billing_service_error" } });
    }
  });

  it("200: without a customer the products are the service's own, and there is a period only once it is known", async () => {
    const customer = await aCustomer();
    expect(await customer.get("period/")).toEqual({
      current_period_start: "2026-07-05T00:00:00Z",
      current_period_end: "2026-08-05T00:00:00Z",
    });
    service.replies.set("GET /api/billing", [200, {}]);
    service.replies.set("GET /api/products-v2", [200, { products: [{ type: "standard" }] }]);
    expect(await customer.get("")).toEqual({ available_product_features: [], products: [{ type: "standard" }] });
    expect(last()).toMatchObject({ path: "/api/products-v2", query: { plan: "standard" } });
    expect(await customer.get("period/")).toEqual({ current_period_start: null, current_period_end: null });
  });

  it.each([
    ["GET", "credits/overview/", undefined, "GET /api/credits/overview"],
    ["GET", "coupons/overview/", undefined, "GET /api/coupons/overview"],
    ...PASSED_ON,
  ] as const)("%s %s is asked there, and answered with what it says", async (method, path, body, asked) => {
    const customer = await aCustomer();
    for (const [status, told] of [
      [200, 200],
      [201, 200],
      [401, 401],
      [404, 404],
    ] as const) {
      service.replies.set(asked, [status, { said: status }]);
      expect(await customer.call(method, path, { body })).toMatchObject({ status: told, json: { said: status } });
      expect(last()?.body).toEqual(body ?? null);
    }
    for (const [sent, detail, code] of [
      [{ error_message: "one", detail: "two", code: "c" }, "one", "c"],
      [{ detail: "two" }, "two", null],
      [{ other: 1 }, { other: 1 }, null],
      ["text", "text", null],
    ] as const) {
      service.replies.set(asked, [400, sent]);
      expect(await customer.call(method, path, { body })).toMatchObject({ status: 400, json: { statusText: "Bad Request", detail, code } });
    }
    service.replies.set(asked, [500, {}]);
    const broken = { status: 502, json: { type: "server_error", code: "billing_service_error", attr: null } };
    expect(await customer.call(method, path, { body })).toMatchObject(broken);
    service.replies.set(asked, [200, "no json"]);
    expect(await customer.call(method, path, { body })).toMatchObject(broken);
  });

  it.each([
    ...PASSED_ON,
    ["POST", "deactivate/", { products: "surveys" }, "POST /api/billing/deactivate"],
    ["POST", "trials/cancel/", {}, "POST /api/trials/cancel"],
    ["PATCH", "", { custom_limits_usd: { product_analytics: 5 } }, "PATCH /api/billing/"],
    ["POST", "startups/apply/", "an application", "POST /api/startups/apply"],
  ] as const)(
    "%s %s tells the service the caller's key, so that a repeated call counts once there too",
    async (method, path, sent, asked) => {
      const customer = await aCustomer();
      service.replies.set(asked, [200, {}]);
      const body = sent === "an application" ? { organization_id: customer.organization.id } : sent;
      const keyHeard = async (headers: Readonly<Record<string, string>>): Promise<string | undefined> => {
        service.heard.length = 0;
        await customer.call(method, path, { body, headers });
        const heard = service.heard.find((question) => `${question.method} ${question.path}` === asked);
        expect(heard).toBeDefined();
        return heard?.key;
      };
      expect(await keyHeard({})).toBeUndefined();
      expect(await keyHeard({ "idempotency-key": "once-1" })).toBe("once-1");
      // What no header can carry on is told by a digest of it, always the same.
      const long = "é€".repeat(500);
      const told = await keyHeard({ "idempotency-key": long });
      expect(told).toMatch(/^[0-9a-f]{64}$/);
      expect(await keyHeard({ "idempotency-key": long })).toBe(told);
    },
  );

  it("200: invoices, the portal, the end of a trial and an application are told as clients here know them", async () => {
    const customer = await aCustomer();
    service.replies.set("GET /api/billing/get_invoices", [200, { portal_url: "https://pay.test", count: 2 }]);
    expect(await customer.get("get_invoices/?status=open")).toEqual({ link: "https://pay.test", count: 2 });
    expect(last()).toMatchObject({ query: { status: "open" } });
    service.replies.set("GET /api/billing/portal", [200, { url: "https://portal.test" }]);
    expect(await customer.get("portal/")).toEqual({ success: true, url: "https://portal.test" });
    const page = await customer.call("GET", "portal/", { headers: { accept: "text/html" } });
    expect(page).toMatchObject({ status: 302, headers: { location: "https://portal.test" } });
    service.replies.set("POST /api/trials/cancel", [200, { anything: 1 }]);
    expect(await customer.post("trials/cancel/", {})).toMatchObject({ status: 200, body: "" });
    service.replies.set("POST /api/startups/apply", [200, { id: 1 }]);
    const applied = await customer.post("startups/apply/", { organization_id: customer.organization.id, program: "YC" });
    expect(applied).toMatchObject({ status: 200, json: { success: true } });
    expect(last()?.body).toMatchObject({ program: "YC", email: "user1@example.com", first_name: "-", last_name: "-" });
  });

  it("200: what changes something answers the overview after it; 400: a refusal leads to the portal", async () => {
    const customer = await aCustomer();
    service.replies.set("POST /api/billing/deactivate", [200, {}]);
    expect(await customer.post("deactivate/", { products: "surveys" })).toMatchObject({
      status: 200,
      json: { customer_id: "cus_upstream" },
    });
    service.replies.set("PATCH /api/billing/", [200, {}]);
    const limited = await customer.call("PATCH", "", { body: { custom_limits_usd: { events: 5 } } });
    expect(limited).toMatchObject({ status: 200, json: { customer_id: "cus_upstream" } });
    expect(service.heard.find(({ method }) => method === "PATCH")?.body).toEqual({ custom_limits_usd: { events: 5 } });
    service.replies.set("POST /api/billing/deactivate", [402, { detail: "Pay first.", code: "open_invoices_error" }]);
    expect(await customer.post("deactivate/", { products: "surveys" })).toMatchObject({
      status: 400,
      json: { detail: "Pay first.", code: "open_invoices_error", link: "https://api.example.org/api/billing/portal" },
    });
  });

  it("404: a license of the old kind, which no service knows anybody by, has no overview", async () => {
    const customer = await aCustomer({ billingLicense: "license-of-old" });
    expect(await customer.call("GET", "")).toMatchObject({
      status: 404,
      json: { type: "invalid_request", code: "not_found", detail: expect.stringContaining("license"), attr: null },
    });
    expect(service.heard).toEqual([]);
  });

  it("a license that the service refuses is read anew, so that the next call is made with the one that took its place", async () => {
    const { store, time, secretOf } = heldSecrets("license-0::of-old");
    const settings: Readonly<Record<string, string>> = { billingServiceUrl: service.state.url };
    const customer = await billingWorld(NOW, {}, { config: readConfig((field) => settings[field], secretOf) });
    expect((await customer.call("GET", "")).status).toBe(400);
    store.text = LICENSE;
    time.now += 10_000;
    expect(await customer.call("GET", "")).toMatchObject({ status: 200, json: { customer_id: "cus_upstream" } });
  });

  it("200: without a license nothing is asked", async () => {
    const customer = await aCustomer({});
    expect(await customer.get("credits/overview/")).toEqual({ success: true });
    expect(await customer.get("coupons/overview/")).toEqual({ claimed_coupons: [] });
    expect(await customer.get("get_invoices/")).toEqual({ success: true });
    expect(await customer.get("portal/")).toEqual({ success: true });
    expect(await customer.get("usage/")).toMatchObject({ results: [], team_id_options: [] });
    expect(await customer.get("")).toMatchObject({ available_product_features: [] });
    expect(service.heard).toEqual([]);
  });

  it("200: what an organization installed for itself is no license of the deployment's", async () => {
    const customer = await aCustomer({});
    const command = { organization: customer.organization.id, operation: "license", key: undefined, body: null };
    await installLicense(customer.world, command, () => ({ id: "own", secret: "secret" }));
    expect(await customer.get("")).not.toHaveProperty("customer_id");
    expect(await customer.get("portal/")).toEqual({ success: true });
    expect(service.heard).toEqual([]);
  });

  it("403: the license is the operator's, with or without one, whatever is sent", async () => {
    for (const customer of [await aCustomer(), await aCustomer({})]) {
      const installed = (body: unknown, key = customer.key) => customer.call("PATCH", "license/", { body, key });
      for (const body of [{ license: LICENSE }, { license: 5 }, {}])
        expect(await installed(body)).toMatchObject({ status: 403, json: { type: "authentication_error", code: "permission_denied" } });
      expect(await customer.call("PATCH", "license/", { body: {}, key: "phx_unknown" })).toMatchObject({ status: 401 });
      const reader = await aPersonalKey(customer.world, await aUser(customer.world, 5), ["billing:write"]);
      expect(await installed({ license: LICENSE }, reader)).toMatchObject({ status: 403 });
    }
    expect(service.heard).toEqual([]);
  });

  it("200: what the operator installed is shown to the service by all organizations, until it is removed", async () => {
    const customer = await aCustomer({});
    const { table } = customer.world;
    const license = readLicense(LICENSE);
    if (license === undefined) throw new Error("the sample is no license");
    expect(await installDeploymentLicense(customer.world, license)).toBe(true);
    expect(await installDeploymentLicense(customer.world, license)).toBe(false);
    const { key } = await aHousehold(customer.world, 2);
    for (const one of [customer.key, key])
      expect(await customer.call("GET", "", { key: one })).toMatchObject({ json: { customer_id: "cus_upstream" } });
    service.replies.set("GET /api/billing", [200, { customer: CUSTOMER }]);
    expect(await customer.get("")).toMatchObject({ license: { plan: null } });
    await removeDeploymentLicense(table);
    expect(await customer.get("")).not.toHaveProperty("customer_id");
  });
});

const dates = ["2026-07-08", "2026-07-09"];
const series = (id: number, label: string, breakdown_type: string, breakdown_value: unknown, data: readonly number[]) => ({
  id,
  label,
  breakdown_type,
  breakdown_value,
  dates,
  data,
});
const TEAMS = [
  series(1, "1::Events", "multiple", ["event_count_in_period", "1"], [1, 2]),
  series(2, "99::Events::new", "multiple", ["event_count_in_period", "99"], [3, 4]),
];
const RANGE = "start_date=2026-07-08&end_date=2026-07-09&breakdowns=%5B%22type%22%2C%22team%22%5D";
const answered = (more: object = {}) => ({
  status: "ok",
  type: "timeseries",
  customer_id: 7,
  results: TEAMS,
  team_id_options: [1, 99],
  ...more,
});

describe.each(["usage", "spend"] as const)("%s from a billing service upstream", (measure) => {
  const path = `/api/v2/${measure}/`;

  it("200: are its series with our projects' names", async () => {
    const customer = await aCustomer();
    service.replies.set(`GET ${path}`, [200, answered()]);
    expect(await customer.get(`${measure}/?${RANGE}&top_projects=5`)).toMatchObject({
      status: "ok",
      type: "timeseries",
      customer_id: "7",
      team_id_options: [1, 99],
      results: [
        { label: "Project 1::Events", data: [1, 2] },
        { label: "99::Events::new", breakdown_value: ["event_count_in_period", "99"] },
      ],
    });
    expect(last()?.query).toEqual({
      start_date: "2026-07-08",
      end_date: "2026-07-09",
      interval: "day",
      breakdowns: '["type","team"]',
      top_projects: "5",
    });
  });

  it("200: an address that is too long is asked again as a body", async () => {
    const customer = await aCustomer();
    service.replies.set(`GET ${path}`, [414, ""]);
    service.replies.set(`POST ${path}`, [200, answered({ next: "cursor", total_count: 3 })]);
    expect(await customer.get(`${measure}/?${RANGE}&page_size=2&team_ids=%5B1%5D`)).toMatchObject({ next: "cursor", total_count: 3 });
    expect(last()?.body).toMatchObject({ team_ids: [1], breakdowns: ["type", "team"], page_size: 2 });
  });

  it.each([
    [400, { code: "usage_breakdown_too_large", detail: "secret" }, 400, "usage_breakdown_too_large", null],
    [400, { code: "usage_query_timeout" }, 400, "usage_query_timeout", null],
    [400, { code: "usage_date_range_too_long" }, 400, "usage_date_range_too_long", null],
    [400, { code: "invalid_choice", attr: "usage_types", detail: "secret" }, 400, "invalid_choice", "usage_types"],
    [400, { code: "invalid_choice", attr: "secret" }, 400, "billing_query_rejected", null],
    [403, { code: "permission_denied", detail: "secret" }, 403, "permission_denied", null],
    [422, { detail: "secret" }, 400, "billing_query_rejected", null],
    [503, { detail: "secret" }, 502, "billing_service_error", null],
    [200, { results: "secret" }, 502, "billing_service_error", null],
  ])("%s %j is told as %s %s", async (status, body, told, code, attr) => {
    const customer = await aCustomer();
    service.replies.set(`GET ${path}`, [status, body]);
    const reply = await customer.call("GET", `${measure}/?${RANGE}`);
    expect(reply).toMatchObject({ status: told, json: { code, attr } });
    expect(String(reply.body)).not.toContain("secret");
  });

  it("400: a service that is too slow is told as such; 502: of anything else", async () => {
    const customer = await aCustomer({ billingLicense: LICENSE, queryTimeMs: "50" });
    service.replies.set(`GET ${path}`, "never");
    service.replies.set("GET /api/billing", "never");
    expect(await customer.call("GET", `${measure}/?${RANGE}`)).toMatchObject({ status: 400, json: { code: "usage_query_timeout" } });
    expect(await customer.call("GET", "")).toMatchObject({ status: 502, json: { code: "billing_service_error" } });
  });

  it("200: a file has the rows of all pages", async () => {
    const customer = await aCustomer();
    service.replies.set(`GET ${path}`, ({ query }) =>
      query.after === undefined
        ? [200, answered({ results: TEAMS.slice(0, 1), next: "more" })]
        : [200, answered({ results: TEAMS.slice(1), next: null })],
    );
    const reply = await customer.call("GET", `${measure}/export/?${RANGE}`);
    expect(String(reply.body).split("\r\n")).toEqual([
      "Product,Project,Project ID,Total,2026-07-08,2026-07-09",
      "Events,Project 1,1,3,1,2",
      "Events::new,99,99,7,3,4",
      "",
    ]);
  });

  it.each([
    ["", 401],
    ["gzip", 401],
    ["gzip", 429],
    ["", 500],
  ])("a file is none where the service refuses a later page: accepting %j, %s", async (encoding, status) => {
    const customer = await aCustomer();
    // More than the gateway carries, so that what is refused comes while the file is written.
    const long = Array.from({ length: 300 }, (_, at) => series(at, `${at}::${"x".repeat(20_000)}`, "team", String(at), [1, 2]));
    service.replies.set(`GET ${path}`, ({ query }) =>
      query.after === undefined ? [200, answered({ results: long, next: "more" })] : [status, {}],
    );
    const headers = { "accept-encoding": encoding };
    const reply = await customer.call("GET", `${measure}/export/?${RANGE}`, { headers });
    expect(reply.status).toBe(status === 500 ? 502 : status);
  });
});

describe("who may see what of a billing service's series", () => {
  const aMember = async (customer: Customer) => {
    const { world, organization } = customer;
    await aProject(world, organization, 3);
    const member = await aUser(world, 7);
    await aMembership(world, member, organization);
    return aPersonalKey(world, member, ["billing:read"], { teams: [3] });
  };

  it("200 and 403: a member who may only look is answered of the projects that they see", async () => {
    const customer = await aCustomer();
    const { world, organization } = customer;
    await world.table.update(
      { pk: `organization#${organization.id}`, sk: "organization" },
      { set: { member_billing_usage_spend_read_access: true } },
    );
    const key = await aMember(customer);
    service.replies.set("GET /api/v2/usage/", [200, answered({ results: [], team_id_options: [1, 3, 99] })]);
    expect((await ask(billing, world, "GET", `/api/billing/usage/?${RANGE}`, { key })).json).toMatchObject({ team_id_options: [3] });
    expect(last()?.query.team_ids).toBe("[3]");
    expect((await ask(billing, world, "GET", "/api/billing/usage/team_options/", { key })).json).toEqual({ team_id_options: [3] });
    service.replies.set("GET /api/v2/usage/", [500, {}]);
    expect((await ask(billing, world, "GET", "/api/billing/usage/team_options/", { key })).json).toEqual({ team_id_options: [] });
    expect((await ask(billing, world, "GET", `/api/billing/usage/?${RANGE}&team_ids=%5B1%5D`, { key })).status).toBe(403);
  });
});
