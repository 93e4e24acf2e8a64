import * as z from "zod";
import { applyDocument } from "../../infra/cli/apply/apply.ts";
import type { World } from "../../lib/app/world.ts";
import { Alerts } from "../../lib/billing/alerts/alert.ts";
import { Invoice, Invoices } from "../../lib/billing/invoices.ts";
import { Deliveries } from "../../lib/billing/notices/delivery.ts";
import { Webhooks } from "../../lib/billing/notices/webhook.ts";
import { put } from "../../lib/table/store.ts";
import { type ATenant, eventually, tenantOf } from "../support/processes/platform.ts";
import type { Recorder } from "./recorder.ts";

const OWNER = "ana@acme.example";

/** The shop that examples are about: everything that operations can be asked about is there once. */
export const DOCUMENT = {
  organizations: [
    {
      key: "acme",
      name: "Acme",
      settings: { is_ai_data_processing_approved: true, member_billing_usage_spend_read_access: true },
      domains: [{ domain: "acme.example", verified: true }],
      members: [
        {
          email: OWNER,
          first_name: "Ana",
          last_name: "Doe",
          level: "owner" as const,
          is_email_verified: true,
          personal_api_keys: [{ label: "examples", scopes: ["*"] }],
        },
        { email: "bob@acme.example", first_name: "Bob", level: "member" as const, is_email_verified: true },
      ],
      projects: [
        {
          key: "shop",
          name: "Shop",
          timezone: "UTC",
          account_group_type: "company",
          secret_api_keys: [{ label: "examples", scopes: ["account:read", "account:write", "endpoint:read"] as const }],
          account_relationships: ["CSM"],
          account_custom_properties: [{ name: "Plan", type: "string" as const }],
          accounts: [
            {
              external_id: "initech",
              name: "Initech",
              properties: {},
              tags: ["trial"],
              relationships: { CSM: [OWNER] },
              custom_properties: { Plan: "small" },
            },
          ],
          integrations: [
            { key: "github", kind: "github" as const, config: { organization: "acme", access_token: "none" } },
            { key: "gitlab", kind: "gitlab" as const, config: { project: "acme/shop", access_token: "none" } },
          ],
          quota: { events: { limited_until: "2020-01-01T00:00:00Z" } },
        },
      ],
      roles: [{ key: "checkout", name: "Checkout", members: [OWNER] }],
      oauth_applications: [{ key: "cli", name: "Command line", redirect_uris: ["https://cli.example/callback"], is_verified: true }],
    },
  ],
  coupon_campaigns: [
    { slug: "launch", name: "Launch", kind: "percent" as const, percent: 20, duration: "once" as const, codes: ["LAUNCH-0001"] },
  ],
  sandbox_rate_cards: [
    { version: "v1", effective_at: "2026-01-01T00:00:00Z", cpu_core_second_usd: "0.000010", memory_gib_second_usd: "0.0000019" },
  ],
};

/** Days of November 2026 that events happened on, before the day of the recording. */
const DAYS = [16, 17, 18, 19] as const;
const BROWSERS = ["Firefox", "Chrome"] as const;

const at = (day: number, hour: number): string => `2026-11-${day}T${String(hour).padStart(2, "0")}:00:00Z`;

const exception = (type: string, value: string, line: number) => ({
  $exception_list: [
    {
      type,
      value,
      stacktrace: {
        type: "raw",
        frames: [
          {
            platform: "python",
            filename: "app/cart.py",
            function: "total",
            lineno: line,
            in_app: true,
            context_line: "return sum(prices)",
          },
        ],
      },
    },
  ],
});

const GENERATION = {
  $ai_model: "model-1",
  $ai_input_tokens: 1_000,
  $ai_output_tokens: 200,
  $ai_total_cost_usd: 0.25,
  ai_product: "service_code",
};

/** What happened in the shop: page views, orders, exceptions and what an assistant generated. */
const EVENTS = [
  ...DAYS.flatMap((day, index) =>
    Array.from({ length: 2 + index }, (_, visit) => ({
      event: "$pageview",
      distinct_id: `user-${visit}`,
      timestamp: at(day, 9 + visit),
      properties: { $browser: BROWSERS[visit % BROWSERS.length], $groups: { company: "initech" } },
    })),
  ),
  ...DAYS.map((day) => ({
    event: "order placed",
    distinct_id: "user-0",
    timestamp: at(day, 15),
    properties: { price: 12.5 * (day - 15) },
  })),
  {
    event: "$groupidentify",
    distinct_id: "user-0",
    timestamp: at(16, 8),
    properties: { $group_type: "company", $group_key: "initech", $group_set: { seats: 4 } },
  },
  ...[17, 18, 19].map((day) => ({
    event: "$exception",
    distinct_id: "user-1",
    timestamp: at(day, 10),
    properties: exception("ValueError", "a price is missing", 12),
  })),
  ...[18, 19].map((day) => ({ event: "$ai_generation", distinct_id: OWNER, timestamp: at(day, 16), properties: GENERATION })),
];

