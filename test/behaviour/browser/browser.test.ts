import { createRequire } from "node:module";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { applyDocument } from "../../../infra/cli/apply/apply.ts";
import { aPlatform, aTenant } from "../../support/processes/platform.ts";

const platform = aPlatform();
const ORIGIN = { origin: "https://shop.test" };

const ask = (path: string, init: RequestInit = {}) =>
  fetch(`${platform().ingestUrl}${path}`, { ...init, headers: { ...ORIGIN, ...init.headers }, redirect: "error" });

const aToken = async (): Promise<string> => (await aTenant(platform().world)).projectToken;

describe("a browser's configuration", () => {
  it("turns autocapture on and what is not offered off", async () => {
    const token = await aToken();
    const reply = await ask(`/array/${token}/config`);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await reply.json()).toMatchObject({
      token,
      hasFeatureFlags: false,
      autocapture_opt_out: false,
      elementsChainAsString: true,
      sessionRecording: false,
      heatmaps: false,
      surveys: false,
      analytics: { endpoint: "/i/v0/e/" },
    });
    expect(reply.headers.get("access-control-allow-origin")).toBe(ORIGIN.origin);
  });

  it("comes as a script, too, alone and before the SDK", async () => {
    const token = await aToken();
    const config = await ask(`/array/${token}/config.js`);
    expect(config.headers.get("content-type")).toMatch(/^application\/javascript/);
    const window: { _POSTHOG_REMOTE_CONFIG?: Record<string, { config: object; siteApps: unknown }> } = {};
    new Function("window", await config.text())(window);
    expect(window._POSTHOG_REMOTE_CONFIG?.[token]).toMatchObject({ config: { token, hasFeatureFlags: false }, siteApps: [] });
    const both = await (await ask(`/array/${token}/array.js`)).text();
    expect(both.startsWith("(function(){var c=window._POSTHOG_REMOTE_CONFIG")).toBe(true);
    expect(both.length).toBeGreaterThan(300_000);
  });

  it.each([true, false])("has the SDK capture exceptions as the project says: %s", async (isOn) => {
    const project = { key: "shop", name: "Shop", autocapture_exceptions: isOn };
    const document = { organizations: [{ key: `shop-${isOn}`, name: "Shop", projects: [project] }] };
    const { organizations } = await applyDocument(platform().world, document);
    const token = organizations?.[0]?.projects[0]?.token;
    const told = { autocaptureExceptions: isOn, errorTracking: { autocaptureExceptions: isOn } };
    expect(await (await ask(`/array/${token}/config`)).json()).toMatchObject(told);
    expect(await (await ask(`/flags/?v=2&config=true&token=${token}`)).json()).toMatchObject(told);
  });

  it("is refused for a token that no project has, in words that a page may read", async () => {
    for (const path of ["/array/phc_nobody/config", "/array/phc_nobody/config.js", "/array/phx_personal/config"]) {
      const reply = await ask(path);
      expect([reply.status, await reply.json()]).toEqual([401, expect.objectContaining({ type: "authentication_error", attr: null })]);
      expect(reply.headers.get("access-control-allow-origin")).toBe(ORIGIN.origin);
    }
  });
});

