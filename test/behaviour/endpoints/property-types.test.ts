import { beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = aPlatform();
let api: ApiClient;
let path = "";

const PROPERTIES = [
  { price: 9, ok: true, when: "2026-01-01T10:00:00+02:00", mixed: 1, "odd 'name'": 3, $set: { age: 41 }, $groups: { company: "acme" } },
  { price: 10.5, ok: false, when: "2026-01-02", mixed: "one", "odd 'name'": 4, $set: { age: 42 } },
  { price: null, mixed: true },
];

const EARLY = [
  ["early", "properties.price > 9"],
  ["early-truth", "properties.ok = true AND properties.price > 9"],
  ["early-time", "toStartOfDay(properties.when) < now()"],
] as const;

/** What is known of properties may be kept by the function for some seconds. */
const answer = async (name: string, text: string): Promise<unknown> => {
  await eventually(async () => expect(await api.post(path, { name, query: sqlQuery(text) })).toMatchObject({ status: 201 }));
  return eventually(async () => {
    const shown = await api.post(`${path}${name}/run/`, { refresh: "force" });
    expect(shown).toMatchObject({ status: 200 });
    return shown;
  });
};

beforeAll(async () => {
  const tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  path = `/api/projects/${tenant.projectId}/endpoints/`;
  // Saved, and run, before anything is known of the properties.
  for (const [name, where] of EARLY) {
    const query = sqlQuery(`SELECT count() FROM events WHERE ${where}`);
    expect(await api.post(path, { name, query })).toMatchObject({ status: 201 });
    expect(await api.post(`${path}${name}/run/`, {})).toMatchObject({ status: 200, body: { results: [[0]] } });
  }
  const group = { $group_type: "company", $group_key: "acme", $group_set: { seats: 12 } };
  const batch = [
    ...PROPERTIES.map((properties, at) => ({ event: "bought", distinct_id: `p${at}`, properties })),
    { event: "$groupidentify", distinct_id: "p0", properties: group },
  ];
  const response = await fetch(`${platform().ingestUrl}/batch/`, {
    method: "POST",
    body: JSON.stringify({ api_key: tenant.projectToken, batch }),
  });
  expect(await response.json()).toEqual({ status: "Ok" });
  await api.post(path, { name: "total", query: sqlQuery("SELECT count() FROM events") });
  await eventually(async () =>
    expect(await api.post(`${path}total/run/`, { refresh: "force" })).toMatchObject({ body: { results: [[batch.length]] } }),
  );
});

describe("properties have the types of what was ingested", () => {
  it("of events: numbers, booleans, times, and text where values differ", async () =>
    expect(
      await answer(
        "events",
        "SELECT sum(properties.price), countIf(properties.ok), max(properties.when), max(properties['odd \\'name\\'']) + 1, arraySort(groupArray(properties.mixed)) FROM events",
      ),
    ).toMatchObject({
      status: 200,
      body: {
        results: [[19.5, 1, "2026-01-02T00:00:00Z", 5, ["1", "one", "true"]]],
      },
    }));

  it("of persons and of groups", async () =>
    expect(await answer("others", "SELECT max(person.properties.age) + 1, max(company.properties.seats) * 2 FROM events")).toMatchObject({
      status: 200,
      body: { results: [[43, 24]] },
    }));

  it.each([
    ["from", "SELECT sum(properties.price) AS sum, max(properties.ok) AS any FROM (SELECT event, properties FROM events)"],
    ["with", "WITH all AS (SELECT * FROM events) SELECT sum(properties.price) AS sum, max(properties.ok) AS any FROM all"],
    ["twice", "SELECT sum(properties.price) AS sum, max(properties.ok) AS any FROM (SELECT * FROM (SELECT properties FROM events))"],
  ])("through a query that hands them on, when it is saved, run and made a table: %s", async (kind, text) => {
    const name = `handed-${kind}`;
    const columns = [
      { name: "sum", type: "float" },
      { name: "any", type: "boolean" },
    ];
    const made = await api.post(path, { name, query: sqlQuery(text), is_materialized: true });
    expect(made).toMatchObject({ status: 201, body: { columns } });
    await eventually(async () =>
      expect(await api.get(`${path}${name}/materialization_status/`)).toMatchObject({ body: { status: "Completed" } }),
    );
    const types = [
      ["sum", "Nullable(Float64)"],
      ["any", "Nullable(Bool)"],
    ];
    for (const [refresh, served] of [
      ["cache", "materialised"],
      ["direct", "live"],
    ] as const) {
      const answer = await api.post(`${path}${name}/run/`, { refresh });
      expect(answer).toMatchObject({ status: 200, body: { results: [[19.5, true]], types } });
      expect(answer.headers.get("x-run-path")).toBe(served);
    }
  });

  it("also for a query that was saved before them", async () =>
    expect(await api.post(`${path}early/run/`, { refresh: "force" })).toMatchObject({ status: 200, body: { results: [[1]] } }));

  it("and a text compared with a number is refused when it is saved", async () =>
    expect(await api.post(path, { name: "wrong", query: sqlQuery("SELECT count() FROM events WHERE properties.mixed > 1") })).toMatchObject(
      { status: 400, body: { attr: "query", detail: expect.stringContaining("Cannot compare") } },
    ));
});
