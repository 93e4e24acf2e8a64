import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { AccessGrants } from "../../../lib/organizations/access-grants.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { put } from "../../../lib/table/store.ts";
import { aWebhookReceiver } from "../../support/fakes/webhook-receiver.ts";
import { alertWorld } from "../../support/worlds/alert-world.ts";
import { aHousehold, aMembership, aPersonalKey, aUser } from "../../support/worlds/api-world.ts";

const receiver = aWebhookReceiver();
beforeEach(() => {
  receiver.heard.length = 0;
  receiver.behaviours.length = 0;
});

const WEBHOOK = { type: "webhook", url: "https://hooks.acme.test/errors" };
const EMAIL = { type: "email", user_id: 1 };
const BODY = { name: "On call", trigger: "issue_created", channels: [WEBHOOK] };
const UNKNOWN = "01957a50-0c0e-7b52-8a3e-2f6f8a6f1a11/";
const where = (type: string) => ({ type: "AND", values: [{ type, key: "name", operator: "exact", value: "A" }] });

describe("POST alert_rules/", () => {
  it("201: returns the rule with its secret, which nothing shows later", async () => {
    const { call } = await alertWorld();
    const filters = where("event");
    const made = await call("POST", "", { ...BODY, channels: [WEBHOOK, EMAIL], filters, secret: "mine" });
    expect(made).toMatchObject({ status: 201 });
    const { secret, ...shown } = Object(made.json);
    expect(secret).toMatch(/^whsec_\w{43}$/);
    expect(shown).toEqual({
      id: expect.any(String),
      name: "On call",
      trigger: "issue_created",
      threshold: null,
      filters,
      channels: [WEBHOOK, EMAIL],
      cooldown_minutes: 30,
      enabled: true,
      last_triggered_at: null,
      last_error: null,
      created_at: "2026-11-20T12:00:00Z",
      updated_at: "2026-11-20T12:00:00Z",
    });
    expect((await call("GET", `${shown.id.toUpperCase()}/`)).json).toEqual(shown);
    expect((await call("GET")).json).toEqual({ results: [shown] });
  });

  it.each([
    [{ name: "" }, "name"],
    [{ name: "x".repeat(201) }, "name"],
    [{ trigger: "always" }, "trigger"],
    [{ trigger: "threshold" }, "threshold"],
    [{ threshold: { count: 5, minutes: 10 } }, "threshold"],
    [{ trigger: "threshold", threshold: { count: 0, minutes: 10 } }, "threshold__count"],
    [{ trigger: "threshold", threshold: { count: 5, minutes: 4 } }, "threshold__minutes"],
    [{ trigger: "threshold", threshold: { count: 5, minutes: 61 } }, "threshold__minutes"],
    [{ filters: [] }, "filters"],
    [{ filters: { type: "AND" } }, "filters"],
    [{ trigger: "issue_spiking", filters: where("event") }, "filters"],
    [{ channels: [] }, "channels"],
    [{ channels: Array.from({ length: 6 }, (_, at) => ({ ...WEBHOOK, url: `${WEBHOOK.url}/${at}` })) }, "channels"],
    [{ channels: [WEBHOOK, WEBHOOK] }, "channels"],
    [{ channels: [{ type: "slack", url: "https://hooks.slack.com/services/T/B/x" }] }, "channels"],
    [{ channels: [{ type: "webhook", url: "http://hooks.acme.test/errors" }] }, "channels"],
    [{ channels: [{ type: "email", user_id: 99 }] }, "channels"],
    [{ cooldown_minutes: 0 }, "cooldown_minutes"],
    [{ cooldown_minutes: 10_081 }, "cooldown_minutes"],
  ])("400: %j", async (body, attr) => {
    const { call } = await alertWorld();
    expect(await call("POST", "", { ...BODY, ...body })).toMatchObject({ status: 400, json: { type: "validation_error", attr } });
  });

  it("400: a letter where the platform sends none, and to a member who may not see the project", async () => {
    const silent = await alertWorld({ mailFrom: "" });
    const detail = expect.stringContaining("mailFrom");
    expect(await silent.call("POST", "", { ...BODY, channels: [EMAIL] })).toMatchObject({
      status: 400,
      json: { attr: "channels", detail },
    });
    const { call, world, organization } = await alertWorld();
    await aMembership(world, await aUser(world, 7), organization);
    await aMembership(world, await aUser(world, 8), organization);
    await put(world.table, AccessGrants, { project_id: 1, user_id: 8, organization_id: organization.id, visible: false, export: null });
    expect((await call("POST", "", { ...BODY, channels: [{ type: "email", user_id: 7 }] })).status).toBe(201);
    expect((await call("POST", "", { ...BODY, channels: [{ type: "email", user_id: 8 }] })).status).toBe(400);
  });

  it("400: a project has at most 50, and deleting one makes room", async () => {
    const { call, time } = await alertWorld();
    const answers = await Promise.all(Array.from({ length: 52 }, () => call("POST", "", BODY)));
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(50);
    time.now += 60_000;
    expect((await call("DELETE", `${Object(made[0]?.json).id}/`)).status).toBe(204);
    expect((await call("POST", "", BODY)).status).toBe(201);
  });
});

