import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { ensureTable } from "../../infra/local/stores/create-table.ts";
import { type LocalDynamodb, startDynamodb } from "../../infra/local/stores/dynamodb.ts";
import type { Table } from "../../lib/ports/table.ts";
import { dynamoTable, embeddedClient } from "../../lib/table/dynamo.ts";
import { tableSuite } from "./table.suite.ts";

let folder = "";
let database: LocalDynamodb | undefined;
let table: Table | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "table-"));
  database = await startDynamodb(join(folder, "table.db"));
  const client = embeddedClient(database.endpoint);
  await ensureTable(client, "suite");
  await ensureTable(client, "suite");
  table = dynamoTable(client, "suite");
});

afterAll(async () => {
  await database?.stop();
  await rm(folder, { recursive: true, force: true });
});

tableSuite("the embedded database", () => {
  if (!table) throw new Error("the database has not started");
  return table;
});
