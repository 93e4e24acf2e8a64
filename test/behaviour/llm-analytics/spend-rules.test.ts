import { describe, expect, it } from "vitest";
import { ingest } from "../../../functions/ingest/ingest.ts";
import { llmAnalytics } from "../../../functions/llm-analytics/routes.ts";
import { openSegments } from "../../../lib/aws/parts/segments.ts";
import type { Engine } from "../../../lib/engine/engine.ts";
import { Domains } from "../../../lib/organizations/domains.ts";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { put, update } from "../../../lib/table/store.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { deliveryOf } from "../../support/samples/capture-messages.ts";
import { aHousehold, aPersonalKey, aProject, apiWorld, aSecretKey, ask, aUser } from "../../support/worlds/api-world.ts";

const objects = memoryObjects();
const engine = anEngine(objects);

/** A person's calls, with how often the engine was asked. The clock stands at 2026-11-20T12:00:00Z. */
const aCaller = async (settings: Readonly<Record<string, string>> = { throttleScale: "1000" }, own = memoryObjects()) => {
  const runs = { count: 0 };
  const counted: Engine = {
    ...engine(),
    run(...query) {
      runs.count += 1;
      return engine().run(...query);
    },
  };
  const config = readConfig((field) => settings[field]);
  const { world, time } = apiWorld({ objects: own, engine: counted, config, segments: openSegments });
  const home = await aHousehold(world, 1, ["user:read"]);
  const spend = (query: string, key = home.key) => ask(llmAnalytics, world, "GET", `/api/llm_analytics/@me/spend/${query}`, { key });
  const send = async (project: number, event: string, ...properties: readonly object[]): Promise<void> => {
    const facts = { organization: home.organization.id, project, received: `${time.now}000` };
    const events = (properties.length > 0 ? properties : [{}]).map((each) => ({ event, distinct_id: "me", properties: each }));
    await ingest([deliveryOf(events, facts)], world, { remainingMs: () => 60_000 }, "live");
  };
  return { world, time, runs, spend, send, ...home };
};

describe("the parameters of the spend analysis", () => {
  it.each([
    ["", "required", "product"],
    ["?product=", "blank", "product"],
    [`?product=${"x".repeat(65)}`, "max_length", "product"],
    ["?product=other", "invalid_input", "product"],
    ["?product=service_code&date_from=", "blank", "date_from"],
    ["?product=service_code&date_from=yesterday", "invalid_input", "date_from"],
    ["?product=service_code&date_from=12abc", "invalid_input", "date_from"],
    [`?product=service_code&date_from=${"1".repeat(33)}`, "max_length", "date_from"],
    ["?product=service_code&date_to=soon", "invalid_input", "date_to"],
    ["?product=service_code&date_from=-1d&date_to=-1d", "invalid_input", "date_to"],
    ["?product=service_code&date_from=-1d&date_to=-2d", "invalid_input", "date_to"],
    ["?product=service_code&date_from=-91d", "invalid_input", "date_from"],
    ["?product=service_code&date_from=-2160h&date_to=2026-11-20T12:00:00.001", "invalid_input", "date_from"],
    ["?product=service_code&limit=0", "min_value", "limit"],
    ["?product=service_code&limit=201", "max_value", "limit"],
    ["?product=service_code&limit=x", "invalid_input", "limit"],
    ["?product=service_code&bucket_minutes=10", "invalid_choice", "bucket_minutes"],
    ["?product=service_code&bucket_minutes=null", "invalid_choice", "bucket_minutes"],
    ["?product=service_code&refresh=maybe", "invalid_input", "refresh"],
  ])("refuse %s", async (query, code, attr) => {
    const { spend } = await aCaller();
    expect(await spend(query)).toMatchObject({ status: 400, json: { type: "validation_error", code, attr } });
  });

  it("mean the year that they say, also where it has leading zeros", async () => {
    const { spend } = await aCaller();
    const summary = { date_from: "0001-01-01T00:00:00Z", date_to: "0001-02-01T00:00:00Z", event_count: 0 };
    const asked = (first: string) => spend(`?product=service_code&date_from=${first}&date_to=0001-02-01`);
    expect(await asked("0001-01-01")).toMatchObject({ status: 200, json: [{ summary }] });
    expect(await asked("0000-12-31")).toMatchObject({ status: 400, json: { code: "invalid_input", attr: "date_from" } });
  });

  it("admit ninety days, and six hundred buckets, those at the edges counted", async () => {
    const { spend, time } = await aCaller();
    const status = async (query: string) => (await spend(`?product=service_code&${query}`)).status;
    expect(await status("date_from=-90d")).toBe(200);
    expect(await status("date_from=-50h&bucket_minutes=5")).toBe(200);
    time.now += 1;
    expect(await status("date_from=-50h&bucket_minutes=5")).toBe(400);
    expect(await status("date_from=2026-11-18&date_to=2026-11-20T02:00:00&bucket_minutes=5")).toBe(200);
    expect(await status("date_from=2026-11-18&date_to=2026-11-20T02:00:01&bucket_minutes=5")).toBe(400);
  });
});

