import { beforeAll, describe, expect, it } from "vitest";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { type Answer, apiClient } from "../../support/api-client.ts";
import { type ATenant, aTenant, itsOwnPlatform } from "../../support/processes/platform.ts";

const platform = itsOwnPlatform();

beforeAll(async () => {
  await applyDocument(platform().world, {
    coupon_campaigns: [
      { slug: "launch", name: "Launch", kind: "percent", percent: 20, codes: ["LAUNCH"], valid_days: 30 },
      { slug: "twin", name: "Twin", kind: "amount", amount_cents: 500, codes: ["TWIN-1", "TWIN-2"] },
      { slug: "few", name: "Few", kind: "percent", percent: 10, codes: ["FEW"], max_claims: 1 },
      { slug: "late", name: "Late", kind: "percent", percent: 10, codes: ["LATE"], redeem_by: "2020-01-01T00:00:00Z" },
      { slug: "payers", name: "Payers", kind: "percent", percent: 10, codes: ["PAYERS"], requires_subscription: true },
    ],
  });
});

type BodyKind = "json" | "form" | "multipart";

/** Sends the fields in the given kind of body, with the headers. */
const sent = async (
  key: string,
  path: string,
  fields: Readonly<Record<string, unknown>>,
  {
    kind = "json",
    idempotency,
    method = "POST",
  }: { readonly kind?: BodyKind; readonly idempotency?: string; readonly method?: string } = {},
): Promise<Answer> => {
  const texts = Object.entries(fields).map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]);
  const multipart = new FormData();
  for (const [name = "", value = ""] of texts) multipart.append(name, value);
  const bodies = { json: JSON.stringify(fields), form: new URLSearchParams(Object.fromEntries(texts)), multipart } as const;
  const response = await fetch(`${platform().baseUrl}/api/billing/${path}`, {
    method,
    body: bodies[kind],
    headers: {
      authorization: `Bearer ${key}`,
      ...(kind === "json" && { "content-type": "application/json" }),
      ...(idempotency !== undefined && { "idempotency-key": idempotency }),
    },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? "" : JSON.parse(text) };
};

const refusal = (code: string) => ({ statusText: "Bad Request", code });
const field = (code: string, attr: string) => ({ type: "validation_error", code, attr });
const read = (tenant: ATenant, path: string) => apiClient(platform().baseUrl, tenant.personalKey).get(`/api/billing/${path}`);
const tenantOf = (options = {}) => aTenant(platform().world, options);

const KINDS: readonly BodyKind[] = ["json", "form", "multipart"];

describe.each(KINDS)("a %s body", (kind) => {
  it("carries every write", async () => {
    const { personalKey: key, organizationId } = await tenantOf();
    const done = async (path: string, fields: Readonly<Record<string, unknown>>) => {
      const answer = await sent(key, path, fields, { kind });
      expect([path, answer.status, JSON.stringify(answer.body)]).toEqual([path, 200, expect.any(String)]);
      return answer.body;
    };
    expect(await done("activate/", { products: "product_analytics:paid-20260101,surveys:", plan: "ignored", billing_limit: 1 })).toEqual({
      success: true,
      products: ["product_analytics", "surveys"],
    });
    await done("activate/", { products: "teams:" });
    const names = { from_product_key: "teams", from_plan_key: "teams-20260101", to_product_key: "boost", to_plan_key: "boost-20260101" };
    expect(await done("subscription/switch-plan/", names)).toEqual({ success: true });
    expect(await done("trials/activate/", { type: "standard", target: "enterprise" })).toMatchObject({
      success: true,
      trial: { type: "standard", status: "active", target: "enterprise" },
    });
    expect(await done("trials/cancel/", {})).toBe("");
    expect(await done("coupons/claim/", { code: "LAUNCH" })).toMatchObject({ success: true, code: "LAUNCH", campaign: "Launch" });
    const order = { annual_amount_usd: 9_000, discount_percent: 10, collection_method: "charge_automatically" };
    expect(await done("credits/purchase/", order)).toEqual({ success: true, status: "active", invoice_url: null });
    const { clientSecret } = Object(await done("activate/authorize/", {}));
    expect(clientSecret).toMatch(/^auth_\w+_secret_\w+$/);
    expect(await done("activate/authorize/status/", { payment_intent_id: clientSecret })).toEqual({ status: "success" });
    expect(await done("startups/apply/", { organization_id: organizationId, program: "YC", raised: 5 })).toEqual({ success: true });
    expect(await done("deactivate/", { products: "surveys" })).toMatchObject({ has_active_subscription: true, billing_plan: "paid" });
    const limited = await sent(key, "", { custom_limits_usd: { product_analytics: 200 } }, { kind, method: "PATCH" });
    expect(limited.status).toBe(200);
    expect(limited.body).toMatchObject({ custom_limits_usd: { product_analytics: 200 }, usage_summary: { events: { limit: 6_373_177 } } });
  });
});

