import { describe, expect, it } from "vitest";
import { serve } from "../../../functions/capture/serve.ts";
import { aBatch, anEvent, aRequest, seen } from "../../support/samples/capture-requests.ts";
import { captureWorld, NOW, ORGANIZATION, PROJECT, TOKEN } from "../../support/worlds/capture-world.ts";

describe("401", () => {
  it.each([
    ["a list without a token", [anEvent()], "event submitted without an api_key"],
    ["a single event without a token", anEvent(), "event submitted without an api_key"],
    ["two tokens", [anEvent({ token: "a" }), anEvent({ token: "b" })], "batch submitted with inconsistent api_key values"],
    ["an empty token", aBatch([anEvent()], { api_key: "" }), "API key is not valid: empty"],
    ["only white space", aBatch([anEvent()], { api_key: " \t\r\n" }), "API key is not valid: empty"],
    ["65 bytes", aBatch([anEvent()], { api_key: "x".repeat(65) }), "API key is not valid: too_long"],
    ["a letter outside ASCII", aBatch([anEvent()], { api_key: "phc_ä" }), "API key is not valid: not_ascii"],
    ["a personal key", aBatch([anEvent()], { api_key: "phx_secret" }), "API key is not valid: personal_api_key"],
    ["a NUL", aBatch([anEvent()], { api_key: "phc_\0" }), "API key is not valid: null_byte"],
    ["a project that does not exist", aBatch([anEvent()], { api_key: "phc_other" }), /project API key/],
  ])("%s", async (_name, body, text) => {
    const platform = captureWorld();
    const reply = seen(await serve(aRequest(body), platform.world));
    expect(reply.status).toBe(401);
    expect(reply.body).toMatch(text);
    expect(platform.queued).toEqual([]);
  });

  it("a project that was removed", async () => {
    const platform = captureWorld();
    platform.addProject("phc_gone", 9, "removed");
    expect((await serve(aRequest(aBatch([anEvent()], { api_key: "phc_gone" })), platform.world)).status).toBe(401);
  });

  it("comes after the shape and an empty batch, and before the rules of events", async () => {
    const status = async (body: unknown): Promise<number> => (await serve(aRequest(body), captureWorld().world)).status;
    expect(await status(aBatch([anEvent({ properties: 5 })], { api_key: "" }))).toBe(400);
    expect(await status(aBatch([], { api_key: "" }))).toBe(400);
    expect(await status(aBatch([anEvent({ event: "" })], { api_key: "" }))).toBe(401);
    expect(await status(aBatch([anEvent({ event: "" })], { api_key: "phc_other" }))).toBe(401);
  });

  it("a missing project is looked up again after five seconds, a found one after four", async () => {
    const platform = captureWorld();
    const send = (api_key: string) => serve(aRequest(aBatch([anEvent()], { api_key })), platform.world);
    expect((await send("phc_new")).status).toBe(401);
    platform.addProject("phc_new", 8);
    expect((await send("phc_new")).status).toBe(401);
    platform.setNow(NOW + 5_000);
    expect((await send("phc_new")).status).toBe(200);
    const reads = platform.reads();
    platform.setNow(NOW + 8_999);
    await send("phc_new");
    expect(platform.reads()).toBe(reads);
    platform.addProject("phc_new", 8, "removed");
    platform.setNow(NOW + 9_000);
    expect((await send("phc_new")).status).toBe(401);
  });
});

describe("200 though a check could not say yes", () => {
  it("a list whose events name one token with different white space around it", async () => {
    const platform = captureWorld();
    const events = [
      anEvent({ token: ` ${TOKEN}\r\n` }),
      anEvent({ token: TOKEN }),
      anEvent({ properties: { distinct_id: "u", token: `\t${TOKEN}` } }),
    ];
    expect((await serve(aRequest(events), platform.world)).status).toBe(200);
    expect(platform.queued).toHaveLength(1);
  });

  it("white space around the token, and an Authorization header", async () => {
    const platform = captureWorld();
    const request = aRequest(aBatch([anEvent()], { api_key: ` \t${TOKEN}\r\n` }), { headers: { authorization: "Basic rubbish" } });
    expect((await serve(request, platform.world)).status).toBe(200);
    expect(platform.queued[0]?.message).toMatchObject({ project: PROJECT, organization: ORGANIZATION });
  });

  it("in mode off, events of an unknown project are dropped", async () => {
    const platform = captureWorld({ unknownToken: "off" });
    expect((await serve(aRequest(aBatch([anEvent()], { api_key: "phc_other" })), platform.world)).status).toBe(200);
    expect(platform.queued).toEqual([]);
  });

  it("while the table does not answer, the batch travels with its token for ingest to look up", async () => {
    const platform = captureWorld();
    platform.break("table");
    expect((await serve(aRequest(aBatch()), platform.world)).status).toBe(200);
    expect(platform.queued[0]?.message).toMatchObject({ project: 0, organization: "", token: TOKEN });
  });

  it("while the table does not answer, a project that was known before still is", async () => {
    const platform = captureWorld();
    await serve(aRequest(aBatch()), platform.world);
    platform.break("table");
    platform.setNow(NOW + 3_600_000);
    expect((await serve(aRequest(aBatch()), platform.world)).status).toBe(200);
    expect(platform.queued[1]?.message.project).toBe(PROJECT);
  });
});

