import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Answer, type ApiClient, apiClient } from "../support/api-client.ts";
import { type ATenant, aPlatform, aTenant } from "../support/processes/platform.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";
import { costOf, costsWithinReason } from "./cost.ts";

const platform = aPlatform();
let tenant: ATenant;
let api: ApiClient;
let base = "";
let saved = 0;

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  base = `/api/projects/${tenant.projectId}/endpoints/`;
});

/** What saving the query answers, and running it where it was saved. */
const ask = async (text: string): Promise<Answer> => {
  saved += 1;
  const name = `asked-${saved}`;
  const made = await api.post(base, { name, query: sqlQuery(text) });
  return made.status === 201 ? api.post(`${base}${name}/run/`, {}) : made;
};

const list = (count: number, part: (at: number) => string): string => Array.from({ length: count }, (_, at) => part(at)).join(", ");

describe("a function with more arguments than the engine reads", () => {
  it.each([
    ["concat", `SELECT concat(${list(1_100, () => "event")}) FROM events`],
    ["format", `SELECT format('${"{}".repeat(1_200)}', ${list(1_200, () => "'a'")}, event) FROM events`],
    ["format of constants", `SELECT format('${"{}".repeat(1_200)}', ${list(1_200, () => "'a'")})`],
  ])("%s: is a query that is too large", async (_name, text) => {
    expect(await ask(text)).toMatchObject({ status: 400, body: { type: "server_error", code: "query_too_large", attr: null } });
  });
});

describe("a function of lists", () => {
  it.each(["arrayDifference(null)", "arrayCompact(null)"])("%s is null", async (call) => {
    expect(await ask(`SELECT ${call}`)).toMatchObject({ status: 200, body: { results: [[null]] } });
  });
});

const trend = (properties: unknown) => ({ kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "a", properties }] });
const filter = (operator: string, value: unknown) => [{ key: "version", type: "event", operator, value }];
const nameless = { type: "validation_error", code: "invalid_input", attr: "query" };
const broken = { ...nameless, detail: expect.stringContaining("cannot be compiled") };

