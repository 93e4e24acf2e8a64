/** A document that uses every section once. */
export const wholeDocument = () => structuredClone(WHOLE);

const WHOLE = {
  organizations: [
    {
      key: "acme",
      name: "Acme",
      settings: {
        owner_only_billing: false,
        member_billing_usage_spend_read_access: false,
        is_ai_data_processing_approved: false,
        desktop_access: "auto",
        customer_analytics: true,
      },
      domains: [{ domain: "acme.test", verified: true }],
      members: [
        {
          email: "ana@acme.test",
          first_name: "Ana",
          last_name: "Doe",
          level: "owner",
          role_at_organization: "engineering",
          is_email_verified: true,
          personal_api_keys: [{ label: "all", scopes: ["*"], scoped_teams: ["web"], scoped_organizations: ["acme"] }],
        },
        { email: "bob@acme.test", level: "member", personal_api_keys: [{ label: "read", scopes: ["endpoint:read"] }] },
      ],
      projects: [
        {
          key: "web",
          name: "Web",
          timezone: "UTC",
          account_group_type: "company",
          secret_api_keys: [{ label: "backend", scopes: ["account:read", "endpoint:read"] }],
          account_relationships: ["CSM"],
          account_custom_properties: [{ name: "Plan", type: "string" }],
          accounts: [
            {
              external_id: "acme-1",
              name: "Acme Corp",
              properties: {},
              tags: ["priority"],
              relationships: { CSM: ["ana@acme.test"] },
              custom_properties: { Plan: "enterprise" },
              ignored_at: null,
              churned_at: null,
            },
          ],
          integrations: [{ key: "gh", kind: "github", config: {} }],
          quota: { events: { limited_until: "2027-01-01T00:00:00Z" } },
        },
      ],
      roles: [{ key: "checkout", name: "Checkout", members: ["ana@acme.test"] }],
      oauth_applications: [{ key: "cli", name: "CLI", redirect_uris: ["https://cli.test/cb"], is_verified: true }],
      access: [{ project: "web", member: "bob@acme.test", visible: true, export: "editor" }],
    },
  ],
  coupon_campaigns: [
    { slug: "launch", name: "Launch", kind: "percent", percent: 20, duration: "once", codes: ["LAUNCH-0001"], max_claims: 100 },
  ],
  sandbox_rate_cards: [
    {
      version: "v1",
      effective_at: "2026-01-01T00:00:00Z",
      expires_at: null,
      cpu_core_second_usd: "0.000010",
      memory_gib_second_usd: "0.0000019",
    },
  ],
  billing_catalogue: null,
};
