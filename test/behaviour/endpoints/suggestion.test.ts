import { beforeAll, describe, expect, it } from "vitest";
import { endpointTrials } from "../../../functions/endpoint-trials/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { openModel } from "../../../lib/aws/aws.ts";
import { Organizations } from "../../../lib/organizations/organizations.ts";
import { update } from "../../../lib/table/store.ts";
import { anEngine } from "../../support/engine.ts";
import { aConverse } from "../../support/fakes/converse.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { ask } from "../../support/worlds/api-world.ts";
import { endpointWorld } from "../../support/worlds/endpoint-world.ts";

const MODEL = "maker.model-v1:0";
const objects = memoryObjects();
const engine = anEngine(objects);
const bedrock = aConverse();
let one: Awaited<ReturnType<typeof endpointWorld>>;

beforeAll(async () => {
  one = await endpointWorld(objects, engine());
  await update(one.world.table, Organizations, { id: one.organization.id }, { set: { is_ai_data_processing_approved: true } });
  const at = one.time.now - 60_000;
  await one.send([
    { event: "seen", distinct_id: "zenobia", at },
    { event: "seen", distinct_id: "bob", at },
    { event: "left", distinct_id: "zenobia", at },
  ]);
  const saved = await one.call("POST", "", { name: "in-select", query: sqlQuery(IN_SELECT, { e: "seen" }) });
  expect(saved.status).toBe(201);
});

/** No known rewrite has an answer to a variable among the columns. */
const IN_SELECT = "SELECT countIf(event = {variables.e}) AS n FROM events";
const RIGHT = "SELECT count() AS n FROM events WHERE event = {variables.e}";

const proposal = (query: string | null, explanation = "It counts what it counted.") => ({ text: JSON.stringify({ query, explanation }) });

const suggested = (suggestionTimeMs = 10_000) => {
  const model = openModel({ MODEL_ID: MODEL, MODEL_URL: bedrock.state.url });
  const world: World = { ...one.world, model, config: { ...one.world.config, suggestionTimeMs } };
  return ask(endpointTrials, world, "POST", "/api/projects/1/endpoints/in-select/materialization_suggestion/", { key: one.key, body: {} });
};

describe("POST /endpoints/{name}/materialization_suggestion/ with a model", () => {
  it("200 with a form that passes the checks and gives the same rows, and nothing is saved", async () => {
    bedrock.says({ text: `Here it is:\n\`\`\`json\n${proposal(RIGHT).text}\n\`\`\`` });
    expect(await suggested()).toMatchObject({
      status: 200,
      json: {
        suggestion_status: "ok",
        suggested_query: RIGHT,
        explanation: "It counts what it counted.",
        attempts: 1,
        error: null,
        original_reason: expect.stringContaining("not used in WHERE"),
      },
    });
    expect((await one.call("GET", "in-select/")).json).toMatchObject({ current_version: 1, query: { query: IN_SELECT } });
  });

  it("asks the configured model in the service's own form, with the rules and the query, and with no event", async () => {
    bedrock.says(proposal(RIGHT));
    await suggested();
    const [conversation] = bedrock.heard;
    expect(conversation).toMatchObject({
      path: `/model/${encodeURIComponent(MODEL)}/converse`,
      authorization: expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/bedrock\/aws4_request/),
      body: { messages: [{ role: "user", content: [{ text: expect.stringContaining(IN_SELECT) }] }], inferenceConfig: { temperature: 0 } },
    });
    expect(conversation?.body.system[0]?.text).toContain("can_materialize_query");
    expect(JSON.stringify(conversation)).not.toContain("zenobia");
  });

  it("200 after another round, which is told that the rows of the first differ", async () => {
    const wrong = RIGHT.replace("event =", "distinct_id =");
    bedrock.says(proposal(wrong), proposal(RIGHT));
    expect(await suggested()).toMatchObject({ status: 200, json: { suggestion_status: "ok", attempts: 2 } });
    expect(bedrock.heard[1]?.body.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(bedrock.heard[1]?.body.messages[2]?.content[0]?.text).toContain("rows");
  });

  it.each([
    ["is refused by the checks", "SELECT count() AS n FROM events WHERE event != {variables.e}", "Unsupported operator"],
    [
      "has another variable",
      "SELECT count() AS n FROM events WHERE event = {variables.other}",
      "placeholders must be exactly {variables.e}",
    ],
    ["has another column", "SELECT count() AS m FROM events WHERE event = {variables.e}", "columns must be n integer"],
    ["gives other rows", "SELECT count() + 1 AS n FROM events WHERE event = {variables.e}", "rows"],
    ["does not parse", "SELECT count( FROM", "does not run"],
  ])("200 invalid after three rounds with a text that %s, and the last one with what is wrong with it", async (_, query, error) => {
    bedrock.says(proposal(query));
    expect(await suggested()).toMatchObject({
      status: 200,
      json: { suggestion_status: "invalid", suggested_query: query, attempts: 3, error: expect.stringContaining(error) },
    });
  });

  it("200 cannot_fix where the model says that there is no such form", async () => {
    bedrock.says(proposal(null, "There is none."));
    expect(await suggested()).toMatchObject({
      status: 200,
      json: { suggestion_status: "cannot_fix", suggested_query: null, explanation: "There is none.", attempts: 1, error: null },
    });
  });

  it.each([
    ["prose", { text: "I would rather talk about the weather." }],
    ["other JSON", { text: '{"sql": "SELECT 1"}' }],
    ["half an answer", { text: proposal(RIGHT).text, stopReason: "max_tokens" }],
    ["nothing it may say", { text: "", stopReason: "content_filtered" }],
  ])("200 model_error after three rounds of %s", async (_, said) => {
    bedrock.says(said);
    expect(await suggested()).toMatchObject({
      status: 200,
      json: { suggestion_status: "model_error", suggested_query: null, attempts: 3, error: expect.any(String) },
    });
  });

  it.each([
    ["takes too long", { silence: true } as const, 300],
    ["has too much to do", { status: 429, error: "ThrottlingException" }, 10_000],
    ["is not there", { status: 503, error: "ServiceUnavailableException" }, 10_000],
  ])("503 where the model %s", async (_, said, timeMs) => {
    bedrock.says(said);
    expect(await suggested(timeMs)).toMatchObject({ status: 503, json: { error: expect.stringContaining("does not answer") } });
  });

  it("502 where the service refuses the question", async () => {
    bedrock.says({ status: 403, error: "AccessDeniedException" });
    expect(await suggested()).toMatchObject({ status: 502, json: { error: expect.stringContaining("refused") } });
  });

  it("429 for the eleventh question of a person in a minute, with whichever key", async () => {
    bedrock.says(proposal(null));
    const config = { ...one.world.config, throttleScale: 1 };
    const world: World = { ...one.world, config, model: openModel({ MODEL_ID: MODEL, MODEL_URL: bedrock.state.url }) };
    one.time.now += 120_000;
    const path = "/api/projects/1/endpoints/in-select/materialization_suggestion/";
    const statuses = [];
    for (let round = 0; round < 11; round += 1)
      statuses.push((await ask(endpointTrials, world, "POST", path, { key: round % 2 === 0 ? one.key : one.otherKey, body: {} })).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  });
});
