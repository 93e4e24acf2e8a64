import { expect, it } from "vitest";
import * as z from "zod";
import { erase } from "../../../infra/cli/erase-command.ts";
import { apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

const platform = aPlatform();

const target = () => ({ world: platform().world, forgetKeys: () => undefined, close: async () => undefined });

const capture = async ({ projectToken }: ATenant, events: readonly object[], more: object = {}) => {
  const body = JSON.stringify({ api_key: projectToken, batch: events, ...more });
  expect((await fetch(`${platform().baseUrl}/batch/`, { method: "POST", body })).status).toBe(200);
};

const Rows = z.object({ results: z.array(z.array(z.unknown())) });

const rows = async ({ projectId, personalKey }: ATenant, query: string) => {
  const { body } = await apiClient(platform().baseUrl, personalKey).post(`/api/projects/${projectId}/query/`, {
    query: { kind: "HogQLQuery", query },
  });
  return Rows.parse(body).results;
};

const erased = (tenant: ATenant, flags: Readonly<Record<string, string>>) =>
  erase(target(), { words: [], flags: { project: String(tenant.projectId), ...flags }, switches: new Set(["yes"]) });

it("a person is gone with all ids and events when the command ends, and the others stay", async () => {
  const tenant = await aTenant(platform().world);
  await capture(tenant, [
    { event: "seen", distinct_id: "anon-7" },
    {
      event: "$identify",
      distinct_id: "ana@example.test",
      properties: { $anon_distinct_id: "anon-7", $set: { email: "ana@example.test" } },
    },
    { event: "seen", distinct_id: "ana@example.test" },
    { event: "seen", distinct_id: "bob" },
  ]);
  const seen = "SELECT event, distinct_id FROM events ORDER BY distinct_id, event";
  await eventually(async () => expect(await rows(tenant, seen)).toHaveLength(4));

  const { json } = await erased(tenant, { "distinct-id": "anon-7" });
  expect(json).toMatchObject({ state: "done", distinct_ids: 2, project: tenant.projectId });
  expect(JSON.stringify(json)).not.toMatch(/anon-7|ana@/);
  expect(await rows(tenant, seen)).toEqual([["seen", "bob"]]);
  expect(await rows(tenant, "SELECT count() FROM persons")).toEqual([[1]]);

  // Whoever asks again, by any id of theirs, is told of the same.
  expect((await erased(tenant, { "distinct-id": "ana@example.test" })).json).toEqual(json);
  await capture(tenant, [
    { event: "late", distinct_id: "anon-7" },
    { event: "late", distinct_id: "carl" },
  ]);
  await eventually(async () => expect(await rows(tenant, "SELECT distinct_id FROM events WHERE event = 'late'")).toEqual([["carl"]]));
});

it("what cannot be understood is told in a line", async () => {
  const tenant = await aTenant(platform().world);
  await expect(erased(tenant, {})).rejects.toThrow("Say who: --distinct-id ID or --person UUID.");
  await expect(erased(tenant, { person: "ana" })).rejects.toThrow('"ana" is no id of a person');
  await expect(erased(tenant, { person: "0190d0aa-0000-7000-8000-000000000001" })).rejects.toThrow("No person of project");
});

it("a stage that says nothing leaves erasing to its operator", async () => {
  const tenant = await aTenant(platform().world);
  const path = `/api/projects/${tenant.projectId}/persons/0190d0aa-0000-7000-8000-000000000001/?delete_events=true`;
  const answer = await fetch(platform().baseUrl + path, { method: "DELETE", headers: { authorization: `Bearer ${tenant.personalKey}` } });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET"]);
});