describe("who may ask for it", () => {
  it("is a person with the scope and an address, whatever the key is restricted to", async () => {
    const { spend, world, user, project } = await aCaller();
    const placed = await aPersonalKey(world, user, ["user:write"], { teams: [1] });
    expect((await spend("?product=service_code", placed)).status).toBe(200);
    expect((await spend("?product=service_code", await aPersonalKey(world, user, ["billing:read"]))).status).toBe(403);
    expect((await spend("?product=service_code", await aSecretKey(world, project, ["account:read"]))).status).toBe(403);
    expect((await spend("", "phx_nobody")).status).toBe(401);
    const nameless = await aUser(world, 7, { email: "" });
    expect((await spend("?product=service_code", await aPersonalKey(world, nameless, ["*"]))).status).toBe(403);
  });

  it("is told 404 where nothing holds generations, and 403 where the organization keeps the address out", async () => {
    const { spend, world, organization } = await aCaller();
    const alone = await aUser(world, 7);
    expect(await spend("?product=service_code", await aPersonalKey(world, alone, ["*"]))).toMatchObject({ status: 404 });
    const nowhere = await aCaller({ llmAnalyticsProjectId: "77" });
    expect(await nowhere.spend("?product=service_code")).toMatchObject({ status: 404, json: { code: "not_found" } });
    await put(
      world.table,
      Domains,
      Domains.schema.parse({
        id: world.ids.uuid(),
        organization_id: organization.id,
        domain: "acme.test",
        verified_at: organization.created_at,
        verification_challenge: "x",
      }),
    );
    await update(world.table, Organizations, { id: organization.id }, { set: { enforce_verified_domains: true } });
    expect(await spend("?product=service_code")).toMatchObject({ status: 403, json: { code: "verified_domain_required" } });
  });
});

it("gives means of tokens as whole numbers, a half to the even neighbour", async () => {
  const { spend, send, user, time } = await aCaller(undefined, objects);
  const own = { ai_product: "service_code", $set: { email: user.email } };
  const sent = (tool: string, tokens: number) => ({ ...own, $ai_tools_called: tool, $ai_input_tokens: tokens });
  const pairs = { a: [1, 4], b: [3, 4], c: [-1, -4], d: [1, 2] } as const;
  await send(1, "$ai_generation", ...Object.entries(pairs).flatMap(([tool, [one, other]]) => [sent(tool, one), sent(tool, other)]));
  time.now += 1_000;
  const means = [2, 4, -2, 2].map((avg_input_tokens) => ({ avg_input_tokens }));
  expect(await spend("?product=service_code")).toMatchObject({ json: [{ by_tool: { items: means } }] });
});

describe("the shape of the answer", () => {
  it.each([
    ["a list of one", {}, [expect.objectContaining({ summary: expect.anything() })]],
    ["the one itself where the deployment says so", { personalSpendShape: "object" }, { summary: expect.anything() }],
  ])("is %s", async (_, settings: Readonly<Record<string, string>>, json) => {
    const { spend } = await aCaller(settings);
    expect(await spend("?product=service_code")).toMatchObject({ status: 200, json });
  });
});

describe("what it costs", () => {
  it("is one query for each project with generations, and none for five minutes after, unless a fresh answer is asked for", async () => {
    const { spend, world, organization, runs, time, send } = await aCaller(undefined, objects);
    for (const id of [2, 3, 4]) await aProject(world, organization, id);
    for (const [project, event] of [
      [1, "$ai_generation"],
      [2, "$ai_embedding"],
      [3, "$pageview"],
    ] as const)
      await send(project, event);
    await spend("?product=service_code&bucket_minutes=60&date_from=-7d");
    expect(runs.count).toBe(2);
    time.now += 299_999;
    await spend("?product=service_code&bucket_minutes=60&date_from=-7d");
    expect(runs.count).toBe(2);
    await spend("?product=service_code&bucket_minutes=60&date_from=-8d");
    expect(runs.count).toBe(4);
    await spend("?product=service_code&bucket_minutes=60&date_from=-7d&refresh=true");
    expect(runs.count).toBe(6);
    time.now += 299_999;
    await spend("?product=service_code&bucket_minutes=60&date_from=-7d");
    expect(runs.count).toBe(6);
    time.now += 1;
    await spend("?product=service_code&bucket_minutes=60&date_from=-7d");
    expect(runs.count).toBe(8);
  });

  it("is bounded: ten calls a minute of one key, also of those that are wrong", async () => {
    const { spend, time } = await aCaller({});
    for (let call = 0; call < 10; call += 1) expect((await spend("")).status).toBe(400);
    expect(await spend("?product=service_code")).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
    time.now += 60_000;
    expect((await spend("?product=service_code")).status).toBe(200);
  });
});
