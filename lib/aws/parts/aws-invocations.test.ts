import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { keptLog } from "../../../test/support/kept-log.ts";
import { openInvocations } from "./aws-invocations.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A function service that keeps its requests and gives one answer to all. */
const aService = async (status: number, answer = "") => {
  const requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
  const listening = createServer((request, response) => {
    requests.push({ path: request.url ?? "", headers: request.headers });
    request.resume();
    response.writeHead(status).end(answer);
  });
  server = listening;
  listening.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const address = listening.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const place = { url, region: "eu-west-1", credentials: { accessKeyId: "AKID", secretAccessKey: "secret" } };
  const log = keptLog();
  return { invocations: openInvocations({ ...place, functions: { tables: "stage-tables-1" } }, log), requests, log };
};

test("a start is one signed call that waits for nothing of what is started", async () => {
  const { invocations, requests, log } = await aService(202);
  expect(await invocations.start("tables")).toBe(true);
  expect(requests.map(({ path }) => path)).toEqual(["/2015-03-31/functions/stage-tables-1/invocations"]);
  expect(requests[0]?.headers["x-amz-invocation-type"]).toBe("Event");
  expect(requests[0]?.headers.authorization).toMatch(/\/eu-west-1\/lambda\/aws4_request, SignedHeaders=[^,]*x-amz-invocation-type/);
  expect(log.lines).toEqual([]);
});

test("a start that is refused is said, and fails nobody", async () => {
  const { invocations, log } = await aService(429, "Rate Exceeded.");
  expect(await invocations.start("tables")).toBe(false);
  expect(log.lines).toMatchObject([{ level: "warn", event: "function.not_started", fields: { function: "tables" } }]);
});