describe("a query made to be slow costs what a harmless one of its size costs", () => {
  /** Saves a query and runs it, as often as it is called; the answer is the last. */
  const saving = (query: unknown, run: unknown = {}) => {
    let answer: Answer | undefined;
    const work = async (): Promise<void> => {
      saved += 1;
      answer = await api.post(base, { name: `asked-${saved}`, query });
      if (answer.status === 201) answer = await api.post(`${base}asked-${saved}/run/`, run);
    };
    return { work, answer: () => answer };
  };
  let harmlessMs = 0;
  beforeAll(async () => {
    harmlessMs = await costOf(saving(sqlQuery(`SELECT count() FROM events WHERE event = '${"a".repeat(90_000)}'`)).work);
  });

  it.each<readonly [string, unknown, unknown]>([
    [
      "COLUMNS with a pattern that backtracks",
      sqlQuery(`SELECT COLUMNS('^(([a-z])+.)+[A-Z]$') FROM (SELECT 1 AS ${"a".repeat(60)})`),
      nameless,
    ],
    [
      "COLUMNS with a pattern that is written out",
      sqlQuery(`SELECT COLUMNS('(a{500}){2}b') FROM (SELECT 1 AS ${"a".repeat(90_000)})`),
      nameless,
    ],
    ["a version with a tail that is no star", trend(filter("semver_wildcard", `1${".*x".repeat(30_000)}!`)), nameless],
    ["a version of many digits", trend(filter("semver_gt", "1".repeat(90_000))), nameless],
    ["brackets that are never closed", sqlQuery(`SELECT extract(event, '${"(".repeat(90_000)}') FROM events`), broken],
    ["classes that are never closed", sqlQuery(`SELECT extractAll(event, '${"[".repeat(90_000)}') FROM events`), broken],
    ["repetitions of repetitions", sqlQuery(`SELECT match(event, '${"((a?){30}){30}".repeat(2_000)}') FROM events`), broken],
    ["brackets in a value", { ...sqlQuery("SELECT extractAll(event, {v}) FROM events"), values: { v: "[".repeat(250_000) } }, broken],
    ["a type's name with spaces", sqlQuery(`SELECT CAST(event, 'a${" ".repeat(90_000)}x') FROM events`), nameless],
    ["quotes that are never closed", sqlQuery(`SELECT '${"\\'".repeat(40_000)}`), nameless],
    ["comments that are never closed", sqlQuery(`SELECT 1 ${"/* ".repeat(30_000)}`), nameless],
    ["a name made of endings", sqlQuery(`SELECT ${"MergeState".repeat(9_000)}x(1)`), nameless],
    ["a name made of endings of lists", sqlQuery(`SELECT sum${"Array".repeat(18_000)}(1)`), nameless],
    ["a window's name made of endings", sqlQuery(`SELECT ${"MergeState".repeat(9_000)}x(1) OVER () FROM events`), nameless],
  ])("%s", async (_name, query, body) => {
    const { work, answer } = saving(query);
    expect(await costsWithinReason(work, harmlessMs)).toBe(true);
    expect(answer()).toMatchObject({ status: 400, body });
  });

  it("as many columns as can be written, of as many rows as there may be", async () => {
    const few = saving(sqlQuery(`SELECT ${list(400, () => "*")} FROM numbers(50)`));
    const fewMs = await costOf(few.work);
    expect(few.answer()).toMatchObject({ status: 200 });
    const { work, answer } = saving(sqlQuery(`SELECT ${list(400, () => "*")} FROM numbers(50000) LIMIT 50000`));
    expect(await costsWithinReason(work, fewMs)).toBe(true);
    expect(answer()).toMatchObject({ status: 400, body: { code: "query_too_large" } });
  });

  it("an order by hundreds of columns", async () => {
    const text = `SELECT event FROM events ORDER BY ${list(400, (at) => `event || '${at}${"x".repeat(60)}'`)}`;
    const columns = `SELECT ${list(400, (at) => `event || '${at}${"x".repeat(60)}'`)} FROM events`;
    const { work, answer } = saving(sqlQuery(text));
    expect(await costsWithinReason(work, await costOf(saving(sqlQuery(columns)).work))).toBe(true);
    expect(answer()?.status).toBe(200);
  });

  it.each<readonly [string, string, unknown, unknown]>([
    ["a date with spaces", "SELECT count() FROM events WHERE timestamp > {variables.v}", `2026-01-01${" ".repeat(250_000)}x`, {}],
    ["a text that is too long", "SELECT {variables.v}", "a".repeat(600_000), { code: "invalid_input", attr: "variables" }],
  ])("%s in a variable", async (_name, text, v, body) => {
    const { work, answer } = saving(sqlQuery(text, { v: "2026-01-01" }), { variables: { v } });
    expect(await costsWithinReason(work, harmlessMs)).toBe(true);
    expect(answer()).toMatchObject({ status: 400, body });
  });

  it("more names than a query has variables", async () => {
    const variables = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`n${at}`, 1]));
    const { work, answer } = saving(sqlQuery("SELECT 1"), { variables });
    expect(await costsWithinReason(work, harmlessMs)).toBe(true);
    expect(answer()).toMatchObject({ status: 400, body: { attr: "variables" } });
    expect(JSON.stringify(answer()?.body).length).toBeLessThan(1_000);
  });

  it("an override that is longer than an insight may be", async () => {
    const override = { properties: [{ key: "a", type: "event", operator: "exact", value: Array.from({ length: 40_000 }, String) }] };
    const { work, answer } = saving(trend(null), { filters_override: override });
    expect(await costsWithinReason(work, harmlessMs)).toBe(true);
    expect(answer()).toMatchObject({ status: 400, body: { attr: "filters_override" } });
  });
});

