import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import openapiTS from "openapi-typescript";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { describeGroups } from "../../functions/docs/description.ts";
import { groups } from "../../functions/index.ts";

const describe = describeGroups(() => groups);
const text = await describe({ baseUrl: "https://api.example.org", ingestUrl: "https://ingest.example.org" });
const document = z.looseObject({ paths: z.unknown() }).parse(JSON.parse(text));
const COMPILER = join(import.meta.dirname, "..", "..", "node_modules", ".bin", "tsc");

/** What somebody writes against the generated types. */
const USE = `import type { components, operations, paths } from "./api.ts";

type Create = operations["createEndpoint"]["requestBody"];
export const trend: components["schemas"]["TrendsQueryRequest"] = {
  kind: "TrendsQuery",
  series: [{ kind: "EventsNode", event: "$pageview" }],
  interval: "day",
  dateRange: { date_from: "-7d" },
};
export const create: NonNullable<Create>["content"]["application/json"] = { name: "pageviews", query: trend };
export const sql: typeof create = { name: "events", query: { kind: "HogQLQuery", query: "SELECT 1" }, description: null };
// @ts-expect-error: a query has a kind.
export const kindless: typeof create = { name: "events", query: { query: "SELECT 1" } };
export type Run = operations["runEndpoint"]["responses"][200]["content"]["application/json"];
export const run = (answer: Run): number => answer.results.length;
export const totals = (answer: Run): number[] =>
  answer.results.map((row) => (Array.isArray(row) ? row.length : "data" in row ? row.count : (row.values[0]?.count ?? 0)));
type Update = operations["updateEndpoint"];
type Change = NonNullable<Update["requestBody"]>["content"]["application/json"];
export const change: Change = { description: "page views", is_active: false };
export const changed = (answer: Update["responses"][200]["content"]["application/json"]): string => answer.name + answer.current_version;
export const again = ({ query, tags }: components["schemas"]["SavedQueryEndpoint"]): Change => ({ query, tags });
// @ts-expect-error: an endpoint is deleted by DELETE, which answers with nothing.
export const deletion: Change = { deleted: true };
type Page = NonNullable<operations["runEndpoint"]["parameters"]["query"]>;
export const page: Page = { limit: 10, offset: 20, version: 1 };
// @ts-expect-error: a number is no text.
export const texts: Page = { limit: "10" };
// @ts-expect-error: a query and a name are needed.
export const nameless: typeof create = { query: trend };
export type Path = keyof paths;
`;

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "client-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("gives a client generator types that compile under strict, and in which a trend of four keys is a trend", async () => {
  await writeFile(join(folder, "api.json"), text);
  await writeFile(join(folder, "api.ts"), await openapiTS(pathToFileURL(join(folder, "api.json"))));
  await writeFile(join(folder, "use.ts"), USE);
  const flags = [
    "--noEmit",
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noUncheckedIndexedAccess",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--allowImportingTsExtensions",
    "--types",
    "",
  ];
  const compiled = spawnSync(COMPILER, [...flags, "use.ts"], { encoding: "utf8", cwd: folder });
  expect(compiled.stdout).toBe("");
  expect(compiled.status).toBe(0);
});

it("names each operation once, as one would call it, and shows no path twice under another name", () => {
  const paths = z.record(z.string(), z.record(z.string(), z.looseObject({ operationId: z.string() }))).parse(document.paths);
  const ids = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  expect(ids).toEqual(expect.arrayContaining(["createEndpoint", "runEndpoint", "listEndpoints", "captureBatch", "retrieveOrganization"]));
  expect(ids.filter((id, at) => ids.indexOf(id) !== at || !/^[a-z]+([A-Z][a-z0-9]*)+$/.test(id))).toEqual([]);
  expect(Object.keys(paths).filter((path) => path.startsWith("/api/environments"))).toEqual([]);
});