describe("POST /api/billing/activate/", () => {
  it("200: again changes nothing", async () => {
    const tenant = await tenantOf();
    const once = await sent(tenant.personalKey, "activate/", { products: "all_products:" });
    const before = await read(tenant, "");
    expect(await sent(tenant.personalKey, "activate/", { products: "all_products:" })).toMatchObject({ status: 200, body: once.body });
    expect((await read(tenant, "")).body).toEqual(before.body);
    expect(before.body).toMatchObject({ subscription_level: "paid", billing_plan: "paid", has_active_subscription: true });
  });
  it("400: names what is missing or unknown", async () => {
    const { personalKey } = await tenantOf();
    expect(await sent(personalKey, "activate/", {})).toMatchObject({ status: 400, body: field("required", "products") });
    expect(await sent(personalKey, "activate/", { products: "nothing:" })).toMatchObject({
      status: 400,
      body: refusal("product_not_found"),
    });
    expect(await sent(personalKey, "activate/", { products: "surveys:gold" })).toMatchObject({
      status: 400,
      body: refusal("plan_not_found"),
    });
  });
});

describe("POST /api/billing/deactivate/", () => {
  it("200: answers the overview as it is then, free after the last product", async () => {
    const tenant = await tenantOf();
    await sent(tenant.personalKey, "activate/", { products: "surveys:" });
    const answer = await sent(tenant.personalKey, "deactivate/", { products: "surveys" });
    expect(answer).toMatchObject({
      status: 200,
      body: { has_active_subscription: false, subscription_level: "free", billing_plan: "free" },
    });
    expect((await read(tenant, "")).body).toEqual(answer.body);
  });
  it("400: needs products", async () => {
    const { personalKey } = await tenantOf();
    expect(await sent(personalKey, "deactivate/", {})).toMatchObject({ status: 400, body: field("required", "products") });
  });
  it("400: leads to the portal, whatever the rule that refuses it", async () => {
    const { personalKey } = await tenantOf();
    const link = `${platform().baseUrl}/api/billing/portal`;
    const refusedAs = { nope: "product_not_found", "surveys:nope": "plan_not_found" };
    for (const [products, code] of Object.entries(refusedAs)) {
      const answer = await sent(personalKey, "deactivate/", { products });
      expect(answer).toMatchObject({ status: 400, body: { ...refusal(code), link } });
    }
  });
});

describe("POST /api/billing/subscription/switch-plan/", () => {
  it("400: only from what is subscribed, to what there is", async () => {
    const { personalKey } = await tenantOf();
    const from = { from_product_key: "teams", from_plan_key: "teams-20260101" };
    const to = { to_product_key: "boost", to_plan_key: "boost-20260101" };
    const path = "subscription/switch-plan/";
    expect(await sent(personalKey, path, { ...from, ...to })).toMatchObject({ status: 400, body: refusal("invalid_plan_switch") });
    expect(await sent(personalKey, path, { ...from, ...to, to_plan_key: "x" })).toMatchObject({
      status: 400,
      body: refusal("plan_not_found"),
    });
    expect(await sent(personalKey, path, from)).toMatchObject({ status: 400, body: field("required", "to_product_key") });
  });
});