describe("a query that keeps the engine busy", () => {
  it("holds up nobody else, and its own project's next one is told to come again", async () => {
    const other = await aTenant(platform().world);
    const client = apiClient(platform().baseUrl, other.personalKey);
    const path = `/api/projects/${other.projectId}/endpoints/`;
    await client.post(path, { name: "trivial", query: sqlQuery("SELECT 1") });
    await api.post(base, { name: "own", query: sqlQuery("SELECT 1") });
    await api.post(base, { name: "endless", query: sqlQuery("SELECT count() FROM numbers(1000000) a CROSS JOIN numbers(1000000) b") });
    const endless = api.post(`${base}endless/run/`, {});
    await vi.waitFor(
      async () => {
        const answer = await api.post(`${base}own/run/`, { refresh: "force" });
        expect(answer).toMatchObject({ status: 429, body: { code: "throttled" } });
        expect(answer.headers.get("retry-after")).toBe("1");
      },
      { timeout: 120_000 },
    );
    expect((await client.post(`${path}trivial/run/`, { refresh: "force" })).status).toBe(200);
    expect(await endless).toMatchObject({ status: 400, body: { code: "query_timeout" } });
    await vi.waitFor(async () => expect((await api.post(`${base}own/run/`, { refresh: "force" })).status).toBe(200), { timeout: 120_000 });
  });
});

describe("expressions that come with a run", () => {
  it("are read where they are a handful, and refused where they are more", async () => {
    await api.post(base, { name: "overridden", query: trend(null) });
    const withFilters = (count: number) =>
      api.post(`${base}overridden/run/`, {
        filters_override: { properties: Array.from({ length: count }, (_, at) => ({ type: "hogql", key: `event != '${at}'` })) },
      });
    expect((await withFilters(5)).status).toBe(200);
    expect(await withFilters(6)).toMatchObject({ status: 400, body: { code: "invalid_input", attr: "filters_override" } });
  });
  it("are given up where they keep the parser busy", async () => {
    const key = `${"f(x -> ".repeat(23)}1${")".repeat(23)}`;
    const answer = await api.post(`${base}overridden/run/`, { filters_override: { properties: [{ type: "hogql", key }] } });
    expect(answer).toMatchObject({ status: 400, body: { attr: "filters_override" } });
  });
});

describe("a broken pattern is refused when it is saved", () => {
  it.each<readonly [string, unknown]>([
    ["of match", sqlQuery("SELECT match(event, '(') FROM events")],
    ["of an operator", sqlQuery("SELECT event =~ '[z-a]' FROM events")],
    ["of a list", sqlQuery("SELECT multiMatchAny(event, ['a', 'b**']) FROM events")],
    ["of a replacement", sqlQuery("SELECT replaceRegexpAll(event, '(?=a)', '') FROM events")],
    ["of a split", sqlQuery("SELECT splitByRegexp('a{2,1}', event) FROM events")],
    ["of COLUMNS", sqlQuery("SELECT COLUMNS('(') FROM events")],
    ["of a filter", trend(filter("regex", "a)"))],
  ])("%s", async (_name, query) => {
    expect(await api.post(base, { name: "broken", query })).toMatchObject({ status: 400, body: broken });
  });
  it("and one that comes with a run then", async () => {
    await api.post(base, { name: "by-pattern", query: sqlQuery("SELECT event =~ {variables.p} FROM events", { p: "a" }) });
    const answer = await api.post(`${base}by-pattern/run/`, { variables: { p: "(" } });
    expect(answer).toMatchObject({ status: 400, body: { type: "validation_error", code: "cannot_compile_regexp", attr: null } });
    await api.post(base, { name: "by-value", query: sqlQuery("SELECT match('a', toString({variables.p}))", { p: "a" }) });
    expect((await api.post(`${base}by-value/run/`, { variables: { p: "(" } })).body).toMatchObject({ code: "cannot_compile_regexp" });
  });
});
