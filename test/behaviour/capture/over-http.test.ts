import { request } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { aPlatform, aTenant } from "../../support/processes/platform.ts";
import { aBatch, anEvent } from "../../support/samples/capture-requests.ts";

const platform = aPlatform();

const post = (path: string, body: Uint8Array | string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${platform().ingestUrl}${path}`, { method: "POST", body: Buffer.from(body), headers, redirect: "error" });

describe("capture over HTTP", () => {
  it("takes gzip that is called JSON, with and without the final slash", async () => {
    const { projectToken } = await aTenant(platform().world);
    const body = gzipSync(JSON.stringify(aBatch([anEvent()], { api_key: projectToken })));
    for (const path of ["/batch/", "/batch", "/i/v0/e/", "/e/?compression=gzip-js"]) {
      const reply = await post(path, body, { "content-type": "application/json", "content-encoding": "gzip" });
      expect([reply.status, await reply.text()]).toEqual([200, '{"status":"Ok"}']);
      expect(reply.headers.get("content-type")).toBe("application/json");
    }
  });

  it("answers errors as plain text", async () => {
    const cases: readonly (readonly [string, number, string])[] = [
      [JSON.stringify(aBatch([anEvent()], { api_key: "phx_x" })), 401, "API key is not valid: personal_api_key"],
      [JSON.stringify(aBatch([])), 400, "request holds no event"],
      ["", 400, "request missing data payload"],
    ];
    for (const [body, status, text] of cases) {
      const reply = await post("/batch/", body);
      expect([reply.status, await reply.text(), reply.headers.get("content-type")]).toEqual([status, text, "text/plain; charset=utf-8"]);
    }
  });

  it("refuses more than 20 MiB with 413 and stays usable", async () => {
    const reply = await post("/batch/", Buffer.alloc(21 * 1024 * 1024, "a"));
    expect(reply.status).toBe(413);
    expect(await reply.text()).toMatch(/^maximum event size exceeded: /);
    expect((await fetch(`${platform().ingestUrl}/_readiness`)).status).toBe(200);
  });

  it("answers a preflight, another method and an unknown path", async () => {
    const preflight = await fetch(`${platform().ingestUrl}/batch/`, { method: "OPTIONS", headers: { origin: "https://a.test" } });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([200, "https://a.test"]);
    const put = await fetch(`${platform().ingestUrl}/batch/`, { method: "PUT", body: "{}" });
    expect([put.status, put.headers.get("allow"), await put.text()]).toEqual([405, "GET, POST, OPTIONS", ""]);
    expect((await post("/i/v1/analytics/events", "{}")).status).toBe(404);
  });

  it("takes an import of any name", async () => {
    const { projectToken } = await aTenant(platform().world);
    const event = anEvent({ timestamp: "2026-01-02T03:04:05Z" });
    for (const import_id of ["old shop", "\u{1f600}", "\uffff", "\ud800", "\0"]) {
      const body = aBatch([event], { api_key: projectToken, historical_migration: true, import_id });
      const reply = await post("/batch/", JSON.stringify(body));
      expect([import_id, reply.status, await reply.text()]).toEqual([import_id, 200, '{"status":"Ok"}']);
    }
  });

  it("takes a GET that carries its payload in a body", async () => {
    const { projectToken } = await aTenant(platform().world);
    const body = JSON.stringify(aBatch([anEvent()], { api_key: projectToken }));
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${platform().ingestUrl}/batch/`, { method: "GET", headers: { "content-length": String(body.length) } });
      sent.on("response", (reply) => resolve(reply.resume().statusCode)).on("error", reject);
      sent.end(body);
    });
    expect(status).toBe(200);
  });
});
