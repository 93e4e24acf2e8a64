import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { Invoice, Invoices, stepInvoice } from "../../../lib/billing/invoices.ts";
import { newAttempt, PaymentAttempts } from "../../../lib/billing/payments/payment-attempt.ts";
import { put } from "../../../lib/table/store.ts";
import { billingWorld, day } from "../../support/worlds/billing-world.ts";

/** A customer whose invoice of July is made, with a coupon and with credit for a part of it. */
const withInvoice = async () => {
  const customer = await billingWorld(day(7, 9));
  await customer.post("activate/", { products: "product_analytics:" });
  await customer.use(day(7, 9), 900_000);
  await customer.use(day(7, 10), 2_350_000);
  await applyDocument(customer.world, {
    coupon_campaigns: [{ slug: "start", name: "A good start", kind: "percent", percent: 20, codes: ["S1"] }],
  });
  await customer.post("coupons/claim/", { code: "S1" });
  await customer.post("credits/purchase/", { annual_amount_usd: 50, discount_percent: 0, collection_method: "charge_automatically" });
  customer.at(day(8, 8) + 1);
  await customer.close();
  const [summary] = Object(await customer.get("invoices/")).results;
  return { ...customer, invoice: summary };
};

/** An invoice as it is stored, of February. */
const stored = (organization_id: string, more: Partial<Invoice>): Invoice =>
  Invoice.parse({
    organization_id,
    period_start: day(2, 1),
    period_end: day(3, 1),
    id: "in_feb",
    number: "INV-2026-000009",
    state: "paid",
    catalogue_id: "built-in",
    lines: [],
    coupons: [],
    credits: [],
    subtotal_cents: 0,
    coupon_cents: 0,
    tax_cents: 0,
    credit_cents: 0,
    due_cents: 0,
    issued_at: day(3, 8),
    paid_at: day(3, 8),
    due_at: null,
    version: 1,
    ...more,
  });

const LINE = {
  product: "product_analytics",
  plan_key: "paid-20260101",
  description: "Product analytics",
  usage_type: "event_count_in_period",
  quantity: 1,
  cents: 0,
  last_day: null,
  late_of: null,
  carried_from: null,
} as const;

/** A day of 2026 as it is sent. */
const at = (month: number, date: number): string => new Date(day(month, date)).toISOString().replace(".000", "");

const cents = (usd: string): number => Math.round(Number(usd) * 100);

describe("GET /api/billing/invoices/", () => {
  it("200: those that are made, the newest first, in pages and by status", async () => {
    const { world, organization, get, invoice } = await withInvoice();
    expect(invoice).toMatchObject({ status: "issued", subtotal_usd: "92.88", coupons_usd: "18.58", total_usd: "74.30" });
    expect(invoice).toMatchObject({ credit_usd: "50.00", payable_usd: "24.30", amount_due_usd: "24.30", carried_cents: 0 });
    await put(world.table, Invoices, stored(organization.id, {}));
    const first = Object(await get("invoices/?limit=1&status="));
    expect(first).toMatchObject({ count: 2, previous: null, results: [{ id: invoice.id }] });
    expect(first.next).toBe("https://api.example.org/api/billing/invoices/?limit=1&offset=1&status=");
    expect(await get("invoices/?limit=1&offset=1")).toMatchObject({ count: 2, next: null, results: [{ number: "INV-2026-000009" }] });
    expect(await get("invoices/?status=open")).toMatchObject({ count: 1, results: [{ id: invoice.id }] });
    expect(await get("invoices/?status=paid")).toMatchObject({ count: 1, results: [{ id: "in_feb" }] });
    expect(await get("invoices/?status=none")).toEqual({ count: 0, next: null, previous: null, results: [] });
  });

  it("200: get_invoices leads to the console's page of the organization that was asked for", async () => {
    const { get } = await withInvoice();
    expect(await get("get_invoices/")).toMatchObject({ count: 1, link: "https://api.example.org/organization/billing" });
    expect(await get("get_invoices/?team_id=1")).toMatchObject({ link: "https://api.example.org/organization/billing?team_id=1" });
  });
});