describe("POST /api/billing/trials/", () => {
  it("400: one at a time, each target once, and none to cancel where none runs", async () => {
    const { personalKey } = await tenantOf();
    const trial = { type: "standard", target: "teams" };
    expect(await sent(personalKey, "trials/cancel/", {})).toMatchObject({ status: 400, body: refusal("no_active_trial") });
    expect((await sent(personalKey, "trials/activate/", trial)).status).toBe(200);
    const other = await sent(personalKey, "trials/activate/", { ...trial, target: "boost" });
    expect(other).toMatchObject({ status: 400, body: refusal("trial_already_used") });
    expect((await sent(personalKey, "trials/cancel/", {})).status).toBe(200);
    expect(await sent(personalKey, "trials/activate/", trial)).toMatchObject({ status: 400, body: refusal("trial_already_used") });
    expect(await sent(personalKey, "trials/activate/", { type: "x" })).toMatchObject({
      status: 400,
      body: field("invalid_choice", "type"),
    });
  });
});

describe("POST /api/billing/coupons/claim/", () => {
  it("200: is listed, and shown as a discount", async () => {
    const tenant = await tenantOf();
    expect((await read(tenant, "coupons/overview/")).body).toEqual({ claimed_coupons: [] });
    await sent(tenant.personalKey, "coupons/claim/", { code: "LAUNCH" });
    expect((await read(tenant, "coupons/overview/")).body).toMatchObject({
      claimed_coupons: [{ code: "LAUNCH", campaign_name: "Launch", campaign_slug: "launch", status: "claimed" }],
    });
    expect((await read(tenant, "")).body).toMatchObject({ discount_percent: 20, discount_amount_usd: null });
  });
  it("400: says which rule of the campaign refuses it", async () => {
    const { personalKey } = await tenantOf();
    const claimed = (code: string) => sent(personalKey, "coupons/claim/", { code });
    expect(await sent(personalKey, "coupons/claim/", {})).toMatchObject({ status: 400, body: field("invalid_input", "code") });
    expect(await claimed("NOBODY")).toMatchObject({ status: 400, body: refusal("coupon_not_found") });
    expect(await claimed("LATE")).toMatchObject({ status: 400, body: refusal("coupon_expired") });
    expect(await claimed("PAYERS")).toMatchObject({ status: 400, body: refusal("subscription_required") });
    expect((await claimed("TWIN-1")).status).toBe(200);
    expect(await claimed("TWIN-2")).toMatchObject({ status: 400, body: refusal("coupon_already_claimed") });
  });
  it("400: a campaign of one coupon gives one, however many ask at once", async () => {
    const tenants = await Promise.all(Array.from({ length: 8 }, () => tenantOf()));
    const answers = await Promise.all(tenants.map(({ personalKey }) => sent(personalKey, "coupons/claim/", { code: "FEW" })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => Object(body).code === "coupon_limit_reached")).toHaveLength(7);
  });
});