describe("flags", () => {
  it.each([
    ["/flags/?v=2", { flags: {}, errorsWhileComputingFlags: false }],
    ["/flags?v=2&config=true", { flags: {}, hasFeatureFlags: false, sessionRecording: false }],
    ["/flags/", { featureFlags: {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false }],
    ["/decide/?v=1", { featureFlags: [], autocapture_opt_out: false }],
    ["/decide/?v=2", { featureFlags: {} }],
    ["/decide?v=3", { featureFlags: {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false, sessionRecording: false }],
    ["/decide/?v=4", { flags: {}, errorsWhileComputingFlags: false, supportedCompression: ["gzip", "gzip-js"] }],
  ])("are none at %s", async (path, expected) => {
    const token = await aToken();
    const body = JSON.stringify({ token, distinct_id: "ana", groups: {} });
    const reply = await ask(path, { method: "POST", body, headers: { "content-type": "application/json" } });
    expect([reply.status, await reply.json()]).toEqual([200, expect.objectContaining(expected)]);
    expect(reply.headers.get("access-control-allow-origin")).toBe(ORIGIN.origin);
  });

  it("read who asks in every form in which SDKs write it", async () => {
    const token = await aToken();
    const json = JSON.stringify({ token, distinct_id: "ana" });
    const base64 = Buffer.from(json).toString("base64");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const asked: readonly (readonly [string, RequestInit])[] = [
      ["/flags/?v=2&compression=base64", { method: "POST", body: `data=${encodeURIComponent(base64)}`, headers: form }],
      ["/flags/?v=2&compression=gzip-js", { method: "POST", body: gzipSync(json), headers: { "content-type": "text/plain" } }],
      ["/decide/?v=4", { method: "POST", body: JSON.stringify({ api_key: token, distinct_id: "ana" }) }],
      [`/flags/?v=2&token=${token}&distinct_id=ana`, {}],
      [`/decide/?v=3&data=${encodeURIComponent(base64)}`, {}],
    ];
    for (const [path, init] of asked) expect([path, (await ask(path, init)).status]).toEqual([path, 200]);
  });

  it.each([
    ["no token", "{}", 401],
    ["a token of nobody", '{"token":"phc_nobody"}', 401],
    ["no JSON", "{", 400],
    ["something compressed that nobody reads", brotliCompressSync("{}"), 400],
    ["a megabyte that is compressed to a thousandth", gzipSync(Buffer.alloc(2 ** 21, " ")), 413],
  ])("are refused with %s", async (_, body, status) => {
    const reply = await ask("/flags/?v=2", { method: "POST", body });
    expect([reply.status, reply.headers.get("access-control-allow-origin")]).toEqual([status, ORIGIN.origin]);
    expect(await reply.json()).toMatchObject({ detail: expect.any(String), attr: null });
  });

  it.each(["/flags/definitions", "/api/feature_flag/local_evaluation", "/api/feature_flag/local_evaluation/"])(
    "have no definitions for servers' SDKs, which ask for them at %s",
    async (path) => {
      const defined = (token: string) => ask(`${path}?token=${token}&send_cohorts`, { headers: { authorization: "Bearer phx_any" } });
      const reply = await defined(await aToken());
      expect([reply.status, await reply.json()]).toEqual([200, { flags: [], group_type_mapping: {}, cohorts: {} }]);
      expect((await defined("phc_nobody")).status).toBe(401);
    },
  );

  it("have a preflight of its own", async () => {
    const preflight = await ask("/flags/?v=2", { method: "OPTIONS", headers: { "access-control-request-headers": "content-type" } });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([200, "content-type"]);
  });
});

describe("what is offered nowhere here", () => {
  it.each([
    ["/api/surveys/", { surveys: [], survey_config: null }],
    ["/api/early_access_features/", { earlyAccessFeatures: [] }],
    ["/api/web_experiments/", { experiments: [] }],
    ["/api/product_tours/", { product_tours: [] }],
  ])("is none at %s for a project, and refused for a token of nobody", async (path, none) => {
    const reply = await ask(`${path}?token=${await aToken()}`);
    expect([reply.status, await reply.json(), reply.headers.get("access-control-allow-origin")]).toEqual([200, none, ORIGIN.origin]);
    expect([(await ask(`${path}?token=phc_nobody`)).status, (await ask(path)).status]).toEqual([401, 401]);
    expect((await ask(path, { method: "POST", body: "{}" })).status).toBe(405);
  });

  it.each(["/api/projects/@current/feature_flags/beta/remote_config", "/api/projects/@current/feature_flags/beta/remote_config/"])(
    "is no payload at %s, also for SDKs that ask with a personal key and no token",
    async (path) => {
      for (const query of [`?token=${await aToken()}`, ""]) {
        const reply = await ask(`${path}${query}`, { headers: { authorization: "Bearer phx_any" } });
        expect([reply.status, await reply.json(), reply.headers.get("access-control-allow-origin")]).toEqual([200, null, ORIGIN.origin]);
      }
      expect((await ask(`${path}?token=phc_nobody`)).status).toBe(401);
      expect((await ask(path, { method: "POST", body: "{}" })).status).toBe(405);
    },
  );

  it.each(["/i/v1/logs", "/i/v1/metrics"])("is taken and dropped at %s, so that an SDK's queue empties", async (path) => {
    const post = (query: string) => ask(`${path}${query}`, { method: "POST", body: '{"resourceLogs":[]}' });
    const reply = await post(`?token=${await aToken()}`);
    expect([reply.status, await reply.json(), (await post("")).status]).toEqual([200, {}, 200]);
    expect([(await post("?token=phc_nobody")).status, (await ask(path)).status]).toEqual([401, 405]);
  });

  it("is a toolbar, whose script does nothing", async () => {
    for (const path of ["/static/toolbar.js?t=1", "/static/1.449.2/toolbar.js"]) {
      const reply = await ask(path);
      expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "application/javascript; charset=utf-8"]);
      const window: { ph_load_toolbar?: () => void } = {};
      new Function("window", await reply.text())(window);
      expect(window.ph_load_toolbar?.()).toBeUndefined();
    }
  });
});

describe("the SDK's scripts", () => {
  it("come from the package, compressed, for ever where the address names their version, and as 304 to whoever has them", async () => {
    const reply = await ask("/static/array.js");
    expect([reply.status, reply.headers.get("content-encoding"), reply.headers.get("cache-control")]).toEqual([
      200,
      "gzip",
      "public, max-age=86400",
    ]);
    const { version } = z.object({ version: z.string() }).parse(createRequire(import.meta.url)("posthog-js/package.json"));
    expect(await reply.text()).toContain(version);
    for (const path of [`/static/surveys.js?v=${version}`, `/static/${version}/surveys.js`])
      expect((await ask(path)).headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    const again = await ask("/static/array.js", { headers: { "if-none-match": reply.headers.get("etag") ?? "" } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it.each(["/static/nothing.js", "/static/0.0.1/array.js", "/static/..%2Fpackage.json", "/static/array.d.ts", "/static/a/b/c.js"])(
    "are 404 at %s, readable by the page",
    async (path) => {
      const reply = await ask(path);
      expect(reply.status).toBe(404);
      expect(["*", ORIGIN.origin]).toContain(reply.headers.get("access-control-allow-origin"));
    },
  );

  it("take no other method", async () => {
    const reply = await ask("/static/array.js", { method: "DELETE" });
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "GET, POST, OPTIONS"]);
  });
});
