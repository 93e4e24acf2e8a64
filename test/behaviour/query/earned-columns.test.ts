import { beforeAll, describe, expect, it } from "vitest";
import { earnedColumn } from "../../../lib/event/earned-properties.ts";
import { readEarned } from "../../../lib/lake/earned-properties.ts";
import { pin } from "../../../lib/lake/pin.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;

const PLANS = ["pro", "free", "", "team"];

/** Events with a text, a number and a boolean, some of them without. */
const events = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    event: "paid",
    distinct_id: `person-${(from + at) % 7}`,
    timestamp: new Date(Date.now() - (from + at) * 1_000).toISOString(),
    properties: { plan: PLANS[at % 4], amount: at, ...(at % 3 === 0 && { trial: true }), note: "x".repeat(200) },
  }));

const send = async (from: number, count: number): Promise<void> => {
  const body = JSON.stringify({ api_key: tenant.projectToken, batch: events(from, count) });
  expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
};

const ask = async (query: string) => {
  const { status, body } = await api.post(`/api/projects/${tenant.projectId}/query/`, { query: { kind: "HogQLQuery", query } });
  expect(status).toBe(200);
  return Object(body).results;
};

const files = async () => {
  const { manifests } = await pin(platform().world, tenant.projectId, null, { events: true, state: false });
  return [...manifests.values()].flatMap((manifest) => [...manifest.files, ...manifest.loose]);
};

const BY_PLAN =
  "SELECT properties.plan AS plan, count(), sum(properties.amount), countIf(properties.trial) FROM events WHERE properties.amount > 3 GROUP BY plan ORDER BY plan";

const COLUMNS = [
  earnedColumn({ property: "plan", type: "text" }),
  earnedColumn({ property: "amount", type: "number" }),
  earnedColumn({ property: "trial", type: "text" }),
];

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  await send(0, 40);
  await eventually(async () => expect(await ask("SELECT count() FROM events")).toEqual([[40]]));
});

describe("a property that a query names", () => {
  it("gets a column in the files that are written from then on, and every answer stays the same", async () => {
    await eventually(async () => expect(await files()).not.toEqual([]));
    expect((await files()).flatMap(({ earned = [] }) => earned)).toEqual([]);
    const before = await ask(BY_PLAN);
    expect(await readEarned(platform().world.table, tenant.projectId, Date.now())).toEqual(
      expect.arrayContaining(COLUMNS.map(({ property, type }) => expect.objectContaining({ property, type, namedBy: "ad-hoc" }))),
    );
    await send(1_000, 40);
    await eventually(async () => {
      expect(await ask("SELECT count() FROM events")).toEqual([[80]]);
      const having = (await files()).filter(({ earned }) => COLUMNS.every(({ column }) => earned?.includes(column)));
      expect(having.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThanOrEqual(40);
    });
    const doubled = before.map(([plan, ...numbers]: readonly [string | null, ...number[]]) => [plan, ...numbers.map((one) => 2 * one)]);
    expect(await ask(BY_PLAN)).toEqual(doubled);
  });
});
