import { beforeAll, describe, expect, it } from "vitest";
import { apiClient } from "../../support/api-client.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = aPlatform();

/** Sends a body as it is written: a program's own numbers would be rounded before they are sent. */
const send = async (body: string): Promise<void> => {
  const { status } = await fetch(`${platform().ingestUrl}/batch/`, { method: "POST", body });
  expect(status).toBe(200);
};

const batch = ({ projectToken }: ATenant, events: readonly string[], more = ""): string =>
  `{"api_key":"${projectToken}","batch":[${events.join(",")}]${more}}`;

/** Names of queries that are saved, by project and text. */
const saved = new Map<string, string>();

/** The rows of a query over HTTP, computed now. */
const rows = async ({ projectId, personalKey }: ATenant, query: string, variables: Readonly<Record<string, unknown>> = {}) => {
  const api = apiClient(platform().baseUrl, personalKey);
  const known = saved.get(`${projectId} ${query}`);
  const name = known ?? `query-${saved.size}`;
  if (known === undefined) {
    expect(await api.post(`/api/projects/${projectId}/endpoints/`, { name, query: sqlQuery(query, variables) })).toMatchObject({
      status: 201,
    });
    saved.set(`${projectId} ${query}`, name);
  }
  const run = await api.post(`/api/projects/${projectId}/endpoints/${name}/run/`, { refresh: "force", variables });
  expect(run).toMatchObject({ status: 200 });
  return Object(run.body).results;
};

const IMPORT = ',"historical_migration":true';
const DAY = "2026-01-12";
const NUMBERS = ["12345678901234567", "12345678901234568", "123456789012345678", "123456789012345679"] as const;
const LONGER = ["1234567890123456788", "1234567890123456789"] as const;

describe("imported events that differ only in the last digits of a number", () => {
  it("are as many rows, also when each is sent again", async () => {
    const tenant = await aTenant(platform().world);
    const fractions = ["0.123456789012345678", "0.123456789012345679"];
    const numbers = [...NUMBERS, ...LONGER, ...fractions];
    const bodies = numbers.map((number) =>
      batch(tenant, [`{"event":"paid","distinct_id":"ana","timestamp":"${DAY}","properties":{"order_id":${number}}}`], IMPORT),
    );
    for (const body of [...bodies, ...bodies]) await send(body);
    await eventually(async () => {
      expect(await rows(tenant, "SELECT properties FROM events ORDER BY properties")).toEqual(
        numbers.map((number) => [`{"order_id":${number}}`]).sort(),
      );
    });
  });

  it("are as many rows where it is deep inside, or of a person or a group", async () => {
    const tenant = await aTenant(platform().world);
    const places = ['{"a":[{"b":#}]}', '{"$set":{"n":#}}', '{"$groups":{"company":#}}'];
    const bodies = places.flatMap((place) =>
      LONGER.map((number) =>
        batch(tenant, [`{"event":"paid","distinct_id":"ana","timestamp":"${DAY}","properties":${place.replace("#", number)}}`], IMPORT),
      ),
    );
    const top = LONGER.map((number) =>
      batch(tenant, [`{"event":"paid","distinct_id":"ana","timestamp":"${DAY}","$set_once":{"m":${number}}}`], IMPORT),
    );
    for (const body of [...bodies, ...top]) await send(body);
    await eventually(async () => expect(await rows(tenant, "SELECT count() FROM events")).toEqual([[bodies.length + top.length]]));
  });
});

