import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import { aTenant, eventually, itsOwnPlatform } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

// Rows wait for as long as they do when deployed, so that nothing is gathered while the tests ask.
beforeAll(() => vi.stubEnv("COMPACTION", "deployed"));
afterAll(() => vi.unstubAllEnvs());
const platform = itsOwnPlatform();

const uuid = (number: number): string => `0190a1b2-c3d4-7e5f-8a9b-${String(number).padStart(12, "0")}`;

const COPY = { uuid: uuid(1), event: "$pageview", distinct_id: "bob", timestamp: "2026-01-02T10:00:00Z" };

/** What is sent along with the copies, a request each, and the filter that leaves out the other requests. */
const COMPANY = {
  "event names": [
    [{ event: "signup" }, "event = 'signup'"],
    [{ event: "purchase" }, "event = 'purchase'"],
    [{ event: "$autocapture" }, "event = '$autocapture'"],
  ],
  distinct_ids: [
    [{ distinct_id: "ann" }, "distinct_id = 'ann'"],
    [{ distinct_id: "cleo" }, "distinct_id = 'cleo'"],
    [{ distinct_id: "dan" }, "distinct_id = 'dan'"],
  ],
  "time ranges": [
    [{ timestamp: "2026-01-01T10:00:00Z" }, "timestamp < toDateTime('2026-01-02 00:00:00')"],
    [{ timestamp: "2026-01-03T10:00:00Z" }, "timestamp >= toDateTime('2026-01-03 00:00:00')"],
  ],
} as const;

describe("an event that was sent in several requests", () => {
  it.each(Object.entries(COMPANY))("counts once after queries that saw them apart by %s", async (_, company) => {
    const tenant = await aTenant(platform().world);
    const api = apiClient(platform().baseUrl, tenant.personalKey);
    const path = `/api/projects/${tenant.projectId}/endpoints/`;
    const count = async (name: string, where: string): Promise<unknown> => {
      await api.post(path, { name, query: sqlQuery(`SELECT count() FROM events WHERE ${where}`) });
      const { body } = await api.post(`${path}${name}/run/`, { refresh: "force" });
      return Object(body).results;
    };
    for (const [at, [differs, where]] of company.entries()) {
      const batch = [COPY, { ...COPY, uuid: uuid(at + 2), ...differs }];
      const body = JSON.stringify({ api_key: tenant.projectToken, batch });
      expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
      await eventually(async () => expect(await count(`part-${at}`, where)).toEqual([[1]]));
    }
    expect(await count("copies", `uuid = '${COPY.uuid}'`)).toEqual([[1]]);
    expect(await count("everything", "1 = 1")).toEqual([[company.length + 1]]);
  });
});
