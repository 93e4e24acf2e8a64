import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import type { Platform } from "../../../infra/local/platform.ts";
import { type ATenant, tenantOf } from "../../support/processes/platform.ts";

/** An organization with one of everything that requests can be about, by the name of its document. */
export const aRichTenant = async (platform: Platform, name: string): Promise<ATenant> => {
  const tenant = tenantOf(await applyDocument(platform.world, richDocument(name)));
  await fill(platform.ingestUrl, tenant.projectToken);
  return tenant;
};

/** The document of such an organization. */
export const richDocument = (name: string) => {
  const owner = `ana@${name}.test`;
  return {
    organizations: [
      {
        key: name,
        name,
        settings: { is_ai_data_processing_approved: true, member_billing_usage_spend_read_access: true },
        domains: [{ domain: `${name}.test`, verified: true }],
        members: [
          {
            email: owner,
            first_name: "Ana",
            level: "owner",
            is_email_verified: true,
            personal_api_keys: [{ label: "fuzz", scopes: ["*"] }],
          },
          { email: `bob@${name}.test`, level: "member" },
        ],
        projects: [
          {
            key: "web",
            name: "Web",
            timezone: "Europe/Berlin",
            account_group_type: "company",
            secret_api_keys: [{ label: "fuzz", scopes: ["account:read", "account:write", "endpoint:read"] }],
            account_relationships: ["CSM"],
            account_custom_properties: [
              { name: "Plan", type: "string" },
              { name: "Seats", type: "number" },
            ],
            accounts: [
              { external_id: "acme-1", name: "Acme", properties: { a: 1 }, tags: ["t"], relationships: { CSM: [owner] } },
              { external_id: "acme-2", custom_properties: { Plan: "big" } },
            ],
            integrations: [
              { key: "github", kind: "github", config: { organization: "acme", access_token: "gh-token" } },
              ...(["gitlab", "linear", "jira"] as const).map((kind) => ({ key: kind, kind, config: {} })),
            ],
            quota: { events: { limited_until: "2020-01-01T00:00:00Z" } },
          },
        ],
        oauth_applications: [{ key: "cli", name: "CLI", redirect_uris: ["https://cli.test/cb"], is_verified: true }],
      },
    ],
    coupon_campaigns: [{ slug: "launch", name: "Launch", kind: "percent", percent: 20, duration: "once", codes: ["LAUNCH-0001"] }],
    sandbox_rate_cards: [
      { version: "v1", effective_at: "2026-01-01T00:00:00Z", cpu_core_second_usd: "0.000010", memory_gib_second_usd: "0.0000019" },
    ],
  };
};

const KINDS = [
  { event: "signed up", properties: { plan: "free", price: 12.5, $browser: "Firefox", $set: { email: "a@b.test", age: 4 } } },
  { event: "$pageview", properties: { $browser: "Chrome", $groups: { company: "acme-1" } } },
  { event: "$identify", properties: { $anon_distinct_id: "anon-1" } },
  { event: "$groupidentify", properties: { $group_type: "company", $group_key: "acme-1", $group_set: { seats: 4 } } },
  { event: "$ai_generation", properties: { $ai_model: "m", $ai_input_tokens: 10, $ai_total_cost_usd: 0.25, ai_product: "chat" } },
  {
    event: "$exception",
    properties: {
      $exception_list: [
        {
          type: "TypeError",
          value: "boom",
          stacktrace: {
            type: "raw",
            frames: [{ platform: "python", filename: "a.py", function: "f", lineno: 3, in_app: true, context_line: "x" }],
          },
        },
      ],
    },
  },
] as const;

/** Sends some events of every kind. */
export const fill = async (origin: string, token: string): Promise<void> => {
  const batch = Array.from({ length: 60 }, (_, at) => {
    const { event, properties } = KINDS[at % KINDS.length] ?? KINDS[0];
    return { event, distinct_id: `user-${at % 7}`, properties };
  });
  const answer = await fetch(`${origin}/batch/`, { method: "POST", body: JSON.stringify({ api_key: token, batch }) });
  if (answer.status !== 200) throw new Error(`the events were answered ${answer.status}`);
};
