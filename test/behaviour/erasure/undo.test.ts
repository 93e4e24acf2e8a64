import { expect, it } from "vitest";
import * as z from "zod";
import { listImports, undo } from "../../../infra/cli/imports-command.ts";
import { apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

const platform = aPlatform();

const target = () => ({ world: platform().world, forgetKeys: () => undefined, close: async () => undefined });

/** Of the past, or the events lose their flag. */
const AT = "2026-03-0";

const importEvents = async ({ projectToken }: ATenant, import_id: string, events: readonly object[]) => {
  const body = JSON.stringify({ api_key: projectToken, historical_migration: true, import_id, batch: events });
  expect((await fetch(`${platform().baseUrl}/batch/`, { method: "POST", body })).status).toBe(200);
};

const bought = (day: number, distinct_id: string, more: object = {}) => ({
  event: "bought",
  distinct_id,
  timestamp: `${AT}${day}T10:00:00Z`,
  properties: { day },
  ...more,
});

const Rows = z.object({ results: z.array(z.array(z.unknown())) });

const rows = async ({ projectId, personalKey }: ATenant, query: string) => {
  const path = `/api/projects/${projectId}/query/`;
  const { body } = await apiClient(platform().baseUrl, personalKey).post(path, { query: { kind: "HogQLQuery", query } });
  return Rows.parse(body).results;
};

const Listed = z.array(z.looseObject({ name: z.string(), state: z.string(), stored: z.int() }));

const listed = async ({ projectId }: ATenant) => {
  const { json } = await listImports(target(), { words: [], flags: { project: String(projectId) }, switches: new Set() });
  return Listed.parse(json).map(({ name, state, stored }) => ({ name, state, stored }));
};

const undone = async ({ projectId }: ATenant, name: string) =>
  undo(target(), { words: [name], flags: { project: String(projectId) }, switches: new Set(["yes"]) });

it("an import is listed with what is stored of it, and taken back as a whole, with what it alone said of persons", async () => {
  const tenant = await aTenant(platform().world);
  await importEvents(tenant, "first", [bought(1, "ana", { properties: { day: 1, $set: { plan: "old" } } }), bought(2, "ana")]);
  await importEvents(tenant, "second", [bought(2, "ana"), bought(3, "bob")]);
  const all = "SELECT distinct_id, properties.day FROM events ORDER BY 1, 2";
  await eventually(async () => expect(await rows(tenant, all)).toHaveLength(3));
  // The row that both brought is the first one's.
  expect(await listed(tenant)).toEqual([
    { name: "first", state: "open", stored: 2 },
    { name: "second", state: "open", stored: 1 },
  ]);
  expect((await undone(tenant, "second")).json).toMatchObject({ name: "second", state: "undone" });
  expect(await rows(tenant, all)).toEqual([
    ["ana", 1],
    ["ana", 2],
  ]);
  expect(await rows(tenant, "SELECT properties.plan FROM persons")).toEqual([["old"]]);
  // What comes late of it is stored no more; under another name it is another import.
  await importEvents(tenant, "second", [bought(4, "bob")]);
  await importEvents(tenant, "third", [bought(3, "bob"), bought(5, "bob")]);
  await eventually(async () => expect(await rows(tenant, all)).toHaveLength(4));
  expect(await rows(tenant, "SELECT properties.day FROM events WHERE distinct_id = 'bob' ORDER BY 1")).toEqual([[3], [5]]);
  expect(await listed(tenant)).toEqual([
    { name: "first", state: "open", stored: 2 },
    { name: "second", state: "undone", stored: 0 },
    { name: "third", state: "open", stored: 2 },
  ]);
  expect((await undone(tenant, "second")).lines[0]).toMatch(/undone already/);
  await expect(undone(tenant, "fourth")).rejects.toThrow('has no import "fourth"');
});

it("an import whose name holds half of a surrogate pair is stored, and listed without it", async () => {
  const tenant = await aTenant(platform().world);
  await Promise.all([importEvents(tenant, "half \ud83d", [bought(1, "ana")]), importEvents(tenant, "whole", [bought(2, "ana")])]);
  const stored = async () => expect(await rows(tenant, "SELECT properties.day FROM events ORDER BY 1")).toEqual([[1], [2]]);
  await eventually(stored, { budgetMs: 30_000 });
  expect((await listed(tenant)).map(({ name }) => name).sort()).toEqual(["half \ufffd", "whole"]);
  expect((await undone(tenant, "half \ufffd")).json).toMatchObject({ state: "undone" });
  expect(await rows(tenant, "SELECT properties.day FROM events")).toEqual([[2]]);
});
