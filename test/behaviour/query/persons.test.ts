import { beforeAll, describe, expect, it } from "vitest";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let place = "";

const HOUR_MS = 3_600_000;
const now = Date.now();
const at = (hoursAgo: number) => new Date(now - hoursAgo * HOUR_MS).toISOString();
const uuidOf = (number: number) => `0198a5b2-4b7e-7c3e-9d51-${String(number).padStart(12, "0")}`;
const LONG = "12345678901234567890";

/** Ada looked around before she signed in; Bob and twelve others only came by. */
const events = [
  { event: "$pageview", distinct_id: "0198a5b2-0000-7000-8000-00000000ada0", timestamp: at(50), properties: { step: 1 } },
  {
    event: "$identify",
    distinct_id: "ada",
    timestamp: at(49),
    properties: { $anon_distinct_id: "0198a5b2-0000-7000-8000-00000000ada0", $set: { email: "ada@example.com", plan: "paid", age: 36 } },
  },
  ...[3, 3, 3, 2].map((hours, index) => ({ event: "bought", distinct_id: "ada", timestamp: at(hours), properties: { step: index + 2 } })),
  { event: "forgotten", distinct_id: "ada", timestamp: at(40 * 24), properties: {} },
  {
    event: "bought",
    distinct_id: "bob",
    timestamp: at(30),
    properties: { $set: { email: "bob@example.com", plan: "free", account: "LONG" } },
  },
  ...Array.from({ length: 12 }, (_, index) => ({
    event: "came",
    distinct_id: `visitor-${String(index).padStart(2, "0")}`,
    timestamp: at(20 - index),
    properties: { $set: { plan: "free" } },
  })),
].map((event, index) => ({ ...event, uuid: uuidOf(index) }));

const PERSONS = 14;