describe("200 for a project whose quota is used up", () => {
  const survey = anEvent({ event: "survey sent" });
  const tour = anEvent({ event: "survey shown", properties: { $product_tour_id: "t" } });
  const all = [anEvent(), anEvent({ event: "$exception" }), anEvent({ event: "$ai_generation" }), survey, tour];
  it.each([
    ["exceptions", ["order placed", "$ai_generation", "survey sent", "survey shown"]],
    ["llm_events", ["order placed", "$exception", "survey sent", "survey shown"]],
    ["survey_responses", ["order placed", "$exception", "$ai_generation", "survey shown"]],
    ["events", ["$exception", "$ai_generation", "survey sent"]],
    ["recordings", ["order placed", "$exception", "$ai_generation", "survey sent", "survey shown"]],
  ] as const)("%s leaves %j", async (resource, left) => {
    const platform = captureWorld();
    platform.limit(resource, NOW + 1000);
    expect(seen(await serve(aRequest(aBatch(all)), platform.world))).toEqual({ status: 200, body: '{"status":"Ok"}' });
    expect(platform.events().map(({ event }) => event.event)).toEqual(left);
  });

  it.each([
    ["recordings", ["order placed"]],
    ["events", []],
    ["exceptions", ["order placed", "$snapshot"]],
  ] as const)("%s leaves %j of a batch with a piece of a recording", async (resource, left) => {
    const platform = captureWorld();
    platform.limit(resource, NOW + 1000);
    const piece = anEvent({ event: "$snapshot", properties: { $session_id: "s", $snapshot_data: [] } });
    expect(seen(await serve(aRequest(aBatch([anEvent(), piece])), platform.world))).toEqual({ status: 200, body: '{"status":"Ok"}' });
    expect(platform.events().map(({ event }) => event.event)).toEqual(left);
  });

  it("keeps the positions of what stays", async () => {
    const platform = captureWorld();
    platform.limit("exceptions", NOW + 1000);
    await serve(
      aRequest(aBatch([anEvent({ event: "$exception" }), anEvent(), anEvent({ event: "$exception" }), anEvent()])),
      platform.world,
    );
    expect(platform.events().map(({ position }) => position)).toEqual([1, 3]);
  });

  it("sends nothing when everything is dropped, whatever rule a dropped event breaks", async () => {
    const platform = captureWorld();
    platform.limit("events", NOW + 1000);
    expect((await serve(aRequest(aBatch([anEvent({ distinct_id: undefined })])), platform.world)).status).toBe(200);
    expect(platform.queued).toEqual([]);
  });

  it("a limit that has ended limits nothing", async () => {
    const platform = captureWorld();
    platform.limit("events", NOW - 1);
    await serve(aRequest(aBatch()), platform.world);
    expect(platform.events()).toHaveLength(1);
  });

  it("a flagged request is never dropped, but says what is limited", async () => {
    const platform = captureWorld();
    platform.limit("events", NOW + 1000);
    await serve(aRequest(aBatch([anEvent()], { historical_migration: true })), platform.world);
    expect(platform.events()).toHaveLength(1);
    expect(platform.queued[0]).toMatchObject({ queue: "historical", message: { historical: true, limited: ["events"] } });
  });

  it("a changed limit is seen after ten seconds", async () => {
    const platform = captureWorld();
    await serve(aRequest(aBatch()), platform.world);
    platform.limit("events", NOW + 60_000);
    await serve(aRequest(aBatch()), platform.world);
    expect(platform.queued).toHaveLength(2);
    platform.setNow(NOW + 10_000);
    await serve(aRequest(aBatch()), platform.world);
    expect(platform.queued).toHaveLength(2);
  });

  it("while the quota cannot be read nothing is dropped", async () => {
    const platform = captureWorld();
    await serve(aRequest(aBatch()), platform.world);
    platform.setNow(NOW + 20_000);
    platform.break("table");
    expect((await serve(aRequest(aBatch()), platform.world)).status).toBe(200);
    expect(platform.queued).toHaveLength(2);
  });

  it("performance entries are left out, also when nothing else remains", async () => {
    const platform = captureWorld();
    await serve(aRequest(aBatch([anEvent({ event: "$performance_event" }), anEvent()])), platform.world);
    await serve(aRequest(aBatch([anEvent({ event: "$performance_event" })])), platform.world);
    expect(platform.events().map(({ position }) => position)).toEqual([1]);
  });
});
