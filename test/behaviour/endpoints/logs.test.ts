import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, type ApiClient, apiClient } from "../../support/api-client.ts";
import { type ATenant, aTenant, itsOwnPlatform } from "../../support/processes/platform.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";

const platform = itsOwnPlatform();
let tenant: ATenant;
let api: ApiClient;
let path = "";

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  path = `/api/projects/${tenant.projectId}/endpoints/`;
});

const saved = async (name: string, sql: string, defaults: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  const answer = await api.post(path, { name, query: sqlQuery(sql, defaults) });
  expect(answer.status).toBe(201);
  return `${path}${name}/`;
};

interface Entry {
  readonly log_source_id: string;
  readonly instance_id: string;
  readonly timestamp: string;
  readonly level: string;
  readonly message: string;
}

const entriesOf = ({ body }: Answer): readonly Entry[] => Object(body).results;

/** The log of an endpoint, which has so many entries. */
const logOf = async (one: string, entries: number): Promise<readonly Entry[]> => {
  const found = entriesOf(await api.get(`${one}logs/`));
  expect(found).toHaveLength(entries);
  return found;
};

describe("GET /endpoints/{name}/logs/", () => {
  it("200: tells of a run what served it, how long it took, and how many rows it has", async () => {
    const one = await saved("logged", "SELECT number FROM numbers(3)");
    const { id } = Object((await api.get(one)).body);
    const run = await api.post(`${one}run/`, {});
    const [entry] = await logOf(one, 1);
    expect(entry).toEqual({
      log_source_id: id,
      instance_id: Object(run.body).execution_id,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      level: "INFO",
      message: expect.stringMatching(/^Endpoint executed · path=inline cache=miss duration_ms=\d+ rows=3 version=1$/),
    });
    expect((await api.get(`${one}logs/`)).body).toMatchObject({ count: 1, next: null, previous: null });
  });

  it("200: tells of a kept result that it is one, and how old", async () => {
    const one = await saved("kept", "SELECT 1");
    const live = await api.post(`${one}run/`, {});
    const kept = await api.post(`${one}run/`, {});
    expect([live.headers.get("x-run-path"), live.headers.get("x-run-age")]).toEqual(["live", "0"]);
    expect([kept.headers.get("x-run-path"), kept.headers.get("x-run-passed-over")]).toEqual(["kept", null]);
    expect(kept.headers.get("x-run-age")).toMatch(/^\d+$/);
    const [newest, oldest] = await logOf(one, 2);
    expect(newest?.message).toMatch(/ path=inline cache=hit duration_ms=\d+ rows=1 version=1 age_s=\d+$/);
    expect(oldest?.message).toMatch(/ cache=miss /);
  });

  it("200: tells of a run that failed by which error, and of one that was refused what did not fit, without any value", async () => {
    const one = await saved("failing", "SELECT repeat('x', 200), {variables.v} FROM numbers(50000) LIMIT 50000", { v: "x" });
    const secret = "s3cret-value";
    await api.post(`${one}run/`, { variables: { v: secret } });
    await api.post(`${one}run/`, { variables: { nobody: secret } });
    await api.post(`${one}run/`, { limit: 0 });
    await api.post(`${one}run/`, { field: secret });
    await api.post(`${one}run/`, { version: 7 });
    expect((await api.post(`${one}run/`, `{"variables":{"v":"${secret}"}`)).status).toBe(400);
    const entries = await logOf(one, 6);
    expect(entries.map(({ message }) => message).toReversed()).toEqual([
      "Endpoint execution failed · path=inline version=1 error=query_too_large",
      "Endpoint execution failed · invalid request · variables: invalid_input",
      "Endpoint execution failed · invalid request · Invalid limit parameter: 0",
      "Endpoint execution failed · invalid request · field: invalid_input",
      "Endpoint execution failed · invalid request · Version 7 not found for endpoint 'failing'",
      "Endpoint execution failed · invalid request · parse_error",
    ]);
    expect(new Set(entries.map(({ instance_id }) => instance_id)).size).toBe(6);
    expect(entries.every(({ level }) => level === "ERROR")).toBe(true);
    expect(JSON.stringify(entries)).not.toContain(secret);
  });

  it("200: logs nothing of runs that found no active endpoint", async () => {
    const one = await saved("sleeping", "SELECT 1");
    await api.patch(one, { is_active: false });
    expect((await api.post(`${one}run/`, { limit: 0 })).status).toBe(404);
    expect((await api.post(`${one}run/`, "{")).status).toBe(400);
    expect((await api.get(`${one}logs/`)).body).toEqual({ count: 0, next: null, previous: null, results: [] });
  });

  it("200: narrows by level, text, execution and time, and pages towards the past", async () => {
    const one = await saved("searched", "SELECT 1");
    for (const body of [{}, {}, { limit: 0 }, {}]) await api.post(`${one}run/`, body);
    const all = await logOf(one, 4);
    const ids = async (query: string) => entriesOf(await api.get(`${one}logs/?${query}`)).map(({ instance_id }) => instance_id);
    const wanted = (...numbers: readonly number[]) => numbers.map((number) => all[number]?.instance_id);
    expect(await ids("level=info")).toEqual(wanted(0, 2, 3));
    expect(await ids("level=Error,WARN")).toEqual(wanted(1));
    expect(await ids("search=INVALID%20limit")).toEqual(wanted(1));
    expect(await ids(`instance_id=${all[2]?.instance_id}`)).toEqual(wanted(2));
    expect(await ids(`after=${all[2]?.timestamp}`)).toEqual(wanted(0, 1));
    expect(await ids(`before=${all[2]?.timestamp}&limit=1`)).toEqual(wanted(3));
    const first = await api.get(`${one}logs/?limit=3`);
    expect(first.body).toMatchObject({ count: 4 });
    const { next } = Object(first.body);
    const rest = await api.get(next.slice(platform().baseUrl.length));
    expect(entriesOf(rest).map(({ instance_id }) => instance_id)).toEqual(wanted(3));
    expect(rest.body).toMatchObject({ next: null });
  });

  it("200: holds nothing before the first moment that a log may have, and all after it", async () => {
    const one = await saved("early", "SELECT 1");
    await api.post(`${one}run/`, {});
    await logOf(one, 1);
    for (const moment of ["1970-01-01T00:00:00Z", "1960-01-01T00:00:00Z"]) {
      expect(await api.get(`${one}logs/?before=${moment}`)).toMatchObject({ status: 200, body: { count: 0, next: null, results: [] } });
      expect(await api.get(`${one}logs/?after=${moment}`)).toMatchObject({ status: 200, body: { count: 1 } });
    }
  });

  it("200: holds nothing after the last moment that a log may have, and all before it", async () => {
    const one = await saved("late", "SELECT 1");
    await api.post(`${one}run/`, {});
    await logOf(one, 1);
    for (const moment of ["2300-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]) {
      expect(await api.get(`${one}logs/?after=${moment}`)).toMatchObject({ status: 200, body: { count: 0, next: null, results: [] } });
      expect(await api.get(`${one}logs/?before=${moment}`)).toMatchObject({ status: 200, body: { count: 1 } });
    }
  });

  it("200: tells of a field that nobody knows, however long its name is, in an entry that stays short", async () => {
    const one = await saved("long-field", "SELECT 1");
    // Cut between two characters, and within one.
    for (const name of ["😀".repeat(50_000), `x${"😀".repeat(50_000)}`])
      expect((await api.post(`${one}run/`, { [name]: 1 })).status).toBe(400);
    expect((await api.get(`${one}run/?limit=${"x".repeat(5_000)}`)).status).toBe(400);
    const messages = (await logOf(one, 3)).map(({ message }) => message);
    expect(messages.toSorted()).toEqual([
      expect.stringMatching(/^Endpoint execution failed · invalid request · Invalid limit parameter: x+…$/),
      expect.stringMatching(/^Endpoint execution failed · invalid request · x(?:😀)+\ufffd…: invalid_input$/),
      expect.stringMatching(/^Endpoint execution failed · invalid request · (?:😀)+…: invalid_input$/),
    ]);
    for (const message of messages) expect(message.length).toBeLessThan(400);
  });

  it("200: a flood of runs writes a bounded number of entries", async () => {
    const one = await saved("flooded", "SELECT 1");
    await Promise.all(Array.from({ length: 100 }, () => api.post(`${one}run/`, { limit: 0 })));
    const written = entriesOf(await api.get(`${one}logs/?limit=500`)).length;
    expect(written).toBeGreaterThanOrEqual(60);
    expect(written).toBeLessThan(100);
  });

  it("400: refuses what does not narrow anything", async () => {
    const one = await saved("asked", "SELECT 1");
    const problem = (attr: string, code: string) => ({ status: 400, body: { type: "validation_error", attr, code } });
    expect(await api.get(`${one}logs/?limit=0`)).toMatchObject(problem("limit", "min_value"));
    expect(await api.get(`${one}logs/?limit=501`)).toMatchObject(problem("limit", "max_value"));
    expect(await api.get(`${one}logs/?limit=x`)).toMatchObject(problem("limit", "invalid_input"));
    expect(await api.get(`${one}logs/?level=loud`)).toMatchObject(problem("level", "invalid_choice"));
    expect(await api.get(`${one}logs/?after=yesterday`)).toMatchObject(problem("after", "invalid_input"));
    expect(await api.get(`${one}logs/?before=x`)).toMatchObject(problem("before", "invalid_input"));
    expect(await api.get(`${one}logs/?search=`)).toMatchObject(problem("search", "blank"));
    expect(await api.get(`${one}logs/?instance_id=`)).toMatchObject(problem("instance_id", "blank"));
  });

  it("404: an endpoint that is not there or was deleted; a new one of its name begins with an empty log", async () => {
    const one = await saved("ended", "SELECT 1");
    await api.post(`${one}run/`, {});
    await logOf(one, 1);
    await api.remove(one);
    expect((await api.get(`${one}logs/`)).status).toBe(404);
    await saved("ended", "SELECT 1");
    await logOf(one, 0);
  });
});
