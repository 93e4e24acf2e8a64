import { createRequire } from "node:module";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import * as z from "zod";
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

  it("have no definitions for servers' SDKs, and a preflight of its own", async () => {
    const reply = await ask(`/flags/definitions?token=${await aToken()}&send_cohorts`, { headers: { authorization: "Bearer phx_any" } });
    expect([reply.status, await reply.json()]).toEqual([200, { flags: [], group_type_mapping: {}, cohorts: {} }]);
    const preflight = await ask("/flags/?v=2", { method: "OPTIONS", headers: { "access-control-request-headers": "content-type" } });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([200, "content-type"]);
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