describe("ids that are numbers", () => {
  it("are told apart to the last digit: people, aliases, merges and groups", async () => {
    const tenant = await aTenant(platform().world);
    const [a, b, c, d] = NUMBERS;
    const identify = (id: string, properties: string): string =>
      `{"event":"$identify","distinct_id":${id},"timestamp":"${DAY}","properties":${properties}}`;
    await send(
      batch(tenant, [
        `{"event":"seen","distinct_id":${a},"timestamp":"${DAY}"}`,
        `{"event":"seen","distinct_id":${b},"timestamp":"${DAY}"}`,
        `{"event":"seen","distinct_id":${c},"timestamp":"${DAY}"}`,
        `{"event":"seen","distinct_id":${d},"timestamp":"${DAY}"}`,
        identify('"ben"', `{"$anon_distinct_id":${a},"$set":{"account":${LONGER[0]}}}`),
        `{"event":"$create_alias","distinct_id":"cay","timestamp":"${DAY}","properties":{"alias":${c},"$set_once":{"account":${LONGER[1]}}}}`,
        ...LONGER.map(
          (key) =>
            `{"event":"$groupidentify","distinct_id":"ben","timestamp":"${DAY}","properties":{"$group_type":"company","$group_key":${key},"$group_set":{"tax_id":${key}}}}`,
        ),
        `{"event":"joined","distinct_id":"ben","timestamp":"${DAY}","properties":{"$groups":{"company":${LONGER[1]}}}}`,
      ]),
    );
    const seen = async (): Promise<void> => {
      const people = await rows(
        tenant,
        "SELECT distinct_id, toString(person.properties.account), person.properties FROM events WHERE event = 'seen' ORDER BY distinct_id",
      );
      expect(people).toEqual([
        [a, LONGER[0], `{"account":${LONGER[0]}}`],
        [c, LONGER[1], `{"account":${LONGER[1]}}`],
        [d, null, "{}"],
        [b, null, "{}"],
      ]);
      expect(await rows(tenant, "SELECT count(DISTINCT person_id) FROM events WHERE event = 'seen'")).toEqual([[4]]);
      expect(await rows(tenant, "SELECT key, toString(properties.tax_id), properties FROM groups ORDER BY key")).toEqual(
        LONGER.map((key) => [key, key, `{"tax_id":${key}}`]),
      );
      expect(await rows(tenant, "SELECT $group_0, toString(group_0.properties.tax_id) FROM events WHERE event = 'joined'")).toEqual([
        [LONGER[1], LONGER[1]],
      ]);
    };
    await eventually(seen);
    await eventually(async () => {
      const files = (await platform().world.objects.list(`state/${tenant.projectId}/`, null)).objects;
      expect(files.length).toBeGreaterThan(0);
    });
    await seen();
  });
});

