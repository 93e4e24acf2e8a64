import { beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

const platform = aPlatform();
const PATH = "/api/llm_analytics/@me/spend/";
const WINDOW = "product=service_code&date_from=2026-11-10&date_to=2026-11-12";

let tenant: ATenant;
let api: ApiClient;

interface Generation {
  readonly at: string;
  readonly product?: string;
  readonly usd: number | string;
  readonly more?: Readonly<Record<string, unknown>>;
}

/** Thirty generations in four groups, chosen so that every number below can be worked out on paper. */
const THIRTY: readonly Generation[] = [
  // Ten of 10 cents: of the 5 cents of input 1 was for reading the cache and 2 for filling it. The last one names Bash twice, and Edit.
  ...Array.from({ length: 10 }, (_, at) => ({
    at: `2026-11-10T09:0${at}:00Z`,
    product: "service_code",
    usd: 0.1,
    more: {
      $ai_model: "opus",
      $ai_tools_called: at === 9 ? "Bash,Bash,Edit" : "Bash",
      $ai_trace_id: "t-a",
      $ai_input_cost_usd: 0.05,
      $ai_output_cost_usd: 0.05,
      $ai_cache_read_cost_usd: 0.01,
      $ai_cache_creation_cost_usd: 0.02,
      $ai_input_tokens: 1_000,
      $ai_output_tokens: 100,
      $ai_cache_read_input_tokens: 700,
      $ai_cache_creation_input_tokens: 200,
    },
  })),
  // Ten of 3 micro-dollars, one each ten minutes from midnight, whose cost nobody split; half of them say so in texts.
  ...Array.from({ length: 10 }, (_, at) => ({
    at: new Date(Date.UTC(2026, 10, 11, 0, at * 10)).toISOString(),
    product: "service_code",
    usd: at % 2 === 0 ? 0.000003 : "0.000003",
    more: { $ai_model: "haiku", $ai_tools_called: "Read,Bash", $ai_input_tokens: at % 2 === 0 ? 60_000 : "60000", $ai_output_tokens: 10 },
  })),
  // Five of a third of a dollar in the last second, without model and tools.
  ...Array.from({ length: 5 }, () => ({
    at: "2026-11-11T23:59:59Z",
    product: "service_code",
    usd: 0.333333,
    more: { $ai_tools_called: "", $ai_input_tokens: 350_000, $ai_trace_id: "t-late" },
  })),
  // Four of another product, and one of none.
  ...Array.from({ length: 4 }, () => ({ at: "2026-11-10T12:00:00Z", product: "background_agents", usd: 2.5, more: { $ai_model: "opus" } })),
  { at: "2026-11-10T12:00:00Z", usd: 1 },
];

const send = async (token: string, batch: readonly object[]): Promise<void> => {
  const body = JSON.stringify({ api_key: token, batch });
  const reply = await fetch(`${platform().baseUrl}/batch/`, { method: "POST", headers: { "content-type": "application/json" }, body });
  expect(reply.status).toBe(200);
};

const generation = (distinct_id: string, { at, product, usd, more }: Generation, event = "$ai_generation") => ({
  event,
  distinct_id,
  timestamp: at,
  properties: { ...(product !== undefined && { ai_product: product }), $ai_total_cost_usd: usd, ...more },
});

const identify = (distinct_id: string, email: string) => ({
  event: "$identify",
  distinct_id,
  timestamp: "2026-11-09T00:00:00Z",
  properties: { $set: { email } },
});

interface Spend {
  readonly summary: { readonly event_count: number };
}

const spendOf = async (client: ApiClient, query: string): Promise<Spend> => {
  const { status, body } = await client.get(`${PATH}?${query}`);
  expect([status, body]).toMatchObject([200, { length: 1 }]);
  const [spend] = body as Spend[];
  if (spend === undefined) throw new Error("the answer is empty");
  return spend;
};

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  const email = (await platform().world.table.get({ pk: `user#${tenant.userId}`, sk: "user" }))?.email;
  await send(tenant.projectToken, [
    identify("me", String(email)),
    identify("another", "another@example.test"),
    ...THIRTY.map((each) => generation("me", each)),
    generation("me", { at: "2026-11-12T00:00:00Z", product: "service_code", usd: 100 }),
    generation("me", { at: "2026-11-09T23:59:59Z", product: "service_code", usd: 100 }),
    generation("another", { at: "2026-11-10T12:00:00Z", product: "service_code", usd: 100 }),
    generation("me", { at: "2026-11-10T12:00:00Z", product: "service_code", usd: 100 }, "$ai_trace"),
  ]);
  // A key of its own for waiting: ten calls a minute are not many.
  const { body } = await api.post("/api/personal_api_keys/", {
    label: "waits",
    scopes: ["user:read"],
    scoped_teams: null,
    scoped_organizations: null,
  });
  const waiting = apiClient(platform().baseUrl, (body as { value: string }).value);
  await eventually(async () => expect((await spendOf(waiting, `${WINDOW}&refresh=true`)).summary.event_count).toBe(30), {
    everyMs: 5_500,
  });
});

