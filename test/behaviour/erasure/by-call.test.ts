import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { derivePersonId } from "../../../lib/event/identity.ts";
import { apiClient } from "../../support/api-client.ts";
import { aTenant, eventually, itsOwnPlatform } from "../../support/processes/platform.ts";

let before: string | undefined;
beforeAll(() => {
  before = process.env.ERASURE;
  process.env.ERASURE = "api";
  return () => {
    if (before === undefined) delete process.env.ERASURE;
    else process.env.ERASURE = before;
  };
});

const platform = itsOwnPlatform();

const Rows = z.object({ results: z.array(z.array(z.unknown())) });

it("202 comes once no query sees the person any more, and again for the same call; others and other keys do not get there", async () => {
  const tenant = await aTenant(platform().world);
  const api = apiClient(platform().baseUrl, tenant.personalKey);
  const body = JSON.stringify({
    api_key: tenant.projectToken,
    batch: ["ana", "bob"].map((distinct_id) => ({ event: "seen", distinct_id, properties: { $set: { name: distinct_id } } })),
  });
  expect((await fetch(`${platform().baseUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  const seen = async () => {
    const query = { kind: "HogQLQuery", query: "SELECT distinct_id FROM events ORDER BY 1" };
    return Rows.parse((await api.post(`/api/projects/${tenant.projectId}/query/`, { query })).body).results.flat();
  };
  await eventually(async () => expect(await seen()).toEqual(["ana", "bob"]));

  const path = `/api/projects/${tenant.projectId}/persons/${derivePersonId(tenant.projectId, "ana")}/`;
  expect((await api.remove(path)).body).toMatchObject({ attr: "delete_events", type: "validation_error" });
  const reader = await aTenant(platform().world, { scopes: ["person:read"] });
  expect((await apiClient(platform().baseUrl, reader.personalKey).remove(`${path}?delete_events=true`)).status).toBeGreaterThanOrEqual(403);
  expect((await api.remove(path.replace(/persons.*/, "persons/ana/?delete_events=true"))).status).toBe(400);
  const nobody = derivePersonId(tenant.projectId, "nobody");
  expect(await api.remove(path.replace(/persons.*/, `persons/${nobody}/?delete_events=true`))).toMatchObject({
    status: 404,
    body: { detail: "Not found." },
  });

  expect(await api.remove(`${path}?delete_events=true`)).toMatchObject({ status: 202, body: "" });
  expect(await seen()).toEqual(["bob"]);
  expect((await api.get(path)).status).toBe(404);
  expect((await api.remove(`${path}?delete_events=true`)).status).toBe(202);
});