interface Listed {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly Shown[];
}
interface Shown {
  readonly id: string;
  readonly uuid: string;
  readonly name: string;
  readonly distinct_ids: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

const list = async (query: Readonly<Record<string, string>> = {}): Promise<Listed> => {
  const { status, body } = await api.get(`${place}/persons/?${new URLSearchParams(query)}`);
  expect({ status, body: status === 200 ? {} : body }).toEqual({ status: 200, body: {} });
  return body as Listed;
};
const follow = (address: string) => api.get(address.slice(platform().baseUrl.length));
const names = async (query: Readonly<Record<string, string>>) => (await list(query)).results.map(({ name }) => name);
const adasId = async (): Promise<string> => (await list({ distinct_id: "ada" })).results[0]?.id ?? "";

const send = async (batch: readonly object[]): Promise<void> => {
  const body = JSON.stringify({ api_key: tenant.projectToken, batch }).replaceAll('"LONG"', LONG);
  expect((await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
};

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  place = `/api/projects/${tenant.projectId}`;
  await send(events);
  await eventually(async () => expect((await list()).count).toBe(PERSONS), { everyMs: 500 });
});

describe("GET persons/", () => {
  describe("200", () => {
    it("finds a person by each of its distinct ids, with what is known of it", async () => {
      const found = await list({ distinct_id: "ada" });
      const [ada] = found.results;
      expect(found).toEqual({
        count: 1,
        next: null,
        previous: null,
        results: [
          {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            uuid: ada?.id,
            name: "ada@example.com",
            distinct_ids: ["ada", "0198a5b2-0000-7000-8000-00000000ada0"],
            properties: { email: "ada@example.com", plan: "paid", age: 36 },
            is_identified: true,
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
            last_seen_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
          },
        ],
      });
      expect(await list({ distinct_id: "0198a5b2-0000-7000-8000-00000000ada0" })).toEqual(found);
    });

    it("finds by address, as written and whole", async () => {
      expect(await names({ email: "bob@example.com" })).toEqual(["bob@example.com"]);
      expect(await names({ email: "bob@example" })).toEqual([]);
      expect(await names({ email: "' OR 1=1 --" })).toEqual([]);
    });

    it("searches ids, distinct ids and addresses, whole", async () => {
      const ada = await adasId();
      for (const search of [ada, ada.toUpperCase(), "ada", "ada@example.com"]) expect(await names({ search })).toEqual(["ada@example.com"]);
      expect(await names({ search: "visitor" })).toEqual([]);
    });

    it("filters by properties, all of which hold with all else that is asked for", async () => {
      const where = (...filters: readonly object[]) => ({ properties: JSON.stringify(filters) });
      expect((await list(where({ key: "plan", value: "free", type: "person" }))).count).toBe(13);
      expect(await names(where({ key: "age", value: 30, operator: "gt" }))).toEqual(["ada@example.com"]);
      expect(await names(where({ key: "plan", value: ["free", "paid"] }, { key: "email", operator: "is_set" }))).toEqual([
        "bob@example.com",
        "ada@example.com",
      ]);
      expect(await names({ ...where({ key: "plan", value: "free" }), distinct_id: "ada" })).toEqual([]);
      expect(await names(where({ key: "is_identified", value: "true", type: "person_metadata" }))).toEqual(["ada@example.com"]);
    });

    it("keeps all digits of a number", async () => {
      const answer = await fetch(`${platform().baseUrl}${place}/persons/?distinct_id=bob`, {
        headers: { authorization: `Bearer ${tenant.personalKey}` },
      });
      expect(await answer.text()).toContain(`"account":${LONG}`);
    });

    it("pages through all of them, each once, the newest first", async () => {
      const pages = [await list({ limit: "5" })];
      for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push((await follow(next)).body as Listed);
      expect(pages.map(({ count, results, previous }) => [count, results.length, previous === null])).toEqual([
        [PERSONS, 5, true],
        [PERSONS, 5, false],
        [PERSONS, 4, false],
      ]);
      const all = pages.flatMap(({ results }) => results.map(({ name }) => name));
      expect(all.slice(0, 2)).toEqual(["visitor-11", "visitor-10"]);
      expect(new Set(all).size).toBe(PERSONS);
    });

    it("ends a page earlier where its persons are too long for an answer", async () => {
      const long = Array.from({ length: 6 }, (_, index) => ({
        event: "wrote",
        distinct_id: `writer-${index}`,
        timestamp: at(1),
        properties: { $set: { text: "x".repeat(400_000), role: "writer" } },
      }));
      for (const event of long) await send([event]);
      const writers = { properties: JSON.stringify([{ key: "role", value: "writer" }]) };
      await eventually(async () => expect((await list({ ...writers, limit: "1" })).count).toBe(6), { everyMs: 1_000 });
      const first = await list(writers);
      expect(first.results.length).toBe(3);
      expect(first.next).toContain("offset=3");
      expect(((await follow(first.next ?? "")).body as Listed).results.length).toBe(3);
    });
  });

  describe("400", () => {
    it.each([
      ["no JSON", "plan=free"],
      ["no list", '{"key": "plan"}'],
      ["an unknown operator", '[{"key": "plan", "value": "free", "operator": "near"}]'],
      ["filters of events", '[{"key": "plan", "value": "free", "type": "event"}]'],
      ["an unknown field", '[{"key": "plan", "value": "free", "type": "person_metadata"}]'],
      ["too many filters", JSON.stringify(Array.from({ length: 21 }, () => ({ key: "plan", value: "free" })))],
    ])("refuses %s by the parameter, and says what to send", async (_, properties) => {
      expect(await api.get(`${place}/persons/?${new URLSearchParams({ properties })}`)).toMatchObject({
        status: 400,
        body: { attr: "properties", detail: expect.stringMatching(/[^.]\. Send a JSON list of at most 20 filters/) },
      });
    });

    it("refuses a text that is longer than any id", async () => {
      expect(await api.get(`${place}/persons/?search=${"x".repeat(1_001)}`)).toMatchObject({ status: 400, body: { attr: "search" } });
    });
  });
});

describe("GET persons/{uuid}/", () => {
  it("200: answers the person, under its id in any case", async () => {
    const [ada] = (await list({ distinct_id: "ada" })).results;
    expect(await api.get(`${place}/persons/${ada?.id}/`)).toMatchObject({ status: 200, body: ada });
    expect((await api.get(`${place}/persons/${ada?.id.toUpperCase()}/`)).body).toEqual(ada);
  });

  it("400: says where a distinct id is looked for", async () => {
    expect(await api.get(`${place}/persons/ada/`)).toMatchObject({
      status: 400,
      body: { attr: "uuid", detail: expect.stringContaining("persons/?distinct_id=") },
    });
  });

  it("404: knows nobody of that id, nor those of other projects", async () => {
    const other = await aTenant(platform().world);
    const theirs = apiClient(platform().baseUrl, other.personalKey);
    const ada = await adasId();
    for (const end of ["", "events/"]) {
      expect(await theirs.get(`/api/projects/${other.projectId}/persons/${ada}/${end}`)).toMatchObject({ status: 404 });
      expect(await api.get(`${place}/persons/${uuidOf(1)}/${end}`)).toMatchObject({
        status: 404,
        body: { code: "not_found", detail: "Not found." },
      });
    }
  });
});

describe("GET persons/{uuid}/events/", () => {
  interface Events {
    readonly next: string | null;
    readonly results: readonly { readonly event: string; readonly uuid: string; readonly properties: Readonly<Record<string, unknown>> }[];
  }
  const eventsOf = async (query: Readonly<Record<string, string>> = {}): Promise<Events> => {
    const { status, body } = await api.get(`${place}/persons/${await adasId()}/events/?${new URLSearchParams(query)}`);
    expect(status).toBe(200);
    return body as Events;
  };

  it("200: answers those of all its ids of the last 30 days, the newest first", async () => {
    const { next, results } = await eventsOf();
    expect(next).toBeNull();
    expect(results.map(({ event }) => event)).toEqual(["bought", "bought", "bought", "bought", "$identify", "$pageview"]);
    expect(results[0]).toEqual({
      id: uuidOf(5),
      uuid: uuidOf(5),
      event: "bought",
      distinct_id: "ada",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      properties: { step: 5 },
    });
  });

  it("200: answers those of an event, and of other times", async () => {
    expect((await eventsOf({ event: "$identify" })).results.length).toBe(1);
    expect((await eventsOf({ after: at(41 * 24), before: at(40) })).results.map(({ event }) => event)).toEqual([
      "$identify",
      "$pageview",
      "forgotten",
    ]);
    expect((await eventsOf({ after: at(3), before: at(2) })).results.length).toBe(3);
  });

  it("200: pages through them, each once, also those of one moment", async () => {
    const pages = [await eventsOf({ limit: "2" })];
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) pages.push((await follow(next)).body as Events);
    expect(pages.map(({ results }) => results.map(({ uuid }) => Number(uuid.slice(-4))))).toEqual([
      [5, 2],
      [3, 4],
      [1, 0],
    ]);
  });

  it.each([
    ["a cursor that is none", { cursor: "abc" }, "cursor"],
    ["times the wrong way round", { after: at(1), before: at(2) }, "after"],
    ["a time that is none", { after: "yesterday" }, "after"],
    ["too many at once", { limit: "501" }, "limit"],
  ])("400: refuses %s", async (_, query, attr) => {
    expect(
      await api.get(`${place}/persons/${await adasId()}/events/?${new URLSearchParams(query as Record<string, string>)}`),
    ).toMatchObject({
      status: 400,
      body: { attr },
    });
  });
});

describe.each(["persons/", `persons/${uuidOf(1)}/`, `persons/${uuidOf(1)}/events/`])("GET %s", (operation) => {
  const call = (key: string, project = tenant.projectId) => apiClient(platform().baseUrl, key).get(`/api/projects/${project}/${operation}`);

  it("401 without a key that is known, 403 without the scope and in the project of others, 404 in none", async () => {
    const [without, alone] = [
      await aTenant(platform().world, { scopes: ["query:read"] }),
      await aTenant(platform().world, { scopes: ["person:read"] }),
    ];
    expect((await call("phx_nobody")).status).toBe(401);
    expect(await call(without.personalKey, without.projectId)).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining("person:read") },
    });
    expect((await call(alone.personalKey)).status).toBe(403);
    expect([200, 404]).toContain((await call(alone.personalKey, alone.projectId)).status);
    expect((await call(tenant.personalKey, 987_654_321)).status).toBe(404);
  });
});
