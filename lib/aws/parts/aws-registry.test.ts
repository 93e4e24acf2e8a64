import { createServer, type Server } from "node:http";
import { afterEach, expect, test } from "vitest";
import { openAws } from "../aws.ts";
import { openRegistry } from "./aws-registry.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Kept {
  readonly operation: unknown;
  readonly body: unknown;
}

/** A data catalogue that keeps its requests and answers each as it is told; with what it was told last when nothing is left. */
const aService = async (...answers: readonly (readonly [status: number, answer: string])[]) => {
  const requests: Kept[] = [];
  const left = [...answers];
  const listening = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    requests.push({ operation: request.headers["x-amz-target"], body: JSON.parse(Buffer.concat(chunks).toString()) });
    const [status, answer] = (left.length > 1 ? left.shift() : left[0]) ?? [200, "{}"];
    response.writeHead(status).end(answer);
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const credentials = { accessKeyId: "AKID", secretAccessKey: "secret" };
  return { url, requests, registry: openRegistry({ url, database: "shop", region: "eu-west-1", credentials }) };
};

const EVENTS = {
  name: "project_1_events",
  location: "s3://lake/iceberg/project=1/events",
  metadata: "s3://lake/iceberg/project=1/events/metadata/2.metadata.json",
  columns: [
    { name: "uuid", type: "string" },
    { name: "timestamp", type: "timestamptz" },
    { name: "rows", type: "long" },
  ],
};

const MISSING = [400, '{"__type":"EntityNotFoundException","Message":"Table project_1_events not found."}'] as const;
const THERE = [400, '{"__type":"AlreadyExistsException","Message":"Table already exists."}'] as const;
const DONE = [200, "{}"] as const;

const operations = (requests: readonly Kept[]): readonly unknown[] => requests.map(({ operation }) => operation);

test("a table that is listed is told which metadata hold now, in one request", async () => {
  const { registry, requests } = await aService(DONE);
  await registry.register(EVENTS);
  const TableInput = {
    Name: "project_1_events",
    TableType: "EXTERNAL_TABLE",
    Parameters: { table_type: "ICEBERG", metadata_location: EVENTS.metadata },
    StorageDescriptor: {
      Location: EVENTS.location,
      Columns: [
        { Name: "uuid", Type: "string" },
        { Name: "timestamp", Type: "timestamp" },
        { Name: "rows", Type: "bigint" },
      ],
    },
  };
  expect(requests).toEqual([{ operation: "AWSGlue.UpdateTable", body: { DatabaseName: "shop", TableInput, SkipArchive: true } }]);
});

test("a table that is not listed is, also where another worker lists it at that moment", async () => {
  const first = await aService(MISSING, DONE);
  await first.registry.register(EVENTS);
  expect(operations(first.requests)).toEqual(["AWSGlue.UpdateTable", "AWSGlue.CreateTable"]);
  server?.close();
  const second = await aService(MISSING, THERE, DONE);
  await second.registry.register(EVENTS);
  expect(operations(second.requests)).toEqual(["AWSGlue.UpdateTable", "AWSGlue.CreateTable", "AWSGlue.UpdateTable"]);
});

test("a table is taken off the list, whether it is on it or not", async () => {
  for (const answer of [DONE, MISSING]) {
    const { registry, requests } = await aService(answer);
    await registry.forget("project_1_events");
    expect(requests).toEqual([{ operation: "AWSGlue.DeleteTable", body: { DatabaseName: "shop", Name: "project_1_events" } }]);
    server?.close();
  }
});

test("a refusal is an error with its reason", async () => {
  const { registry } = await aService([400, '{"__type":"AccessDeniedException","Message":"not authorized"}']);
  await expect(registry.register(EVENTS)).rejects.toThrow("400: ");
  await expect(registry.forget("project_1_events")).rejects.toThrow("not authorized");
});

test("the deployed world lists tables where its environment says, as its role, and nowhere without a database", async () => {
  const { url, requests } = await aService(DONE);
  const environment = { GLUE_URL: url, AWS_REGION: "eu-west-1", AWS_ACCESS_KEY_ID: "AKID", AWS_SECRET_ACCESS_KEY: "secret" };
  expect(openAws({ tableRegistry: true }, environment).tableRegistry.isConfigured).toBe(false);
  const { tableRegistry } = openAws({ tableRegistry: true }, { ...environment, GLUE_DATABASE: "shop" });
  expect(tableRegistry.isConfigured).toBe(true);
  await tableRegistry.register(EVENTS);
  expect(operations(requests)).toEqual(["AWSGlue.UpdateTable"]);
});
