import { expect, it } from "vitest";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { apiClient } from "../../support/api-client.ts";
import { aPlatform, eventually, tenantDocument } from "../../support/processes/platform.ts";

const platform = aPlatform();

/** The most that one generation counts: ten thousand of these are more nano-dollars, and tokens of a JSON integer, than 64 and 53 bits hold. */
const MOST = {
  ...{ ai_product: "service_code", $ai_model: "m", $ai_tools_called: "Bash", $ai_total_cost_usd: 1_000_000, $ai_input_cost_usd: 1_000_000 },
  ...{ $ai_input_tokens: 1e12, $ai_output_tokens: -1e12, $ai_cache_read_input_tokens: 1e12 },
};
const BATCHES = 10;
const EVENTS = 1_000;

const TOOLS = 20_000;

/** Somebody whose project was sent generations at a time, with a way to ask for the spend of that day. */
const spender = async (name: string, batches: readonly (readonly object[])[]) => {
  const { world, ingestUrl, baseUrl } = platform();
  const [tenant] = (await applyDocument(world, tenantDocument(name))).organizations;
  const api = apiClient(baseUrl, tenant?.members[0]?.personal_api_keys[0]?.value ?? "");
  for (const properties of batches) {
    const batch = properties.map((each) => ({
      event: "$ai_generation",
      distinct_id: "me",
      timestamp: "2026-11-10T09:00:00Z",
      properties: each,
    }));
    const body = JSON.stringify({ api_key: tenant?.projects[0]?.token, batch });
    expect((await fetch(`${ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  }
  const path = "/api/llm_analytics/@me/spend/?product=service_code&date_from=2026-11-10&date_to=2026-11-11&bucket_minutes=60";
  return (more = "") => api.get(path + more);
};

it("is told of whoever has sums beyond every integer, because any sender can make them", async () => {
  const batch = Array.from({ length: EVENTS }, () => ({ ...MOST, $set: { email: "absurd@example.test" } }));
  const spend = await spender("absurd", new Array<typeof batch>(BATCHES).fill(batch));
  const told = [
    {
      summary: { scoped_event_count: BATCHES * EVENTS, scoped_cost_usd: 1e10 },
      by_tool: { items: [{ cost_usd: 1e10, avg_input_tokens: 1e12, cost_attributed_usd: 1e10, share_attributed: 1 }] },
      by_model: { items: [{ input_tokens: Number.MAX_SAFE_INTEGER, output_tokens: Number.MIN_SAFE_INTEGER }] },
      by_bucket: { items: [{ input_cost_usd: 1e10, cache_read_input_tokens: Number.MAX_SAFE_INTEGER }] },
    },
  ];
  const ask = async (more?: string) => expect(await spend(more)).toMatchObject({ status: 200, body: told });
  await eventually(() => ask("&refresh=true"), { everyMs: 7_000 });
  // The kept answer is read by the same rules.
  await ask();
});

it("is told in time of a generation with thousands of tools", async () => {
  const $ai_tools_called = Array.from({ length: TOOLS }, (_, at) => `t${at % (TOOLS / 2)}`).join(",");
  const generation = { ai_product: "service_code", $ai_total_cost_usd: 50, $ai_tools_called, $set: { email: "many@example.test" } };
  const spend = await spender("many", [[generation]]);
  const items = expect.arrayContaining([
    expect.objectContaining({ tool: "t0", generation_count: 2, cost_usd: 100, cost_attributed_usd: 0.005 }),
  ]);
  await eventually(async () => expect(await spend("&refresh=true")).toMatchObject({ status: 200, body: [{ by_tool: { items } }] }), {
    everyMs: 7_000,
  });
});

const NAME = 400;

it("is told with the beginnings of names that are too long to be sent", async () => {
  const long = "n".repeat(20_000);
  const generations = Array.from({ length: 100 }, (_, at) => ({
    ...{ ai_product: "service_code", $ai_total_cost_usd: 1, $set: { email: "long@example.test" } },
    ...{ $ai_model: `${at}${long}`, $ai_trace_id: `${at}${long}`, $ai_tools_called: `${at}${long},${long}` },
  }));
  const spend = await spender("long", [generations]);
  await eventually(
    async () => {
      const { status, body } = await spend("&refresh=true&limit=200");
      expect({ status, body }).toMatchObject({ status: 200, body: [{ by_model: { items: { length: 100 } } }] });
      const [{ by_tool, by_model, top_traces }] = body as readonly [Readonly<Record<string, { readonly items: readonly object[] }>>];
      const names = [by_tool, by_model, top_traces].flatMap((each) => each?.items.map((item) => String(Object.values(item)[0])) ?? []);
      expect([names.length, new Set(names.map(({ length }) => length))]).toEqual([301, new Set([NAME])]);
    },
    { everyMs: 7_000 },
  );
});
