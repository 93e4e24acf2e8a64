import { expect, it } from "vitest";
import { ingest } from "../../../functions/ingest/ingest.ts";
import { importIdOf, requestOfImport } from "../../../lib/event/imports.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { removeRows } from "../../../lib/lake/remove-rows.ts";
import { memoryRowFiles, rowLists } from "../../simulation/ports/row-files.ts";
import { deliveryOf } from "../../support/samples/capture-messages.ts";
import { ingestWorld, NOW } from "../../support/worlds/ingest-world.ts";

const anEvent = (event: string, properties: object) => ({
  event,
  uuid: "0190a1b2-c3d4-7e5f-8a9b-000000000001",
  distinct_id: "ann",
  timestamp: "2026-01-10T11:00:00Z",
  properties,
});

/** One event as part of an import, received so many microseconds after the beginning. */
const imported = (importName: string, event: object, after: number) => {
  const request = requestOfImport(importIdOf(importName), String(after).padStart(16, "0"));
  return deliveryOf([event], { request, importName, historical: true, received: `${BigInt(NOW) * 1_000n + BigInt(after)}` });
};

it.each([
  ["an event", anEvent("bought", { price: 3 })],
  ["an exception", anEvent("$exception", { $exception_list: [{ type: "Old", value: "boom" }] })],
])("keeps the copy of %s that may be seen, where the least belongs to an import that was undone a moment ago", async (_, event) => {
  const { world, objects, rows, log, pass } = await ingestWorld([1]);
  const drain = async (...deliveries: Parameters<typeof ingest>[0]) =>
    expect(await ingest(deliveries, world, { remainingMs: () => 60_000 }, "historical")).toEqual({ failed: [] });
  // Rules drop it, and the process knows from then on that there is nothing to refuse.
  await drain(deliveryOf([anEvent("$performance_event", {})]));
  const rowFiles = memoryRowFiles(objects, rowLists(), { countUsage: () => ({}) });
  const removal = { kind: "import", import: importIdOf("wrong file") } as const;
  await removeRows({ ...world, rowFiles }, POLICIES.deployed, 1, removal);
  pass(1_000);
  await drain(imported("wrong file", event, 1), imported("right file", event, 2));
  expect((await rows(1)).map(({ request }) => request)).toEqual([requestOfImport(importIdOf("right file"), "2".padStart(16, "0"))]);
  expect(log.lines.at(-1)).toMatchObject({ event: "ingest", fields: { events: 2, dropped: 1, rows: 1 } });
});