describe("POST /api/billing/credits/purchase/", () => {
  const order = { annual_amount_usd: 9_000, discount_percent: 10, collection_method: "charge_automatically" };
  it("200: counts what was bought before its discount; what is invoiced waits", async () => {
    const tenant = await tenantOf();
    expect((await read(tenant, "credits/overview/")).body).toMatchObject({
      eligible: true,
      status: "none",
      balance_usd: "0.00",
      expires_at: null,
    });
    await sent(tenant.personalKey, "credits/purchase/", order);
    expect(await sent(tenant.personalKey, "credits/purchase/", { ...order, collection_method: "send_invoice" })).toMatchObject({
      status: 200,
      body: { success: true, status: "pending", invoice_url: null },
    });
    expect((await read(tenant, "credits/overview/")).body).toMatchObject({ status: "active", balance_usd: "10000.00", cc_brand: null });
  });
  it("400: the discount is the one for the amount", async () => {
    const { personalKey } = await tenantOf();
    const ordered = (more: object) => sent(personalKey, "credits/purchase/", { ...order, ...more });
    expect(await ordered({ discount_percent: 35 })).toMatchObject({ status: 400, body: refusal("invalid_discount") });
    expect(await ordered({ discount_percent: 100 })).toMatchObject({ status: 400, body: refusal("invalid_discount") });
    expect(await ordered({ annual_amount_usd: 0 })).toMatchObject({ status: 400, body: field("min_value", "annual_amount_usd") });
    expect(await ordered({ discount_percent: 101 })).toMatchObject({ status: 400, body: field("max_value", "discount_percent") });
    expect(await ordered({ collection_method: "cash" })).toMatchObject({ status: 400, body: field("invalid_choice", "collection_method") });
  });
  it("400: at either end of a bracket, and with a discount that is a little off", async () => {
    const { personalKey } = await tenantOf();
    const status = async (annual_amount_usd: number, discount_percent: number) =>
      (await sent(personalKey, "credits/purchase/", { ...order, annual_amount_usd, discount_percent })).status;
    // 3,333.33 dollars before the discount, then 3,332.22; 24,998.89, then 25,000; 153,847.69, then 153,846.15.
    const right = [await status(3_000, 10), await status(22_499, 10), await status(20_000, 20), await status(100_001, 35)];
    expect(right).toEqual([200, 200, 200, 200]);
    const wrong = [await status(2_999, 10), await status(22_500, 10), await status(19_999, 20), await status(100_000, 35)];
    expect(wrong).toEqual([400, 400, 400, 400]);
    const off = [await status(9_000, 10.01), await status(9_000, 9.99), await status(9_000, 11), await status(100, 0.01)];
    expect(off).toEqual([400, 400, 400, 400]);
  });
  it("200: 100 at once are all there, and one sent 20 times at once under one key counts once", async () => {
    const tenant = await tenantOf();
    const small = { ...order, annual_amount_usd: 100, discount_percent: 0 };
    const many = await Promise.all(Array.from({ length: 100 }, () => sent(tenant.personalKey, "credits/purchase/", small)));
    expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await read(tenant, "credits/overview/")).body).toMatchObject({ balance_usd: "10000.00" });
    const same = await Promise.all(
      Array.from({ length: 20 }, () => sent(tenant.personalKey, "credits/purchase/", small, { idempotency: "one" })),
    );
    expect(new Set(same.map(({ status, body }) => JSON.stringify([status, body])))).toHaveLength(1);
    expect((await read(tenant, "credits/overview/")).body).toMatchObject({ balance_usd: "10100.00" });
  });
});