describe("a number of more digits than a double holds", () => {
  const all = [...NUMBERS, ...LONGER, "18446744073709551616", "-123456789012345678", "5"];
  let tenant: ATenant;
  beforeAll(async () => {
    tenant = await aTenant(platform().world);
    const events = all.map(
      (number, at) => `{"event":"paid","distinct_id":"ana","timestamp":"${DAY}T0${at}:00:00Z","properties":{"id":${number}}}`,
    );
    await send(batch(tenant, [...events, `{"event":"paid","distinct_id":"ana","timestamp":"${DAY}T20:00:00Z"}`]));
    await eventually(async () => expect(await rows(tenant, "SELECT count() FROM events")).toEqual([[all.length + 1]]));
  });

  it("reads as it was sent", async () => {
    expect(await rows(tenant, "SELECT toString(properties.id) FROM events ORDER BY timestamp")).toEqual([...all.map((id) => [id]), [null]]);
    const grouped = "SELECT count(), sum(n) FROM (SELECT toString(properties.id) AS id, count() AS n FROM events GROUP BY id)";
    expect(await rows(tenant, grouped)).toEqual([[all.length + 1, all.length + 1]]);
    expect(await rows(tenant, "SELECT count(DISTINCT toString(properties.id)) FROM events")).toEqual([[all.length]]);
    expect(await rows(tenant, "SELECT properties.id FROM events WHERE properties.id = 5")).toEqual([[5]]);
  });

  it("is equal to itself alone", async () => {
    const conditions = all.flatMap((number): readonly (readonly [string, number])[] => [
      [`properties.id = ${number}`, 1],
      [`${number} = properties.id`, 1],
      [`properties.id = '${number}'`, 1],
      [`properties.id != ${number}`, all.length],
      [`properties.id IS DISTINCT FROM ${number}`, all.length],
      [`properties.id IN (${number}, 5, 7)`, number === "5" ? 1 : 2],
      [`properties.id NOT IN (${number}, 7)`, all.length],
      [`properties.id IN (${number}, 12345678901234560000)`, 1],
      [`toInt(properties.id) = ${number}`, number === "18446744073709551616" ? 0 : 1],
    ]);
    const [counts] = await rows(tenant, `SELECT ${conditions.map(([condition]) => `countIf(${condition})`).join(", ")} FROM events`);
    expect(conditions.map(([condition], at) => [condition, counts[at]])).toEqual(conditions);
  });

  it("is found by conditions and by variables", async () => {
    const found = (condition: string) => rows(tenant, `SELECT toString(properties.id) FROM events WHERE ${condition}`);
    expect(await found(`properties.id IN (${NUMBERS[2]}, 5) ORDER BY timestamp`)).toEqual([[NUMBERS[2]], ["5"]]);
    expect(await found(`properties.id NOT IN (${all.slice(1).join(", ")}) AND isNotNull(properties.id)`)).toEqual([[all[0]]]);
    const asked = "SELECT toString(properties.id) FROM events WHERE properties.id = {variables.id}";
    expect(await rows(tenant, asked, { id: NUMBERS[2] })).toEqual([[NUMBERS[2]]]);
    const run = (variables: string) =>
      apiClient(platform().baseUrl, tenant.personalKey).post(
        `/api/projects/${tenant.projectId}/endpoints/${saved.get(`${tenant.projectId} ${asked}`)}/run/`,
        `{"refresh":"force","variables":${variables}}`,
      );
    expect(await run(`{"id":${NUMBERS[3]}}`)).toMatchObject({ status: 200, body: { results: [[NUMBERS[3]]] } });
    expect(await run('{"id":5}')).toMatchObject({ status: 200, body: { results: [["5"]] } });
  });

  it("is found in the events where a table has only its double", async () => {
    const api = apiClient(platform().baseUrl, tenant.personalKey);
    const endpoint = `/api/projects/${tenant.projectId}/endpoints/`;
    const text = "SELECT toString(properties.id) AS sent, count() AS n FROM events WHERE properties.id = {variables.id} GROUP BY sent";
    const body = { name: "by-id", query: sqlQuery(text, { id: 5 }), is_materialized: true };
    expect(await api.post(endpoint, body)).toMatchObject({ status: 201 });
    await eventually(async () => {
      expect((await api.get(`${endpoint}by-id/materialization_status/`)).body).toMatchObject({ status: "Completed" });
    });
    const run = async (id: string | number) => {
      const { body, headers } = await api.post(`${endpoint}by-id/run/`, { variables: { id } });
      return [Object(body).results, headers.get("x-run-path"), headers.get("x-run-passed-over")];
    };
    expect(await run(5)).toEqual([[["5", 1]], "materialised", null]);
    expect(await run(NUMBERS[2])).toEqual([[[NUMBERS[2], 1]], "live", "digits"]);
  });

  it("is in the reply as a number of all its digits, computed and kept", async () => {
    const { projectId, personalKey } = tenant;
    const api = apiClient(platform().baseUrl, personalKey);
    const query = sqlQuery("SELECT toInt('123456789012345678'), 18446744073709551615, [9007199254740993], 9007199254740992");
    expect(await api.post(`/api/projects/${projectId}/endpoints/`, { name: "digits", query })).toMatchObject({ status: 201 });
    const body = async (refresh: string): Promise<string> => {
      const response = await fetch(`${platform().baseUrl}/api/projects/${projectId}/endpoints/digits/run/`, {
        method: "POST",
        headers: { authorization: `Bearer ${personalKey}`, "content-type": "application/json" },
        body: JSON.stringify({ refresh }),
      });
      return response.text();
    };
    const wanted = '"results":[[123456789012345678,18446744073709551615,[9007199254740993],9007199254740992]]';
    for (const refresh of ["force", "cache"]) expect(await body(refresh)).toContain(wanted);
  });
});
