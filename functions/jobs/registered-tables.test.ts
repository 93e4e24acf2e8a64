import { expect, test } from "vitest";
import { encodeMetadata, type TableMetadata } from "../../lib/iceberg/metadata.ts";
import { publicationItem } from "../../lib/lake/published.ts";
import type { RegisteredTable } from "../../lib/ports/table-registry.ts";
import { memoryTable } from "../../test/simulation/ports/table.ts";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { forgetTables, registerTables } from "./registered-tables.ts";

const KEY = "iceberg/project=1/events/metadata/2.metadata.json";
const SCHEMAS: TableMetadata["schemas"] = [
  { type: "struct", "schema-id": 0, fields: [] },
  { type: "struct", "schema-id": 1, fields: [{ id: 1, name: "uuid", required: true, type: "string" }] },
];

/** A project that has published its events, and a registry that keeps what it is told. */
const setup = async (isConfigured = true) => {
  const [table, objects] = [memoryTable(), memoryObjects()];
  await table.put(publicationItem(1, { table: "events", metadata: KEY, snapshot: 1, at: 0, state: "", reads: [] }));
  const metadata = { location: "s3://lake/iceberg/project=1/events", schemas: SCHEMAS, "current-schema-id": 1 };
  await objects.put(KEY, encodeMetadata(metadata as TableMetadata));
  const [registered, forgotten]: [RegisteredTable[], string[]] = [[], []];
  const tableRegistry = {
    isConfigured,
    register: async (told: RegisteredTable) => void registered.push(told),
    forget: async (name: string) => void forgotten.push(name),
  };
  return { parts: { table, objects, tableRegistry }, objects, registered, forgotten };
};

test("the registry is told where a published table is, what describes it and its columns of now", async () => {
  const { parts, registered } = await setup();
  await registerTables(parts, 1);
  await registerTables(parts, 2);
  expect(registered).toMatchObject([
    {
      name: "project_1_events",
      location: "s3://lake/iceberg/project=1/events",
      metadata: `s3://lake/${KEY}`,
      columns: [{ name: "uuid", type: "string" }],
    },
  ]);
  expect(registered.length).toBe(1);
});

test("all tables that a project can have are taken off with it", async () => {
  const { parts, forgotten } = await setup();
  await forgetTables(parts, 1);
  expect(forgotten).toEqual(["project_1_events", "project_1_persons", "project_1_person_distinct_ids"]);
});

test("a deployment without a registry reads nothing for one", async () => {
  const { parts, objects, registered, forgotten } = await setup(false);
  await registerTables(parts, 1);
  await forgetTables(parts, 1);
  expect([objects.counts.requests, registered, forgotten]).toEqual([0, [], []]);
});
