import { beforeAll, describe, expect, it } from "vitest";
import { earnedColumn } from "../../../lib/event/earned-properties.ts";
import { readEarned } from "../../../lib/lake/earned-properties.ts";
import { pin } from "../../../lib/lake/pin.ts";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;

/** Events of one request. */
const REQUEST = 2_000;

const PLANS = ["pro", "free", "", "team"];

/** Events with a text, a number and a boolean, some of them without. */
const events = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    event: "paid",
    distinct_id: `person-${(from + at) % 7}`,
    timestamp: new Date(Date.now() - (from + at) * 10).toISOString(),
    properties: { plan: PLANS[at % 4], amount: at, ...(at % 3 === 0 && { trial: true }), note: "x".repeat(50) },
  }));

const send = async (from: number, count: number): Promise<void> => {
  const all = events(from, count);
  for (let at = 0; at < count; at += REQUEST) {
    const body = JSON.stringify({ api_key: tenant.projectToken, batch: all.slice(at, at + REQUEST) });
    expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  }
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

/** What the query answers of all events that were sent, counted by hand. */
const expected = (counts: readonly number[]) => {
  const rows = counts
    .flatMap((count) => events(0, count))
    .filter(({ properties: { amount } }) => amount > 3)
    .map(({ properties: { plan, ...rest } }) => ({ ...rest, plan: plan || null }));
  const of = (plan: string | null | undefined) => {
    const own = rows.filter((row) => row.plan === plan);
    return [plan, own.length, own.reduce((sum, { amount }) => sum + amount, 0), own.filter(({ trial }) => trial).length];
  };
  return ["free", "pro", "team", null].map(of);
};

/** From so many loose rows on compaction makes compacted files of them. */
const MANY = 12_000;

describe("a property that a query names", () => {
  it("gets a column in the compacted files that are written from then on, and every answer stays the same", async () => {
    expect(await ask(BY_PLAN)).toEqual(expected([40]));
    expect(await readEarned(platform().world.table, tenant.projectId, Date.now())).toEqual(
      expect.arrayContaining(COLUMNS.map(({ property, type }) => expect.objectContaining({ property, type, namedBy: "ad-hoc" }))),
    );
    await send(100_000, MANY);
    await eventually(async () => {
      expect(await ask("SELECT count() FROM events")).toEqual([[40 + MANY]]);
      const having = (await files()).filter(({ earned }) => COLUMNS.every(({ column }) => earned?.includes(column)));
      expect(having.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThanOrEqual(MANY);
    });
    expect(await ask(BY_PLAN)).toEqual(expected([40, MANY]));
  });

  it("is listed with its column, since when and for which query", async () => {
    const { body } = await api.get(`/api/projects/${tenant.projectId}/property_definitions/?search=amount`);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const column = { type: "number", since: time, named_at: time, named_by: "ad-hoc" };
    expect(Object(body).results).toEqual([expect.objectContaining({ name: "amount", earned_columns: [column] })]);
  });
});

describe("a property of persons that a query names", () => {
  const BY_CITY = "SELECT person.properties.city AS city, count() FROM events WHERE event = 'moved' GROUP BY city ORDER BY city";
  const move = async (city: string, people: readonly number[]): Promise<void> => {
    const batch = people.map((at) => ({ event: "moved", distinct_id: `mover-${at}`, properties: { $set: { city } } }));
    const body = JSON.stringify({ api_key: tenant.projectToken, batch });
    expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  };

  it("gets a column in the files of persons that are written from then on, and every answer stays the same", async () => {
    await move("Bonn", [1, 2, 3]);
    const city = { owner: "person", property: "city", type: "text" } as const;
    await eventually(async () => {
      expect(await ask(BY_CITY)).toEqual([["Bonn", 3]]);
      // Its type is known once the events are stored, and a property without one has no column.
      const named = await readEarned(platform().world.table, tenant.projectId, Date.now());
      expect(named).toContainEqual(expect.objectContaining(city));
    });
    await move("Ulm", [3, 4]);
    const { column } = earnedColumn(city);
    await eventually(async () => {
      const { state } = await pin(platform().world, tenant.projectId, null, { events: false, state: true });
      expect(state?.persons.some(({ earned }) => earned?.includes(column))).toBe(true);
    });
    // Persons that came first may have their file with it before these are seen.
    await eventually(async () =>
      expect(await ask(BY_CITY)).toEqual([
        ["Bonn", 2],
        ["Ulm", 3],
      ]),
    );
    const { body } = await api.get(`/api/projects/${tenant.projectId}/property_definitions/?type=person&search=city`);
    expect(Object(body).results).toMatchObject([{ name: "city", earned_columns: [{ type: "text", named_by: "ad-hoc" }] }]);
  });
});
