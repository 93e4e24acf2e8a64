import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Page } from "playwright-core";
import { beforeAll, expect, it, vi } from "vitest";
import { applyDocument } from "../../infra/cli/apply/apply.ts";
import { noteAlerts } from "../../lib/billing/alerts.ts";
import { Invoice, Invoices } from "../../lib/billing/invoices.ts";
import { foldUsage } from "../../lib/lake/usage.ts";
import { put } from "../../lib/table/store.ts";
import { computedMarkersWrite } from "../../lib/usage/project-quotas.ts";
import { aTenant } from "../support/processes/platform.ts";
import { aConsole, accessibilityFaults } from "./console.ts";

vi.stubEnv("WEBHOOK_HOSTS", "hooks.example");
const console = aConsole();

const USAGE = "project/1/usage";

/** A call of the API as the demo's owner. */
const api = async (method: string, path: string, body?: unknown) => {
  const { platform, key } = console();
  const response = await fetch(`${platform.baseUrl}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return Object(await response.json());
};

const demoOrganization = async (): Promise<string> => (await api("GET", "personal_api_keys/@current/")).organizations[0].id;

const product = (page: Page, name: string) => page.getByRole("listitem").filter({ has: page.getByRole("heading", { name }) });

/**
 * The demo's history is an import, which is not charged: of these exceptions, that of three weeks ago is, and that of now, which on the first
 * day of a period may be all that it has.
 */
const sendExceptions = async (): Promise<void> => {
  const { platform, token } = console();
  const batch = [Date.now() - 21 * 86_400_000, Date.now()].map((at) => ({
    event: "$exception",
    distinct_id: "late",
    timestamp: new Date(at).toISOString(),
    properties: { $exception_list: [{ type: "Late", value: "late" }] },
  }));
  const sent = await fetch(`${platform.ingestUrl}/batch/`, { method: "POST", body: JSON.stringify({ api_key: token, batch }) });
  expect(sent.status).toBe(200);
};

const exceptionsSince = async (start: string): Promise<number> => {
  const { results } = await api("GET", `billing/usage/?team_id=1&start_date=${start}&breakdowns=["type"]`);
  const series = results.find(({ label }: { readonly label: string }) => label === "Exceptions");
  return series?.data.reduce((sum: number, count: number) => sum + count, 0) ?? 0;
};

// What was captured is stored and counted in its own time; here it is counted as soon as it is stored.
beforeAll(async () => {
  const [organization, { world }] = [await demoOrganization(), console().platform];
  const today = new Date().toISOString().slice(0, 10);
  await sendExceptions();
  await vi.waitFor(
    async () => {
      await foldUsage(world, { organization, project: 1 });
      // Months are counted by themselves: on the first day of one, the week may be without it.
      expect(await exceptionsSince(today)).toBeGreaterThan(0);
      expect(await exceptionsSince("-30d")).toBe((await exceptionsSince("-7d")) + 1);
    },
    { timeout: 120_000, interval: 200 },
  );
});

it("says what the period costs and shows how much of each product was used", async () => {
  const page = await console().open(USAGE);
  await page.getByText("$0.00 so far, about $0.00 at the end of the period.").waitFor();
  await page.getByText("Demo, the organization of this project, on the plan free.").waitFor();
  await product(page, "Error tracking")
    .getByText(/^[1-9]\d* of 100\s000 exceptions/)
    .waitFor();
  expect(await page.getByRole("listitem").getByText("free", { exact: true }).count()).toBeGreaterThan(5);
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("limits what a product may cost, with what is wrong at its field", async () => {
  const page = await console().open(USAGE, { refusals: true });
  const surveys = product(page, "Surveys");
  await surveys.getByRole("link", { name: "Set a limit of Surveys" }).click();
  expect(page.url()).toMatch(/\?limit=surveys$/);
  const field = surveys.getByLabel("The most that Surveys may cost in a period, in US dollars");
  await field.fill("-1");
  await surveys.getByRole("button", { name: "Set the limit" }).click();
  await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
  expect(await accessibilityFaults(page)).toEqual([]);
  await field.fill("12.5");
  await surveys.getByLabel("Lifted when this period ends").check();
  await surveys.getByRole("button", { name: "Set the limit" }).click();
  await surveys.getByText("At most $12.50 a period, until it ends").waitFor();
  expect(page.url()).toMatch(/usage$/);
});

it("changes the range of the series, which the address keeps, and saves them as a file", async () => {
  const page = await console().open(`${USAGE}/series`);
  const totals = page.getByRole("group", { name: "Totals" });
  const exceptions = totals.getByRole("row", { name: /^Exceptions/ });
  const month = await exceptions.textContent();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel("Range").selectOption("Last 7 days");
  await expect.poll(() => exceptions.textContent()).not.toBe(month);
  expect(page.url()).toMatch(/\?date_from=-7d$/);
  await page.getByLabel("By").selectOption("Project");
  await totals.getByRole("row", { name: /^Demo shop/ }).waitFor();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV of all series" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe("usage.csv");
  expect(await readFile(await file.path(), "utf8")).toMatch(/^Series,|Demo shop/);
  await page.getByLabel("Range").selectOption("Custom dates");
  await page.getByLabel("First day").fill("2020-01-01");
  await page.getByLabel("Last day").fill("2020-01-31");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByText("Nothing was used in these days.").waitFor();
  await page.goBack();
  await page.goBack();
  await totals.getByRole("row", { name: /^Demo shop/ }).waitFor();
});

it("says in the API's words which range is too long", async () => {
  const page = await console().open(`${USAGE}/series?date_from=2015-01-01&measure=spend`, { refusals: true });
  await page
    .getByRole("alert")
    .getByText(/longer than a year/)
    .waitFor();
});

it("leads whoever comes from the API's link to the invoices of the project that it names", async () => {
  for (const query of ["", "?team_id=1"]) {
    const page = await console().open(`organization/billing${query}`);
    await page.getByText("Demo has no invoice.").waitFor();
    expect(page.url()).toMatch(/project\/1\/usage\/invoices$/);
  }
});

/** The demo's invoice of a month of 2026, as it is stored. */
const store = async (month: number, more: Partial<Invoice>): Promise<void> => {
  const [period_start, period_end] = [Date.UTC(2026, month - 1), Date.UTC(2026, month)];
  const line = { product: "boost", plan_key: "boost-20260101", description: "Boost", usage_type: null, quantity: 31, cents: 25_000 };
  const invoice = Invoice.parse({
    organization_id: await demoOrganization(),
    period_start,
    period_end,
    id: `in_${month}`,
    number: `INV-2026-00000${month}`,
    state: "payment_failed",
    catalogue_id: "built-in",
    lines: [line],
    coupons: [{ id: "gone", cents: 5_000 }],
    credits: [],
    subtotal_cents: 25_000,
    coupon_cents: 5_000,
    tax_cents: 0,
    credit_cents: 0,
    due_cents: 20_000,
    issued_at: period_end,
    paid_at: null,
    attempts: 1,
    due_at: null,
    version: 1,
    ...more,
  });
  await put(console().platform.world.table, Invoices, invoice);
};

it("says what is owed, and opens an invoice line by line, to be printed and saved", async () => {
  await store(1, {});
  await store(2, { state: "paid", paid_at: Date.UTC(2026, 2, 2), coupons: [], coupon_cents: 0, credits: [{ id: "c", cents: 25_000 }] });
  const page = await console().open(`${USAGE}/invoices`);
  const owed = page.getByRole("region", { name: "To pay: $200.00" });
  await owed.getByText("$200.00, overdue").waitFor();
  await owed.getByText("This deployment has no page where invoices are paid").waitFor();
  await owed.getByRole("link", { name: "Invoice INV-2026-000001" }).click();
  expect(page.url()).toMatch(/usage\/invoices\/in_1$/);
  const invoice = page.getByRole("region", { name: "Invoice", exact: true });
  await invoice.getByRole("row", { name: "Boost boost-20260101 31 days $250.00" }).waitFor();
  expect(await invoice.locator(".sums :is(dt, dd)").allTextContents()).toEqual([
    "Sum of the lines",
    "$250.00",
    "Coupon gone",
    "−$50.00",
    "Total",
    "$200.00",
    "To pay",
    "$200.00",
  ]);
  expect(await accessibilityFaults(page)).toEqual([]);
  const saved = page.waitForEvent("download");
  await invoice.getByRole("button", { name: "CSV" }).click();
  const file = await saved;
  expect(file.suggestedFilename()).toBe("INV-2026-000001.csv");
  expect(await readFile(await file.path(), "utf8")).toContain("Boost");
  await page.emulateMedia({ media: "print" });
  expect(await Promise.all([invoice, owed, page.getByRole("link", { name: "Series" })].map((each) => each.isVisible()))).toEqual([
    true,
    false,
    false,
  ]);
});

it("saves a file that is too large for the API from where it lies", async () => {
  const store = createServer((_, reply) =>
    reply.setHeader("content-disposition", 'attachment; filename="usage_all.csv"').end("Product,Project"),
  );
  await once(store.listen(0, "127.0.0.1"), "listening");
  const page = await console().open(`${USAGE}/series`);
  const url = `http://127.0.0.1:${Object(store.address()).port}/exports/1`;
  await page.route(/usage\/export\/?\?.*redirect=false/, (route) => route.fulfill({ json: { url } }));
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV of all series" }).click();
  const file = await saved;
  expect([file.suggestedFilename(), await readFile(await file.path(), "utf8")]).toEqual(["usage_all.csv", "Product,Project"]);
  expect(page.url()).toMatch(/usage\/series$/);
  await new Promise((closed) => store.close(closed));
});

