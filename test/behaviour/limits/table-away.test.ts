import { createServer } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { organizations } from "../../../functions/organizations/routes.ts";
import { type HttpServer, startServer } from "../../../infra/local/server.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { documentClient, dynamoTable } from "../../../lib/table/dynamo.ts";
import { apiClient } from "../../support/api-client.ts";
import { aHousehold, apiWorld } from "../../support/worlds/api-world.ts";

/** What the table's service does with every call: answers with a status and the name of an error, never answers, or hangs up. */
interface Fault {
  readonly what: string;
  readonly status?: number;
}

const FAULTS: readonly Fault[] = [
  { what: "ProvisionedThroughputExceededException", status: 400 },
  { what: "ThrottlingException", status: 400 },
  { what: "RequestLimitExceeded", status: 400 },
  { what: "InternalServerError", status: 500 },
  { what: "ServiceUnavailable", status: 503 },
  { what: "no answer" },
  { what: "a broken connection" },
];

let fault: Fault = { what: "no answer" };
const service = createServer((request, response) => {
  const { what, status } = fault;
  if (what === "a broken connection") request.destroy();
  if (status === undefined) return;
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
  response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${what}`, message: "no" }));
});

const READS = ["get", "getMany", "query"];
const WRITES = ["put", "update", "remove", "transact"];
/** The verbs of the table that this service is asked for; the others are answered. */
let away: readonly (string | symbol)[] = [];

const { world } = apiWorld();
let server: HttpServer | undefined;
let api = apiClient("", "");
let path = "";

beforeAll(async () => {
  await new Promise<void>((listening) => service.listen(0, "127.0.0.1", listening));
  const address = service.address();
  const { organization, key } = await aHousehold(world, 1);
  const client = documentClient({
    endpoint: `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`,
    region: "local",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    // How often and for how long it is tried is the client's affair.
    maxAttempts: 1,
    requestHandler: { requestTimeout: 100, throwOnRequestTimeout: true },
  });
  const [there, broken] = [world.table, dynamoTable(client, "table")];
  const table = new Proxy<Table>(there, { get: (_, verb) => Reflect.get(away.includes(verb) ? broken : there, verb) });
  server = await startServer([organizations], "127.0.0.1", 0);
  server.open({ ...world, table });
  api = apiClient(server.origin, key);
  path = `/api/organizations/${organization.id}/`;
});
afterEach(() => {
  away = [];
});
afterAll(async () => {
  await server?.stop();
  service.closeAllConnections();
  service.close();
});

const COME_AGAIN = {
  type: "server_error",
  code: "service_unavailable",
  detail: "The service cannot answer this now. Try again in a moment.",
  attr: null,
};

describe.each(FAULTS)("while the table's service answers with $what", (given) => {
  it("what reads is 503, with the time to ask again", async () => {
    fault = given;
    away = READS;
    const { status: answered, body, headers } = await api.get(path);
    expect({ answered, body, after: headers.get("retry-after") }).toEqual({ answered: 503, body: COME_AGAIN, after: "5" });
  });

  it("what writes is 503 and not done, and done when it is asked again", async () => {
    fault = given;
    away = WRITES;
    const name = `After ${given.what}`;
    const { status: answered, body, headers } = await api.patch(path, { name });
    expect({ answered, body, after: headers.get("retry-after") }).toEqual({ answered: 503, body: COME_AGAIN, after: "5" });
    away = [];
    expect((await api.get(path)).body).not.toMatchObject({ name });
    expect(await api.patch(path, { name })).toMatchObject({ status: 200, body: { name } });
  });
});

it("a fault of ours in a call of the table is none that passes", async () => {
  fault = { what: "ValidationException", status: 400 };
  away = READS;
  expect(await api.get(path)).toMatchObject({ status: 500, body: { code: "error" } });
});
