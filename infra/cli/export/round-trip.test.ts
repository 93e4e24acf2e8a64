import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CORPUS } from "../../../test/clickhouse/corpus/corpus.ts";
import { newProject } from "../../../test/clickhouse/project.ts";
import { apiClient } from "../../../test/support/api-client.ts";
import { type ATenant, aTenant, eventually } from "../../../test/support/processes/platform.ts";
import { type Platform, startPlatform } from "../../local/platform.ts";
import { run } from "../run.ts";

interface Side {
  readonly dataDir: string;
  readonly platform: Platform;
  readonly tenant: ATenant;
}

let folder = "";
const sides: Side[] = [];

/** Each is the first project of its platform, so that the same ids make the same persons. */
const open = async (name: string): Promise<Side> => {
  const dataDir = join(folder, name);
  const platform = await startPlatform({ port: 0, host: "127.0.0.1", dataDir, empty: true });
  const side = { dataDir, platform, tenant: await aTenant(platform.world) };
  sides.push(side);
  return side;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "round-trip-"));
});
afterAll(async () => {
  for (const { platform } of sides) await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const { events } = newProject();
/** Every so manieth query of the corpus is asked of both. */
const SAMPLE = 32;
const EVENTS_A_REQUEST = 500;

/** The events of the corpus's project as an SDK would have sent them, some with what is known of their persons. */
const lines = events.map(
  ({ uuid, event, distinct_id, timestamp, properties }, at) =>
    `{"uuid":"${uuid}","event":${JSON.stringify(event)},"distinct_id":${JSON.stringify(distinct_id)},"timestamp":"${isoOf(timestamp)}","properties":${
      at % 7 === 0 ? properties.replace(/^\{/, properties === "{}" ? `{${told(at)}` : `{${told(at)},`) : properties
    }}`,
);

function told(at: number): string {
  return `"$set":{"age":${at % 60},"vip":${at % 3 === 0}},"$set_once":{"joined":"2026-01-0${1 + (at % 9)}"}`;
}

function isoOf(micros: bigint): string {
  const ms = micros / 1_000n - (micros % 1_000n < 0n ? 1n : 0n);
  return `${new Date(Number(ms)).toISOString().slice(0, -1)}${String(micros - ms * 1_000n).padStart(3, "0")}Z`;
}

const rowsOf = async ({ platform, tenant }: Side, query: string): Promise<string> => {
  const path = `/api/projects/${tenant.projectId}/query/`;
  const { status, body } = await apiClient(platform.baseUrl, tenant.personalKey).post(path, { query: { kind: "HogQLQuery", query } });
  const { results, detail } = Object(body);
  return status === 200
    ? JSON.stringify(/\bORDER BY\b/i.test(query) ? results : results.map((row: unknown) => JSON.stringify(row)).toSorted())
    : `${status} ${detail}`;
};

const stored = (side: Side, count: number) =>
  eventually(async () => expect(await rowsOf(side, "SELECT count() FROM events ORDER BY 1")).toBe(`[[${count}]]`));

test.each(["jsonl", "parquet"])("what is exported and imported into an empty project answers every query as before: %s", async (form) => {
  const before = sides[0] ?? (await open("before"));
  if (sides.length === 1) {
    for (let from = 0; from < lines.length; from += EVENTS_A_REQUEST) {
      const batch = lines.slice(from, from + EVENTS_A_REQUEST).join(",");
      const body = `{"api_key":"${before.tenant.projectToken}","historical_migration":true,"batch":[${batch}]}`;
      expect((await fetch(`${before.platform.ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
    }
    await stored(before, lines.length);
  }
  const after = await open(`after-${form}`);
  const out = join(folder, form, sep);
  const project = (side: Side) => ["--project", String(side.tenant.projectId), "--data-dir", side.dataDir];
  await run(["export", "--out", out, "--form", form, ...project(before)], {});
  const files = (await readdir(out)).map((name) => join(out, name));
  await run(["import", ...files, ...project(after), "--verify"], {});

  const queries = CORPUS.flatMap((asked) =>
    "query" in asked && asked.variables === undefined && asked.filters === undefined ? [asked] : [],
  ).filter((_, at) => at % SAMPLE === 0);
  const different: string[] = [];
  let answered = 0;
  for (const { name, query } of queries) {
    const [was, is] = await Promise.all([rowsOf(before, query), rowsOf(after, query)]);
    if (was.startsWith("[")) answered += 1;
    // What tells the time is not the same twice.
    if (was !== is && was === (await rowsOf(before, query))) different.push(`${name}: ${was.slice(0, 300)} | ${is.slice(0, 300)}`);
  }
  expect(different).toEqual([]);
  expect(answered).toBeGreaterThan(queries.length * 0.9);
});