describe("GET /api/billing/invoices/{id}/", () => {
  it("200: everything that it is made of adds up, by its id and by its number", async () => {
    const { get, invoice } = await withInvoice();
    const shown = Object(await get(`invoices/${invoice.id}/`));
    expect(shown).toMatchObject({
      ...invoice,
      lines: [{ product: "product_analytics", quantity: 3_250_000, unit: "event", amount_usd: "92.88", late_of: null, carried_from: null }],
      coupon_uses: [{ slug: "start", code: "S1", campaign_name: "A good start", amount_usd: "18.58" }],
      credit_entries: [{ source: "purchase", amount_usd: "50.00", at: "2026-08-08T00:00:00Z" }],
    });
    expect(await get(`invoices/${shown.number}/`)).toEqual(shown);
  });

  it("200: what was taken back, carried and forgiven is told with its sign", async () => {
    const { world, organization, get } = await withInvoice();
    const lines = [
      { ...LINE, quantity: -40, cents: -1_234, late_of: day(1, 1) },
      { ...LINE, product: "boost", usage_type: null, quantity: 28, cents: 1_000 },
      { ...LINE, product: "carried", usage_type: null, cents: 30, carried_from: day(1, 1) },
    ];
    await put(
      world.table,
      Invoices,
      stored(organization.id, { lines, subtotal_cents: -204, returned_cents: 204, note: "Nothing is owed." }),
    );
    expect(await get("invoices/in_feb/")).toMatchObject({
      subtotal_usd: "-2.04",
      returned_usd: "2.04",
      total_usd: "0.00",
      payable_usd: "0.00",
      note: "Nothing is owed.",
      lines: [
        { quantity: -40, unit: "event", amount_usd: "-12.34", late_of: "2026-01-01T00:00:00Z" },
        { unit: "day", amount_usd: "10.00" },
        { unit: null, amount_usd: "0.30", carried_from: "2026-01-01T00:00:00Z" },
      ],
    });
    const small = { period_start: day(1, 1), period_end: day(2, 1), id: "in_jan", number: null };
    await put(
      world.table,
      Invoices,
      stored(organization.id, { ...small, lines: [LINE], subtotal_cents: 30, due_cents: 30, carried_cents: 30 }),
    );
    expect(await get("invoices/in_jan/")).toMatchObject({ status: "paid", total_usd: "0.30", carried_cents: 30, payable_usd: "0.00" });
  });

  it("200: with each attempt to collect it, and what of it was given back", async () => {
    const { world, organization, get, invoice, call } = await withInvoice();
    const subject = { organization_id: organization.id, kind: "invoice", subject_id: String(day(7, 1)) } as const;
    const given = { cents: 2_430, customer_id: "cus_1", method_id: "pm_1" };
    const first = newAttempt(subject, [], given, day(8, 8));
    const failed = { ...first, state: "failed", settled_at: day(8, 8), error: "Your card was declined." } as const;
    const second = newAttempt(subject, [first], given, day(8, 9));
    const third = { ...newAttempt(subject, [first, second], given, day(8, 10)), state: "succeeded", intent_id: "pi_3" } as const;
    for (const attempt of [failed, second, { ...third, settled_at: day(8, 10), refunded_cents: 430 }])
      await put(world.table, PaymentAttempts, attempt);
    const attempt = { amount_usd: "24.30", refunded_usd: "0.00", provider_id: null, settled_at: null, error: null };
    expect(Object(await get(`invoices/${invoice.id}/`)).payments).toEqual([
      { ...attempt, id: `${invoice.id}_1`, status: "failed", created_at: at(8, 8), settled_at: at(8, 8), error: "Your card was declined." },
      { ...attempt, id: `${invoice.id}_2`, status: "processing", created_at: at(8, 9) },
      {
        ...attempt,
        id: `${invoice.id}_3`,
        status: "succeeded",
        created_at: at(8, 10),
        settled_at: at(8, 10),
        provider_id: "pi_3",
        refunded_usd: "4.30",
      },
    ]);
    expect(String((await call("GET", `invoices/${invoice.id}/print/`)).body)).toContain("succeeded, $4.30 refunded");
  });

  it("200: a voided one says what it said, and asks for nothing", async () => {
    const { world, organization, get, invoice } = await withInvoice();
    await stepInvoice(world, { organization_id: organization.id, period_start: day(7, 1) }, "void");
    expect(await get(`invoices/${invoice.id}/`)).toMatchObject({ ...invoice, status: "voided", amount_due_usd: "0.00" });
  });

  it("404: one that is still open, and one of another organization", async () => {
    const { world, organization, call, invoice } = await withInvoice();
    await put(world.table, Invoices, stored(organization.id, { state: "open", number: null }));
    await put(world.table, Invoices, stored("0198a4c0-0000-7000-8000-00000000ffff", { id: "in_theirs", number: "INV-2026-000010" }));
    for (const name of ["in_feb", "in_theirs", "INV-2026-000010", `${invoice.id}0`, "null"])
      for (const path of ["", "print/", "csv/"])
        expect(await call("GET", `invoices/${name}/${path}`)).toMatchObject({ status: 404, json: { code: "not_found" } });
  });

  it("404: where a billing service keeps the invoices, with where to ask", async () => {
    const { call } = await billingWorld(day(7, 9), { billingServiceUrl: "https://billing.test", billingLicense: "id::secret" });
    for (const path of ["", "in_1/", "in_1/print/", "in_1/csv/"])
      expect(await call("GET", `invoices/${path}`)).toMatchObject({
        status: 404,
        json: { code: "not_found", detail: expect.stringContaining("get_invoices") },
      });
  });
});