/** One after the other, so that issues come about in this order. */
const BATCHES = [
  EVENTS,
  [
    {
      event: "$exception",
      distinct_id: "user-2",
      timestamp: at(19, 11),
      properties: exception("TimeoutError", "the warehouse is silent", 31),
    },
  ],
  [{ event: "$exception", distinct_id: "user-0", timestamp: at(19, 12), properties: exception("KeyError", "colour", 44) }],
];

/** What the events come to for billing: exceptions and generations once; others as events, and as events of persons. */
const EXCEPTIONS = 5;
const GENERATIONS = 2;
const USAGE = EXCEPTIONS + GENERATIONS + 2 * (EVENTS.length + 2 - EXCEPTIONS - GENERATIONS);

const Issues = z.object({ count: z.number() });
const Usage = z.object({ results: z.array(z.object({ data: z.array(z.number()) })) });
const Organization = z.object({ teams: z.array(z.object({ ingested_event: z.boolean() })) });

/** Makes the organization, with an invoice of the month before. */
export const seed = async (world: World): Promise<ATenant> => {
  const tenant = tenantOf(await applyDocument(world, DOCUMENT));
  await seedInvoice(world, tenant.organizationId);
  return tenant;
};

/** Writes an invoice of the month before the recording. */
export const seedInvoice = ({ table }: Pick<World, "table">, organizationId: string): Promise<unknown> =>
  put(table, Invoices, octoberInvoice(organizationId));

const octoberInvoice = (organization_id: string): Invoice => {
  const period_start = Date.UTC(2026, 9);
  const made = Date.UTC(2026, 10, 8, 2);
  return Invoice.parse({
    organization_id,
    period_start,
    period_end: Date.UTC(2026, 10),
    id: `in_${organization_id.replaceAll("-", "")}_${period_start}`,
    number: "INV-2026-000001",
    state: "paid",
    catalogue_id: "built-in",
    lines: [
      {
        product: "product_analytics",
        plan_key: "paid-20260101",
        description: "Product analytics",
        usage_type: "event_count_in_period",
        quantity: 3_250_000,
        cents: 9_288,
      },
    ],
    coupons: [{ id: "launch", cents: 1_858 }],
    credits: [],
    subtotal_cents: 9_288,
    coupon_cents: 1_858,
    tax_cents: 0,
    credit_cents: 0,
    due_cents: 7_430,
    issued_at: made,
    paid_at: made,
    due_at: null,
    version: 1,
  });
};

/** Sends what happened, and waits until it is stored and counted. */
export const seedEvents = async ({ call }: Recorder, { projectToken }: ATenant): Promise<void> => {
  for (const [index, batch] of BATCHES.entries()) {
    await call("captureBatch", { body: { api_key: projectToken, batch } });
    await eventually(async () => {
      const { count } = Issues.parse(await call("listErrorTrackingIssues"));
      if (count <= index) throw new Error(`there are ${count} issues after batch ${index}`);
    }, PATIENCE);
  }
  await eventually(async () => {
    const usage = Usage.parse(await call("getBillingUsage", { query: { start_date: "2026-11-16", end_date: "2026-11-19" } }));
    const sum = usage.results.flatMap(({ data }) => data).reduce((all, each) => all + each, 0);
    const { teams } = Organization.parse(await call("retrieveOrganization"));
    if (sum !== USAGE || !teams.every((each) => each.ingested_event)) throw new Error(`counted so far: ${sum} of ${USAGE}`);
  }, PATIENCE);
};

/** It takes seconds; a machine that is busy with all tests may need minutes. */
const PATIENCE = { budgetMs: 240_000, everyMs: 100 };

const NOTICED_AT = Date.UTC(2026, 10, 16, 9);
const PERIOD = { period_start: Date.UTC(2026, 10), period_end: Date.UTC(2026, 11) };

/** Writes what happened to limits and was sent because of it, which takes a month to come about. */
export const seedNotices = async (world: Pick<World, "table" | "ids">, organization_id: string): Promise<void> => {
  const id = world.ids.uuid();
  const webhook = { id, url: "https://hooks.acme.example/limits", events: ["billing.limit" as const], is_active: true };
  await put(world.table, Webhooks, {
    organization_id,
    webhooks: [{ ...webhook, secret: "whsec_example", created_at: NOTICED_AT }],
    version: 1,
  });
  await put(world.table, Deliveries, {
    ...{ organization_id, webhook_id: id, event_id: "evt_6f0c2b1c9d3e4f5a8b7c6d5e4f3a2b1c", type: "billing.limit", body: "{}" },
    ...{ created_at: NOTICED_AT, state: "delivered", attempts: 1, tries: 1, due_at: null, response_status: 200, error: null },
    ...{ delivered_at: NOTICED_AT + 1_000, version: 1 },
  });
  await put(world.table, Alerts, {
    ...{ organization_id, ...PERIOD, product: "product_analytics", name: "Product analytics", usage_key: "events", threshold: "80" },
    ...{ usage: 812_345, limit: 1_000_000, at: NOTICED_AT, drops_from: null, letter: "sent", attempts: 1, due_at: null, version: 1 },
  });
};
