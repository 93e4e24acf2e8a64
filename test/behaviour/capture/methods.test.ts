import { describe, expect, it } from "vitest";
import { capture } from "../../../functions/capture/group.ts";
import { aBatch, aRequest, seen } from "../../support/samples/capture-requests.ts";
import { captureWorld } from "../../support/worlds/capture-world.ts";

const call = (method: string, url: string, headers: Readonly<Record<string, string>> = {}, body: unknown = "") =>
  capture.serve(aRequest(body, { method, url, headers }), captureWorld().world);

describe("paths and methods", () => {
  it.each(["/batch", "/batch/", "/i/v0/e", "/e/", "/capture/", "/track", "/engage/"])("takes POST %s without a redirect", async (url) => {
    const reply = await call("POST", url, {}, aBatch());
    expect(seen(reply)).toEqual({ status: 200, body: '{"status":"Ok"}' });
    expect(reply.headers["content-type"]).toBe("application/json");
  });

  it.each([
    ["/", "capture"],
    ["/_readiness", "capture"],
    ["/_liveness/", "ok"],
  ])("is healthy at %s", async (url, text) => {
    expect(seen(await call("GET", url))).toEqual({ status: 200, body: text });
  });

  it.each(["PUT", "PATCH", "DELETE"])("answers %s with 405, Allow and no body", async (method) => {
    const reply = await call(method, "/batch/", {}, aBatch());
    expect(seen(reply)).toEqual({ status: 405, body: "" });
    expect(reply.headers.allow).toBe("GET, POST, OPTIONS");
  });

  it.each(["/i/v1/analytics/events", "/i/v1/analytics/events/", "/flags/", "/batch/x", "//batch", "/BATCH/", "/%62atch/"])(
    "answers 404 at %s",
    async (url) => {
      const reply = await capture.serve({ ...aRequest(aBatch()), path: url }, captureWorld().world);
      expect(reply.status).toBe(404);
      expect(JSON.parse(seen(reply).body)).toEqual({
        type: "invalid_request",
        code: "not_found",
        detail: "Endpoint not found.",
        attr: null,
      });
    },
  );

  it("answers a beacon with 204 and no body, and its errors as ever", async () => {
    expect(seen(await call("POST", "/e/?beacon=1", {}, aBatch()))).toEqual({ status: 204, body: "" });
    expect((await call("POST", "/e/?beacon=1", {}, "{")).status).toBe(400);
  });

  it("answers HEAD as GET without a body", async () => {
    expect(seen(await call("HEAD", "/_readiness"))).toEqual({ status: 200, body: "" });
    expect(seen(await call("HEAD", "/batch/"))).toEqual({ status: 400, body: "" });
  });
});

describe("CORS", () => {
  const ORIGIN = { origin: "https://shop.test" };
  it("mirrors origin and asked headers in a preflight", async () => {
    const reply = await call("OPTIONS", "/e/", { ...ORIGIN, "access-control-request-headers": "content-type, x-custom" });
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      "access-control-allow-origin": "https://shop.test",
      "access-control-allow-credentials": "true",
      "access-control-allow-methods": "GET, POST, OPTIONS",
      "access-control-allow-headers": "content-type, x-custom",
    });
  });

  it.each([
    ["success", "/batch/", aBatch(), 200],
    ["an error", "/batch/", "{", 400],
    ["an unknown path", "/nowhere/", "", 404],
  ])("mirrors the origin on %s", async (_name, url, body, status) => {
    const reply = await call("POST", url, ORIGIN, body);
    expect(reply.status).toBe(status);
    expect(reply.headers).toMatchObject({ "access-control-allow-origin": "https://shop.test", "access-control-allow-credentials": "true" });
  });

  it("says nothing to a caller without an origin", async () => {
    expect(Object.keys((await call("POST", "/batch/", {}, aBatch())).headers)).toEqual(["content-type"]);
  });
});