describe("Idempotency-Key", () => {
  it("409: the same key with another body is a mistake", async () => {
    const tenant = await tenantOf();
    const order = { annual_amount_usd: 100, discount_percent: 0, collection_method: "charge_automatically" };
    const once = await sent(tenant.personalKey, "credits/purchase/", order, { idempotency: "k" });
    expect(await sent(tenant.personalKey, "credits/purchase/", order, { idempotency: "k" })).toMatchObject({
      status: 200,
      body: once.body,
    });
    const other = await sent(tenant.personalKey, "credits/purchase/", { ...order, annual_amount_usd: 200 }, { idempotency: "k" });
    expect(other).toMatchObject({ status: 409, body: { type: "server_error", code: "idempotency_conflict", attr: null } });
    expect((await read(tenant, "credits/overview/")).body).toMatchObject({ balance_usd: "100.00" });
  });
  it("200: sent many times at once, all are answered as the one that was first", async () => {
    const { personalKey, organizationId } = await tenantOf();
    const once: readonly (readonly [path: string, body: object, method?: string])[] = [
      ["trials/activate/", { type: "standard", target: "surveys" }],
      ["trials/cancel/", {}],
      ["coupons/claim/", { code: "LAUNCH" }],
      ["startups/apply/", { organization_id: organizationId }],
      ["license/", { license: "acme::secret" }, "PATCH"],
    ];
    for (const [path, body, method = "POST"] of once) {
      const calls = Array.from({ length: 12 }, () => sent(personalKey, path, { ...body }, { idempotency: "one", method }));
      const answers = await Promise.all(calls);
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map(({ body: answer }) => JSON.stringify(answer)))).toHaveLength(1);
    }
  });
  it("200: repeats an answer that a new call would not give, also of a form and of an empty answer", async () => {
    const { personalKey } = await tenantOf();
    const trial = { type: "standard", target: "paid" };
    const once = await sent(personalKey, "trials/activate/", trial, { idempotency: "a" });
    expect(await sent(personalKey, "trials/activate/", trial, { idempotency: "a", kind: "form" })).toMatchObject({
      status: 200,
      body: once.body,
    });
    for (const _ of [1, 2])
      expect(await sent(personalKey, "trials/cancel/", {}, { idempotency: "c" })).toMatchObject({ status: 200, body: "" });
  });
});

describe("POST /api/billing/activate/authorize/status/", () => {
  it("400: only what was begun, by its id or its whole secret", async () => {
    const { personalKey } = await tenantOf();
    const { clientSecret } = Object((await sent(personalKey, "activate/authorize/", {})).body);
    const asked = (payment_intent_id: string) => sent(personalKey, "activate/authorize/status/", { payment_intent_id });
    expect(await asked(`${clientSecret}x`)).toMatchObject({ status: 400, body: refusal("authorization_not_found") });
    expect(await asked("auth_none")).toMatchObject({ status: 400, body: refusal("authorization_not_found") });
    expect(await asked(String(clientSecret).split("_secret_")[0] ?? "")).toMatchObject({ status: 200, body: { status: "success" } });
    const missing = await sent(personalKey, "activate/authorize/status/", {});
    expect(missing).toMatchObject({ status: 400, body: field("required", "payment_intent_id") });
  });
});

describe("POST /api/billing/startups/apply/", () => {
  it("400, 403, 404: one application, of an organization of one's own", async () => {
    const [tenant, stranger] = [await tenantOf(), await tenantOf()];
    const applied = (organization_id?: string) => sent(tenant.personalKey, "startups/apply/", { organization_id });
    expect(await applied()).toMatchObject({ status: 400, body: field("invalid_input", "organization_id") });
    expect(await applied("0190d0aa-0000-7000-8000-00000000000f")).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await applied(stranger.organizationId)).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    expect((await applied(tenant.organizationId)).status).toBe(200);
    expect(await applied(tenant.organizationId)).toMatchObject({ status: 400, body: refusal("already_applied") });
  });
});

describe("GET /api/billing/portal/", () => {
  it("200 tells the address, 302 leads a browser on", async () => {
    const { personalKey } = await tenantOf();
    expect(await apiClient(platform().baseUrl, personalKey).get("/api/billing/portal/")).toMatchObject({
      status: 200,
      body: { success: true, url: null },
    });
    const headers = { authorization: `Bearer ${personalKey}`, accept: "text/html,*/*;q=0.1" };
    const page = await fetch(`${platform().baseUrl}/api/billing/portal`, { headers, redirect: "manual" });
    expect([page.status, page.headers.get("location")]).toEqual([302, `${platform().baseUrl}/organization/billing`]);
  });
});

