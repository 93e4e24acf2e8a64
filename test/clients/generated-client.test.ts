import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import openapiTypescript, { type OpenAPI3 } from "openapi-typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiClient, apiClient } from "../support/api-client.ts";
import { lintOpenapi } from "../support/openapi-linter.ts";
import { type ATenant, aPlatform, aTenant } from "../support/processes/platform.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";

const platform = aPlatform();
const modules = join(import.meta.dirname, "../../node_modules");
let tenant: ATenant;
let api: ApiClient;
let path = "";
let folder = "";

beforeAll(async () => {
  tenant = await aTenant(platform().world);
  api = apiClient(platform().baseUrl, tenant.personalKey);
  path = `/api/projects/${tenant.projectId}/endpoints/`;
  folder = await mkdtemp(join(tmpdir(), "generated-client-"));
  await symlink(modules, join(folder, "node_modules"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** The description of a saved query, which the validator finds nothing wrong with. */
const described = async (name: string, query: object, version = "3.0"): Promise<OpenAPI3> => {
  expect(await api.post(path, { name, query })).toMatchObject({ status: 201 });
  const { body } = await api.get(`${path}${name}/openapi.json/?openapi=${version}`);
  expect((await lintOpenapi(body, "minimal")).problems).toEqual([]);
  return Object(body);
};

/** A client as its author would write it over the generated types. */
const clientOf = (operation: string, document: OpenAPI3): string => `
import type { operations } from "./${operation}.ts";

type Run = operations["${operation}"];
type Body = NonNullable<Run["requestBody"]>["content"]["application/json"];
type Rows = Run["responses"][200]["content"]["application/json"];

export const run = async (key: string, body: Body): Promise<Rows> => {
  const reply = await fetch(${JSON.stringify(`${document.servers?.[0]?.url}${Object.keys(document.paths ?? {})[0]}`)}, {
    method: "POST",
    headers: { authorization: "Bearer " + key, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (reply.status !== 200) throw new Error(await reply.text());
  return (await reply.json()) as Rows;
};
`;

const STRICT = [
  "--strict",
  "--noUncheckedIndexedAccess",
  "--exactOptionalPropertyTypes",
  "--noEmit",
  "--target",
  "es2024",
  "--module",
  "nodenext",
  "--allowImportingTsExtensions",
  "--erasableSyntaxOnly",
  "--skipLibCheck",
  "--types",
  "node",
];

/** What the compiler says to a file; nothing where it is right. */
const compiled = async (file: string): Promise<string> => {
  const tsc = promisify(execFile)(join(modules, ".bin/tsc"), [...STRICT, file], { cwd: folder });
  return tsc.then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
};

it("a typed client that a public generator makes of a saved query's description compiles, runs it, and knows its variables", async () => {
  const query = sqlQuery("SELECT {variables.word} AS word, {variables.times} AS times", { word: "hello", times: 2 });
  const document = await described("said-twice", query);
  await writeFile(join(folder, "run_said_twice.ts"), await openapiTypescript(document));
  await writeFile(join(folder, "client.ts"), clientOf("run_said_twice", document));
  await writeFile(
    join(folder, "right.ts"),
    'import { run } from "./client.ts";\nvoid run("key", { variables: { word: "a", times: 3 }, limit: 1 });\n',
  );
  await writeFile(
    join(folder, "wrong.ts"),
    'import { run } from "./client.ts";\nvoid run("key", { variables: { word: "a", times: "three" } });\n',
  );
  expect(await compiled("right.ts")).toBe("");
  expect(await compiled("wrong.ts")).toContain("Type 'string' is not assignable to type 'number'");
  const client = await import(pathToFileURL(join(folder, "client.ts")).href);
  expect(await client.run(tenant.personalKey, { variables: { word: "bye", times: 3 } })).toMatchObject({ results: [["bye", 3]] });
});

it("one of an insight knows its breakdowns and dates", async () => {
  const document = await described("trend", {
    kind: "TrendsQuery",
    series: [{ kind: "EventsNode", event: "seen" }],
    breakdownFilter: { breakdowns: [{ property: "$browser", type: "event" }] },
  });
  await writeFile(join(folder, "run_trend.ts"), await openapiTypescript(document));
  await writeFile(join(folder, "trend.ts"), clientOf("run_trend", document));
  await writeFile(
    join(folder, "of-trend.ts"),
    'import { run } from "./trend.ts";\nvoid run("key", { variables: { $browser: "Firefox", date_from: "-2d" } });\n',
  );
  expect(await compiled("of-trend.ts")).toBe("");
  const client = await import(pathToFileURL(join(folder, "trend.ts")).href);
  expect(await client.run(tenant.personalKey, { variables: { $browser: "Firefox", date_from: "-2d" } })).toMatchObject({ results: [] });
});

/** What somebody does with the rows of a query, once right and once taking a number for text. */
const USE_OF_ROWS = `
import { run } from "./rows-client.ts";

export const longest = async (key: string): Promise<string> => {
  const { results } = await run(key, {});
  let found = "";
  for (const [word, times, share, tags] of results) {
    const shown: string = word.toUpperCase() + times.toFixed(0) + (share ?? 0).toFixed(1) + tags.join();
    if (shown.length > found.length) found = shown;
  }
  return found;
};
`;

it("a typed client knows the type of each column of a row, and needs no narrowing", async () => {
  const text = "SELECT 'word' AS word, count() AS times, avg(1) AS share, ['a'] AS tags FROM events";
  const document = await described("typed-rows", sqlQuery(text), "3.1");
  await writeFile(join(folder, "run_typed_rows.ts"), await openapiTypescript(document));
  await writeFile(join(folder, "rows-client.ts"), clientOf("run_typed_rows", document));
  await writeFile(join(folder, "rows.ts"), USE_OF_ROWS);
  await writeFile(join(folder, "wrong-rows.ts"), USE_OF_ROWS.replace("times.toFixed(0)", "times.trim()"));
  expect(await compiled("rows.ts")).toBe("");
  expect(await compiled("wrong-rows.ts")).toContain("Property 'trim' does not exist on type 'number'");
  const { longest } = await import(pathToFileURL(join(folder, "rows.ts")).href);
  expect(await longest(tenant.personalKey)).toBe("WORD00.0a");
});
