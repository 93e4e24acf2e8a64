import { afterEach, describe, expect, it } from "vitest";
import { openPage } from "../../support/processes/browser.ts";
import { aPlatform, eventually } from "../../support/processes/platform.ts";
import { recordingProxy } from "../../support/processes/recording-proxy.ts";

const platform = aPlatform();
const ask = (path: string, init: RequestInit = {}) => fetch(`${platform().baseUrl}${path}`, { ...init, redirect: "error" });

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** What the page loads, as it is written there. */
const addressesIn = (html: string): readonly string[] =>
  [...html.matchAll(/(?:src|href|spec-url)="([^"]*)"/g)].map(([, address = ""]) => address).filter((address) => address !== "data:,");

const scriptPath = async (): Promise<string> => {
  const script = addressesIn(await (await ask("/docs/")).text()).find((address) => address.endsWith(".js")) ?? "";
  return new URL(script, "http://host/docs/").pathname;
};

describe("GET /docs/", () => {
  it.each(["/docs", "/docs/"])("200: %s is a page for people, without a key", async (path) => {
    const reply = await ask(path, { headers: { accept: "text/html" } });
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await reply.text()).toMatch(/^<!doctype html>[\s\S]*<redoc /);
  });

  it.each(["/docs", "/docs/"])("200: whatever %s loads lies on the same host, and below the path that the host has", async (path) => {
    const addresses = addressesIn(await (await ask(path)).text());
    expect(addresses).toHaveLength(2);
    for (const address of addresses) {
      const { origin, pathname } = new URL(address, `https://host.test/v1${path}`);
      expect([origin, pathname]).toEqual(["https://host.test", expect.stringMatching(/^\/v1\/(docs|api)\//)]);
      expect((await ask(pathname.slice("/v1".length))).status).toBe(200);
    }
  });

  it("200: lets the page run nothing and reach nobody but this host, nor tell anybody of its use", async () => {
    const reply = await ask("/docs/");
    const policy = Object.fromEntries(
      (reply.headers.get("content-security-policy") ?? "").split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]),
    );
    expect(policy).toMatchObject({
      "default-src": ["'none'"],
      "script-src": ["'self'"],
      "connect-src": ["'self'"],
      "frame-ancestors": ["'none'"],
    });
    expect(JSON.stringify(policy)).not.toMatch(/unsafe-eval|https?:|\*/);
    expect(await reply.text()).toContain('disable-telemetry="true"');
  });

  it("405: is only read", async () => {
    const reply = await ask("/docs/", { method: "POST", body: "{}" });
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(await reply.json()).toMatchObject({ type: "invalid_request", code: "method_not_allowed" });
    expect((await ask("/docs/", { method: "HEAD" })).status).toBe(200);
  });
});

describe("GET /docs/{file}/", () => {
  it("200: is kept for ever under the name of its content, compressed, and asks no other host for pictures", async () => {
    const path = await scriptPath();
    expect(path).toMatch(/^\/docs\/redoc\.standalone\.[0-9a-f]{16}\.js$/);
    const reply = await ask(path, { headers: { "accept-encoding": "gzip" } });
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "content-encoding": "gzip",
    });
    const script = await reply.text();
    expect(script).toContain("Redocly");
    expect(script).not.toMatch(/cdn\.redoc\.ly/);
    const again = await ask(path, { headers: { "if-none-match": reply.headers.get("etag") ?? "" } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("404: there is no other file", async () => {
    for (const path of ["/docs/redoc.standalone.js", "/docs/..%2Fpackage.json", `${await scriptPath()}x`]) {
      const reply = await ask(path);
      expect([reply.status, await reply.json()]).toEqual([
        404,
        expect.objectContaining({ code: "not_found", detail: "Endpoint not found." }),
      ]);
    }
  });
});

it("a browser shows the description, and finds nothing to complain of", async () => {
  const proxy = await recordingProxy(() => platform().baseUrl);
  const browser = await openPage(`${proxy.address}/docs`);
  closing.push(proxy.close, browser.close);
  await eventually(() => expect(proxy.requests.map(({ path }) => path)).toContain("/api/schema/"));
  expect(proxy.requests.filter(({ status }) => status !== 200)).toEqual([]);
  expect(browser.said.join("\n")).not.toMatch(/violates|Refused|Error/);
});