describe("PATCH alert_rules/{id}/", () => {
  it("200: changes what is sent, and what fits together alone", async () => {
    const { call, rule } = await alertWorld();
    const { id } = await rule({ filters: where("event") });
    const patch = (body: object) => call("PATCH", `${id}/`, body);
    expect(await patch({ name: "Nights", filters: null, enabled: false })).toMatchObject({
      status: 200,
      json: { id, name: "Nights", filters: null, enabled: false, trigger: "issue_created", cooldown_minutes: 30 },
    });
    expect(await patch({ trigger: "threshold" })).toMatchObject({ status: 400, json: { attr: "threshold", code: "required" } });
    const threshold = { count: 5, minutes: 10 };
    expect(await patch({ trigger: "threshold", threshold })).toMatchObject({ status: 200, json: { threshold } });
    expect(await patch({ filters: where("event") })).toMatchObject({ status: 400, json: { attr: "filters" } });
    expect(await patch({ filters: where("error_tracking_issue") })).toMatchObject({ status: 200 });
    expect(await patch({ channels: [{ type: "email", user_id: 99 }] })).toMatchObject({ status: 400, json: { attr: "channels" } });
    expect((await call("GET", `${id}/`)).json).toMatchObject({ name: "Nights", trigger: "threshold", threshold });
  });
});

describe("POST alert_rules/{id}/test/", () => {
  it("200: sends a made-up alert to all channels at once, and tells what went wrong", async () => {
    const { call, rule, letters } = await alertWorld();
    const { url } = receiver.state;
    const { id, secret } = await rule({ enabled: false, channels: [{ type: "webhook", url }, { type: "slack", url }, EMAIL] });
    expect(await call("POST", `${id}/test/`)).toMatchObject({ status: 200, json: { success: true } });
    expect(letters).toMatchObject([{ to: ["user1@example.com"], subject: "Test: Project 1: New issue: TestError" }]);
    const event = receiver.heard.find(({ signature }) => signature !== "undefined");
    const [, time, sent] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(event?.signature ?? "") ?? [];
    expect(sent).toBe(createHmac("sha256", secret).update(`${time}.${event?.body}`).digest("hex"));
    expect(JSON.parse(event?.body ?? "")).toMatchObject({ id: "evt_test", type: "error_tracking.test", data: { rule: { id } } });
    expect(receiver.heard).toHaveLength(2);
    receiver.behaviours.push(500, "redirect");
    const failed = Object((await call("POST", `${id}/test/`)).json);
    expect(failed).toMatchObject({ success: false });
    expect(failed.error).toContain("It answered 500.");
    expect(failed.error).toContain("redirects are not followed");
    expect((await call("GET", `${id}/`)).json).toMatchObject({
      last_error: expect.stringContaining("It answered"),
      last_triggered_at: null,
    });
    expect((await call("POST", `${id}/test/`)).json).toEqual({ success: true });
    expect((await call("GET", `${id}/`)).json).toMatchObject({ last_error: null });
  });

  it("400: a channel that nothing may be sent to any more", async () => {
    const { call, rule, world, key } = await alertWorld();
    const { id } = await rule({ channels: [WEBHOOK] });
    Object.assign(world, { config: readConfig(() => undefined) });
    expect(await call("POST", `${id}/test/`, undefined, key)).toMatchObject({ status: 400, json: { attr: "channels" } });
    expect(receiver.heard).toEqual([]);
  });
});

describe("alert_rules/{id}/", () => {
  const CALLS = [
    ["GET", ""],
    ["PATCH", ""],
    ["DELETE", ""],
    ["POST", "test/"],
  ] as const;

  it.each(CALLS)("404: %s of an unknown rule, and of another project's: %s", async (method, suffix) => {
    const { call, rule, world } = await alertWorld();
    const { id } = await rule();
    const body = method === "PATCH" ? {} : undefined;
    expect((await call(method, UNKNOWN + suffix, body)).status).toBe(404);
    const stranger = await aHousehold(world, 2);
    expect([403, 404]).toContain((await call(method, `${id}/${suffix}`, body, stranger.key)).status);
    const reader = await aPersonalKey(world, await aUser(world, 1), ["error_tracking:read"]);
    expect((await call(method, `${id}/${suffix}`, body, reader)).status).toBe(method === "GET" ? 200 : 403);
  });
});