describe("GET /api/billing/receivables/", () => {
  it("200: what is owed until it is paid, the oldest first: credit that was bought, and invoices", async () => {
    const { get, invoice, world, organization, at: turnTo, close } = await withInvoice();
    const bought = { kind: "credit_purchase", number: null, amount_due_usd: "50.00", issued_at: at(7, 9), status: "overdue" };
    const issued = { kind: "invoice", id: invoice.id, number: invoice.number, amount_due_usd: "24.30", issued_at: at(8, 8) };
    expect(await get("receivables/")).toMatchObject({ count: 2, next: null, results: [bought, { ...issued, status: "open" }] });
    expect(await get("receivables/?limit=1&offset=1")).toMatchObject({ count: 2, results: [{ ...issued, overdue_at: at(8, 22) }] });
    turnTo(day(8, 22) + 1);
    await close();
    expect(await get("receivables/?offset=1")).toMatchObject({ results: [{ ...issued, status: "overdue" }] });
    await stepInvoice(world, { organization_id: organization.id, period_start: day(7, 1) }, "pay");
    expect(await get("receivables/")).toMatchObject({ count: 1, results: [bought] });
  });

  it("404: where a billing service keeps the books", async () => {
    const { call } = await billingWorld(day(7, 9), { billingServiceUrl: "https://billing.test", billingLicense: "id::secret" });
    expect(await call("GET", "receivables/")).toMatchObject({ status: 404, json: { code: "not_found" } });
  });
});

describe("an invoice for people", () => {
  const hostile = { description: `=HYPERLINK("<b>")</td><script>alert(1)</script>, "x"` };

  it("200: is a page that runs nothing, loads nothing but its own style, and escapes what it is told", async () => {
    const { world, organization, call, invoice } = await withInvoice();
    const page = await call("GET", `invoices/${invoice.id}/print/`, { headers: { accept: "text/html" } });
    expect(page).toMatchObject({ status: 200, headers: { "content-type": "text/html; charset=utf-8" } });
    const body = String(page.body);
    const [, style = ""] = /<style>([^<]*)<\/style>/.exec(body) ?? [];
    const policy = page.headers["content-security-policy"] ?? "";
    expect(policy).toContain(`style-src 'sha256-${hash("sha256", style, "base64")}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe");
    for (const text of ["1 July 2026 to 31 July 2026", "3,250,000 events", "$92.88", "Coupon A good start", "-$18.58", "-$50.00", "$24.30"])
      expect(body).toContain(text);
    await put(world.table, Invoices, stored(organization.id, { lines: [{ ...LINE, ...hostile }] }));
    const escaped = String((await call("GET", "invoices/in_feb/print/")).body);
    expect(escaped).toContain("&#60;script&#62;");
    expect(escaped).not.toMatch(/<script|<b>/);
  });

  it("200: is a CSV file whose amounts add up to what is to be paid, and whose texts are no formulas", async () => {
    const { world, organization, call, invoice } = await withInvoice();
    const file = await call("GET", `invoices/${invoice.id}/csv/`);
    expect(file).toMatchObject({
      status: 200,
      headers: { "content-type": "text/csv", "content-disposition": `attachment; filename="${invoice.number}.csv"` },
    });
    const rows = String(file.body).split("\r\n").slice(0, -1);
    expect(rows[0]).toMatch(/^Invoice,Status,.*,Amount USD$/);
    expect(rows.map((row) => row.split(",")[5])).toEqual(["Kind", "line", "coupon", "credit"]);
    const sum = rows.slice(1).reduce((total, row) => total + cents(row.split(",").at(-1) ?? ""), 0);
    expect(sum).toBe(cents(invoice.payable_usd));
    await put(world.table, Invoices, stored(organization.id, { lines: [{ ...LINE, ...hostile, cents: -5 }] }));
    const guarded = String((await call("GET", "invoices/in_feb/csv/")).body);
    expect(guarded).toContain(`"'=HYPERLINK(""<b>"")</td><script>alert(1)</script>, ""x""",event_count_in_period,1,event,,-0.05\r\n`);
  });
});
