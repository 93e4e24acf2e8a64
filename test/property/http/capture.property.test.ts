import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { serve } from "../../../functions/capture/serve.ts";
import { aBatch, anEvent, aRequest } from "../../support/samples/capture-requests.ts";
import { captureWorld } from "../../support/worlds/capture-world.ts";

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const json = fc.json({ maxDepth: 6 }).map((text) => Buffer.from(text));
const nearly = fc
  .record(
    {
      event: fc.oneof(fc.string(), fc.jsonValue()),
      distinct_id: fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue()),
      uuid: fc.oneof(fc.uuid(), fc.string(), fc.jsonValue()),
      properties: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
      timestamp: fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        fc.jsonValue(),
      ),
      offset: fc.oneof(fc.integer(), fc.jsonValue()),
      token: fc.oneof(fc.constant("phc_test"), fc.jsonValue()),
      $set: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .chain((fields) => fc.constantFrom(aBatch([anEvent(), fields]), [fields], fields, aBatch([fields], { sent_at: fields.timestamp })))
  .map((value) => Buffer.from(JSON.stringify(value) ?? ""));
const wrapped = fc
  .oneof(bytes, json, nearly)
  .chain((body) =>
    fc.constantFrom(
      body,
      gzipSync(body),
      gzipSync(body).subarray(0, -3),
      Buffer.from(body.toString("base64")),
      Buffer.from(`data=${encodeURIComponent(body.toString("base64"))}`),
      Buffer.concat([Buffer.from("data="), body]),
      Buffer.concat([Buffer.from([0x1f, 0x8b, 0x08]), body]),
    ),
  );
const header = fc.oneof(
  fc.constantFrom("application/json", "application/x-www-form-urlencoded", "text/plain", "gzip", "lz64", "base64", "https://a.test"),
  fc.string({ unit: "binary" }),
);

it("answers arbitrary bytes with a status of the contract and one line of text, and never fails", async () => {
  const options = fc.record({
    method: fc.constantFrom("POST", "POST", "POST", "GET", "HEAD", "OPTIONS", "PUT", "TRACE"),
    path: fc.oneof(fc.constantFrom("/batch/", "/e", "/engage/", "/i/v0/e/", "/"), fc.webPath()),
    query: fc.array(
      fc.tuple(fc.constantFrom("compression", "data", "_", "beacon", "ver"), fc.oneof(fc.constantFrom("gzip", "lz64", "1"), fc.string())),
      {
        maxLength: 3,
      },
    ),
    headers: fc.dictionary(
      fc.constantFrom("content-type", "content-encoding", "origin", "authorization", "access-control-request-headers"),
      header,
    ),
  });
  await fc.assert(
    fc.asyncProperty(wrapped, options, async (body, { method, path, query, headers }) => {
      const platform = captureWorld();
      const reply = await serve({ ...aRequest(body, { method }), path, query, headers }, platform.world);
      expect([200, 204, 400, 401, 404, 405, 413]).toContain(reply.status);
      expect(String(reply.body)).not.toContain("\n");
      if (reply.status >= 400) expect(platform.queued).toEqual([]);
      // What was taken can be read by ingest.
      platform.events();
    }),
    { numRuns: 2000 },
  );
});