describe("PATCH /api/billing/", () => {
  it("200: a limit ends with the period where that is asked for", async () => {
    const { personalKey } = await tenantOf();
    await sent(personalKey, "activate/", { products: "surveys:" });
    const set = { custom_limits_usd: { surveys: 20.5 }, reset_limit_next_period: { surveys: true } };
    expect(await sent(personalKey, "", set, { method: "PATCH" })).toMatchObject({
      status: 200,
      body: { custom_limits_usd: { surveys: 20.5 }, next_period_custom_limits_usd: { surveys: null } },
    });
  });
  it("200: a limit goes on where its end is taken back, and keeps its end where nothing is said of it", async () => {
    const { personalKey } = await tenantOf();
    const next = async (body: Readonly<Record<string, unknown>>) =>
      Object((await sent(personalKey, "", body, { method: "PATCH" })).body).next_period_custom_limits_usd;
    const limits = { surveys: 20, product_analytics: 5 };
    expect(await next({ custom_limits_usd: limits, reset_limit_next_period: true })).toEqual({ surveys: null, product_analytics: null });
    expect(await next({ custom_limits_usd: { surveys: 30 } })).toEqual({ surveys: null, product_analytics: null });
    expect(await next({ reset_limit_next_period: { surveys: false } })).toEqual({ product_analytics: null });
    expect(await next({ reset_limit_next_period: false })).toEqual({});
  });
  it("400: of products that there are", async () => {
    const { personalKey } = await tenantOf();
    const answer = await sent(personalKey, "", { custom_limits_usd: { nothing: 1 } }, { method: "PATCH" });
    expect(answer).toMatchObject({ status: 400, body: field("invalid_choice", "custom_limits_usd") });
  });
});

describe("PATCH /api/billing/license/", () => {
  it("400, 200, 403: a well-formed key, once", async () => {
    const tenant = await tenantOf();
    const installed = (license?: string) => sent(tenant.personalKey, "license/", { license }, { method: "PATCH" });
    expect(await installed()).toMatchObject({ status: 400, body: { license: ["This field is required."] } });
    expect((await installed(" ")).body).toEqual({ license: ["This field is required."] });
    expect(await installed("no-license")).toMatchObject({ status: 400, body: field("invalid_input", "license") });
    expect(await installed("id::secret")).toMatchObject({ status: 200, body: { success: true } });
    expect(await installed("id::secret")).toMatchObject({ status: 403, body: { code: "permission_denied" } });
    expect((await read(tenant, "")).body).toMatchObject({ license: { plan: "enterprise" } });
  });

  it("200: it is the organization's own: another one has none, and installs its own", async () => {
    const [tenant, stranger] = [await tenantOf(), await tenantOf()];
    const installed = ({ personalKey }: ATenant) => sent(personalKey, "license/", { license: "id::secret" }, { method: "PATCH" });
    expect((await installed(tenant)).status).toBe(200);
    expect((await read(stranger, "")).body).toMatchObject({ license: null });
    expect((await installed(stranger)).status).toBe(200);
    expect((await read(stranger, "")).body).toMatchObject({ license: { plan: "enterprise" } });
  });

  it("200: shows in the overview of the organization that installed it, and nowhere else", async () => {
    const [tenant, stranger] = [await tenantOf(), await tenantOf()];
    const shown = async (of: ATenant) => {
      const answers = SHOWN.map(async (path) => {
        const { status, body } = await read(of, path);
        return [path, { status, body }];
      });
      return Object.fromEntries(await Promise.all(answers));
    };
    const before = { own: await shown(tenant), others: await shown(stranger) };
    expect(before.own).toMatchObject(Object.fromEntries(SHOWN.map((path) => [path, { status: 200 }])));
    expect((await sent(tenant.personalKey, "license/", { license: "id::secret" }, { method: "PATCH" })).status).toBe(200);
    expect(await shown(stranger)).toEqual(before.others);
    const own = before.own[""];
    expect(await shown(tenant)).toEqual({ ...before.own, "": { ...own, body: { ...own.body, license: { plan: "enterprise" } } } });
    expect((await sent(stranger.personalKey, "coupons/claim/", { code: "LAUNCH" })).status).toBe(200);
  });
});

/** What an organization reads of its billing. */
const SHOWN = ["", "coupons/overview/", "credits/overview/", "get_invoices/", "invoices/", "usage/", "spend/", "webhooks/"];
