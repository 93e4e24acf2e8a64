import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { keptLog } from "../../../test/support/kept-log.ts";
import { gatheredCounts } from "../../ports/counts.ts";
import { openAws } from "../aws.ts";
import { openCounts } from "./aws-counts.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A metric service that keeps its requests and gives one answer to all. */
const aService = async (status: number, answer: string) => {
  const requests: { readonly headers: IncomingHttpHeaders; readonly form: Record<string, string> }[] = [];
  const listening = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
    requests.push({ headers: request.headers, form });
    response.writeHead(status).end(answer);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  return { url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`, requests };
};

const credentials = { accessKeyId: "AKID", secretAccessKey: "secret", sessionToken: "session" };
const place = (url: string) => ({ url, namespace: "platform/test-ingest", region: "eu-west-1", credentials });

test("a put is one signed request with the count and no dimension", async () => {
  const { url, requests } = await aService(200, "<PutMetricDataResponse/>");
  await openCounts(place(url))(new Map([["RequestsTooLarge", 3]]));
  expect(requests.map(({ form }) => form)).toEqual([
    {
      Action: "PutMetricData",
      Version: "2010-08-01",
      Namespace: "platform/test-ingest",
      "MetricData.member.1.MetricName": "RequestsTooLarge",
      "MetricData.member.1.Value": "3",
      "MetricData.member.1.Unit": "Count",
    },
  ]);
  const headers = requests[0]?.headers ?? {};
  expect(headers.host).toBe(new URL(url).host);
  expect(headers["x-amz-security-token"]).toBe("session");
  expect(headers.authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/monitoring\/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-amz-security-token, Signature=[0-9a-f]{64}$/,
  );
});

test("a refusal is an error with its reason", async () => {
  const { url } = await aService(403, "not authorized to perform: cloudwatch:PutMetricData");
  await expect(openCounts(place(url))(new Map([["RequestsTooLarge", 1]]))).rejects.toThrow("403: not authorized");
});

test("a service that is not there is a line in the log, and nothing else", async () => {
  const log = keptLog();
  const counts = gatheredCounts(openCounts(place("http://127.0.0.1:1")), { now: () => 0 }, log);
  await counts.add("RequestsTooLarge");
  expect(log.lines.map(({ event }) => event)).toEqual(["counts.unsent"]);
});

test("the deployed world counts where its environment says, as its role", async () => {
  const { url, requests } = await aService(200, "");
  const environment = {
    METRICS_URL: url,
    METRICS_NAMESPACE: "platform/test-ingest",
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "AKID",
    AWS_SECRET_ACCESS_KEY: "secret",
  };
  await openAws({ counts: true }, environment).counts.add("RequestsTooLarge");
  expect(requests.map(({ form }) => form["MetricData.member.1.Value"])).toEqual(["1"]);
});