describe("GET /llm_analytics/@me/spend/", () => {
  it("answers one object in a list, each of its numbers as on paper", async () => {
    expect(await spendOf(api, `${WINDOW}&bucket_minutes=30`)).toEqual({
      summary: {
        date_from: "2026-11-10T00:00:00Z",
        date_to: "2026-11-12T00:00:00Z",
        product: "service_code",
        // 10 × 0.1 + 10 × 0.000003 + 5 × 0.333333 = 2.666695, and 4 × 2.5 + 1 of other products.
        total_cost_usd: 13.666695,
        event_count: 30,
        scoped_cost_usd: 2.666695,
        scoped_event_count: 25,
      },
      by_product: {
        items: [
          { product: "background_agents", event_count: 4, cost_usd: 10 },
          { product: "service_code", event_count: 25, cost_usd: 2.666695 },
          { product: null, event_count: 1, cost_usd: 1 },
        ],
        truncated: false,
      },
      by_tool: {
        items: [
          {
            tool: null,
            generation_count: 5,
            cost_usd: 1.666665,
            // 1.666665 / 2.666695
            share_of_scoped: 0.624993,
            avg_input_tokens: 350_000,
            cost_attributed_usd: 1.666665,
            share_attributed: 0.624993,
          },
          {
            tool: "Bash",
            // 9 + 2 (named twice) + 10; 11 × 0.1 + 10 × 0.000003.
            generation_count: 21,
            cost_usd: 1.10003,
            share_of_scoped: 0.412507,
            // (11 × 1,000 + 10 × 60,000) / 21
            avg_input_tokens: 29_095,
            // 9 × 0.1 + 0.1 / 2 + 10 × 0.000003 / 2
            cost_attributed_usd: 0.950015,
            share_attributed: 0.356252,
          },
          {
            tool: "Edit",
            generation_count: 1,
            cost_usd: 0.1,
            share_of_scoped: 0.0375,
            avg_input_tokens: 1_000,
            cost_attributed_usd: 0.05,
            share_attributed: 0.01875,
          },
          {
            tool: "Read",
            generation_count: 10,
            cost_usd: 0.00003,
            share_of_scoped: 0.000011,
            avg_input_tokens: 60_000,
            cost_attributed_usd: 0.000015,
            share_attributed: 0.000006,
          },
        ],
        truncated: false,
      },
      by_model: {
        items: [
          { model: null, generation_count: 5, cost_usd: 1.666665, input_tokens: 1_750_000, output_tokens: 0 },
          { model: "opus", generation_count: 10, cost_usd: 1, input_tokens: 10_000, output_tokens: 1_000 },
          { model: "haiku", generation_count: 10, cost_usd: 0.00003, input_tokens: 600_000, output_tokens: 100 },
        ],
        truncated: false,
      },
      by_day: {
        items: [
          { day: "2026-11-10", event_count: 10, cost_usd: 1 },
          { day: "2026-11-11", event_count: 15, cost_usd: 1.666695 },
        ],
        truncated: false,
      },
      by_bucket: {
        items: [
          {
            bucket_start: "2026-11-10T09:00:00Z",
            event_count: 10,
            cost_usd: 1,
            // 10 × (0.05 − 0.01 − 0.02)
            input_cost_usd: 0.2,
            output_cost_usd: 0.5,
            cache_read_cost_usd: 0.1,
            cache_creation_cost_usd: 0.2,
            input_tokens: 10_000,
            output_tokens: 1_000,
            cache_read_input_tokens: 7_000,
            cache_creation_input_tokens: 2_000,
          },
          { ...unsplit("2026-11-11T00:00:00Z", 3, 0.000009, 180_000, 30) },
          { ...unsplit("2026-11-11T00:30:00Z", 3, 0.000009, 180_000, 30) },
          { ...unsplit("2026-11-11T01:00:00Z", 3, 0.000009, 180_000, 30) },
          { ...unsplit("2026-11-11T01:30:00Z", 1, 0.000003, 60_000, 10) },
          { ...unsplit("2026-11-11T23:30:00Z", 5, 1.666665, 1_750_000, 0) },
        ],
        bucket_minutes: 30,
        truncated: false,
      },
      top_traces: {
        items: [
          { trace_id: "t-late", generation_count: 5, cost_usd: 1.666665, started_at: "2026-11-11T23:59:59Z" },
          { trace_id: "t-a", generation_count: 10, cost_usd: 1, started_at: "2026-11-10T09:00:00Z" },
        ],
        truncated: false,
      },
      by_input_size: {
        items: [
          size("<50k", 0, 10, 1, 0.374996, 0.1),
          size("50k-100k", 50_000, 10, 0.00003, 0.000011, 0.000003),
          size(">300k", 300_000, 5, 1.666665, 0.624993, 0.333333),
        ],
        truncated: false,
      },
    });
  });

  it("shows the highest costs and says where there is more", async () => {
    const first = (cost: number) => ({ items: { 0: { cost_usd: cost }, length: 1 }, truncated: true });
    expect(await spendOf(api, `${WINDOW}&limit=1`)).toMatchObject({
      by_product: first(10),
      by_tool: first(1.666665),
      by_model: first(1.666665),
      top_traces: first(1.666665),
      by_day: { items: { length: 2 }, truncated: false },
    });
  });

  it("is found also where a client encodes the path's @", async () => {
    const { status } = await api.get("/api/llm_analytics/%40me/spend/?product=service_code&date_from=2025-01-01&date_to=2025-01-02");
    expect(status).toBe(200);
  });

  it("leaves out the series that nobody asked for, and is empty where there was no spend", async () => {
    const spend = await spendOf(api, "product=service_code&date_from=2025-01-01&date_to=2025-01-02");
    expect(spend).not.toHaveProperty("by_bucket");
    expect(spend).toMatchObject({ summary: { total_cost_usd: 0, event_count: 0, scoped_event_count: 0 }, by_tool: { items: [] } });
  });
});

const unsplit = (bucket_start: string, event_count: number, cost_usd: number, input_tokens: number, output_tokens: number) => ({
  bucket_start,
  event_count,
  cost_usd,
  input_cost_usd: 0,
  output_cost_usd: 0,
  cache_read_cost_usd: 0,
  cache_creation_cost_usd: 0,
  input_tokens,
  output_tokens,
  cache_read_input_tokens: 0,
  cache_creation_input_tokens: 0,
});

const size = (bucket: string, least: number, count: number, cost_usd: number, share_of_scoped: number, each: number) => ({
  bucket,
  min_input_tokens: least,
  generation_count: count,
  cost_usd,
  share_of_scoped,
  avg_cost_per_generation: each,
});