it("shows what was told of limits, and where events of billing are sent and with which secret", async () => {
  const { platform, open } = console();
  const period = { start: Date.UTC(2026, 10), end: Date.UTC(2026, 11) };
  const use = { product: "surveys", name: "Surveys", usage_key: "survey_responses", usage: 1_210, limit: 1_500, period, dropsFrom: null };
  await noteAlerts(platform.world, await demoOrganization(), [use]);
  const page = await open(`${USAGE}/alerts`, { refusals: true });
  await page.getByRole("row", { name: /^Surveys 80 % of its limit 1\s210 1\s500/ }).waitFor();
  await page.getByText("Events of billing are sent nowhere.").waitFor();
  const form = page.getByRole("form", { name: "New webhook" });
  const address = form.getByLabel("Address that events are sent to");
  const add = async (url: string): Promise<void> => {
    await address.fill(url);
    await form.getByRole("button", { name: "Add the webhook" }).click();
  };
  await add("https://elsewhere.example/billing");
  await expect.poll(() => address.getAttribute("aria-invalid")).toBe("true");
  expect(await accessibilityFaults(page)).toEqual([]);
  await form.getByLabel("Payments").uncheck();
  await add("https://hooks.example/billing");
  await page
    .getByRole("region", { name: "New secret" })
    .getByText(/^whsec_/)
    .waitFor();
  await page.getByRole("row", { name: "https://hooks.example/billing limit, invoice active" }).getByRole("link").click();
  const webhook = page.getByRole("region", { name: "Webhook https://hooks.example/billing" });
  await webhook.getByText("Nothing was sent to it in the last 30 days.").waitFor();
  await webhook.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("row", { name: /paused$/ }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await webhook.getByRole("button", { name: "Delete" }).click();
  await webhook.getByRole("group", { name: "Nothing more is sent to it. Delete it?" }).getByRole("button", { name: "Delete" }).click();
  await page.getByText("Events of billing are sent nowhere.").waitFor();
  expect(page.url()).toMatch(/usage\/alerts$/);
});

it("buys credit at the discount that so much has, after asking once more", async () => {
  const page = await console().open(`${USAGE}/plan`);
  const form = page.getByRole("form", { name: "Buy credit" });
  await form.getByLabel("What to pay for a year's credit").fill("3000");
  await form.getByText("Buys $3 333.33 of credit, 10 % off.").waitFor();
  await form.getByLabel("How it is paid").selectOption("Charge the payment method");
  await form.getByRole("button", { name: "Buy credit" }).click();
  await form.getByRole("group", { name: "Buy credit for $3 000.00?" }).getByRole("button", { name: "Buy credit" }).click();
  await form.getByText("The credit is there.").waitFor();
  await page.getByText("$3 333.33", { exact: true }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("claims a coupon, and says at its field that another does not exist", async () => {
  const { platform, open } = console();
  const campaign = { slug: "start", name: "A good start", kind: "percent", percent: 20, codes: ["START-1"] };
  await applyDocument(platform.world, { coupon_campaigns: [campaign] });
  const page = await open(`${USAGE}/plan`, { refusals: true });
  const code = page.getByLabel("Code of a coupon");
  await code.fill("NEVER");
  await page.getByRole("button", { name: "Claim" }).click();
  await expect.poll(() => code.getAttribute("aria-invalid")).toBe("true");
  await code.fill("START-1");
  await page.getByRole("button", { name: "Claim" }).click();
  await page.getByRole("group", { name: "Claimed coupons" }).getByText("A good start").waitFor();
  await page.getByText("20 %", { exact: true }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("says what is dropped", async () => {
  const { platform, open } = console();
  await platform.world.table.transact([computedMarkersWrite(1, { exceptions: platform.world.clock.now() + 3_600_000 })]);
  const page = await open(USAGE);
  await page.getByText("data of this project are dropped: exceptions").waitFor();
  await product(page, "Error tracking").getByText("Over its limit: its data are dropped").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await platform.world.table.transact([computedMarkersWrite(1, {})]);
});

it("shows the caller's spend on LLMs", async () => {
  const page = await console().open(`${USAGE}/llm`);
  await page.getByText("No generation of yours in these days.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("shows a member invoices, coupons and credit, and says who sees and does the rest", async () => {
  const { world } = console().platform;
  const { personalKey: key, projectId, organizationId } = await aTenant(world, { level: "member" });
  await store(3, { organization_id: organizationId });
  const page = await console().open(`project/${projectId}/usage/invoices`, { key, refusals: true });
  await page.getByRole("region", { name: "To pay: $200.00" }).getByText("An owner or admin of the organization pays it.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("link", { name: "Plan" }).click();
  await page.getByRole("alert").getByText("You do not have access to the billing of this organization.").waitFor();
  await page.getByText("No coupon was claimed.").waitFor();
  await page.getByText("Left", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: /Buy|Claim/ }).count()).toBe(0);
});

it("shows a key what its scopes are for, and no button beyond them", async () => {
  const reader = await console().open(USAGE, { key: await console().keyWith("billing:read", "project:read") });
  await product(reader, "Surveys").waitFor();
  expect(await reader.getByRole("link", { name: /limit/ }).count()).toBe(0);
  await reader.getByRole("link", { name: "LLM spend" }).click();
  await reader.getByText("user:read").waitFor();
  const stranger = await console().open(USAGE, { key: await console().keyWith("query:read") });
  await stranger.getByText("billing:read").waitFor();
  expect(await stranger.getByRole("link", { name: "Usage" }).count()).toBe(0);
});

it("subscribes to a plan, and says in the API's words what keeps it from ending", async () => {
  const page = await console().open(`${USAGE}/plan`, { refusals: true });
  const plans = page.getByRole("group", { name: "Plans by product" });
  await plans.getByRole("link", { name: "Feature flags" }).click();
  const form = page.getByRole("form", { name: "Plan of Feature flags" });
  expect(await accessibilityFaults(page)).toEqual([]);
  await form.getByRole("button", { name: "Subscribe" }).click();
  await plans.getByRole("row", { name: /^Feature flags Pay as you go/ }).click();
  await form.getByRole("button", { name: "Unsubscribe" }).click();
  await form.getByRole("group", { name: "It ends with the period. End it?" }).getByRole("button", { name: "Unsubscribe" }).click();
  await form
    .getByRole("alert")
    .getByText(/invoice/)
    .waitFor();
});

it("says when a call that came too often may come again, and asks again by itself then", async () => {
  for (let calls = 0; calls < 10; calls += 1) await api("GET", "llm_analytics/@me/spend/?product=service_code");
  const page = await console().open(`${USAGE}/llm`, { refusals: true });
  await page.getByRole("alert").getByText("Request was throttled. Expected available in").waitFor();
  await page.getByText("It is asked again by itself then.").waitFor();
});
