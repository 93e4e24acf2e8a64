import { beforeAll, describe, expect, it } from "vitest";
import { type Answer, type ApiClient, apiClient } from "../support/api-client.ts";
import { type ATenant, aPlatform, aTenant } from "../support/platform.ts";
import { sqlQuery } from "../support/saved-query.ts";

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
