import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isoOfMicros } from "../../../lib/core/time.ts";
import type { QueryCase } from "../../../test/clickhouse/corpus/case.ts";
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

afterAll(async () => {
  for (const { platform } of sides) await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const { events } = newProject();
/** Every so manieth query of the corpus is asked of both. */
const SAMPLE = 32;
const EVENTS_A_REQUEST = 500;

/** What is told of a person beside some events. */
const told = (at: number): string => `"$set":{"age":${at % 60},"vip":${at % 3 === 0}},"$set_once":{"joined":"2026-01-0${1 + (at % 9)}"}`;

/** The events of the corpus's project as an SDK would have sent them. */
const lines = events.map(({ uuid, event, distinct_id, timestamp, properties }, at) => {
  const all = at % 7 === 0 ? properties.replace(/^\{/, properties === "{}" ? `{${told(at)}` : `{${told(at)},`) : properties;
  return `{"uuid":"${uuid}","event":${JSON.stringify(event)},"distinct_id":${JSON.stringify(distinct_id)},"timestamp":"${isoOfMicros(timestamp)}","properties":${all}}`;
});

const rowsOf = async ({ platform, tenant }: Side, { query, ordered }: Pick<QueryCase, "query" | "ordered">): Promise<string> => {
  const path = `/api/projects/${tenant.projectId}/query/`;
  const { status, body } = await apiClient(platform.baseUrl, tenant.personalKey).post(path, { query: { kind: "HogQLQuery", query } });
  const { results, detail } = Object(body);
  if (status !== 200) return `${status} ${detail}`;
  return JSON.stringify(ordered ? results : results.map((row: unknown) => JSON.stringify(row)).toSorted());
};

const stored = (side: Side, count: number) =>
  eventually(async () => expect(await rowsOf(side, { query: "SELECT count() FROM events", ordered: true })).toBe(`[[${count}]]`));

let before: Side;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "round-trip-"));
  before = await open("before");
  for (let from = 0; from < lines.length; from += EVENTS_A_REQUEST) {
    const batch = lines.slice(from, from + EVENTS_A_REQUEST).join(",");
    const body = `{"api_key":"${before.tenant.projectToken}","historical_migration":true,"batch":[${batch}]}`;
    expect((await fetch(`${before.platform.ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  }
  await stored(before, lines.length);
});

test.each(["jsonl", "parquet"])("what is exported and imported into an empty project answers every query as before: %s", async (form) => {
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
  for (const asked of queries) {
    const [was, is] = await Promise.all([rowsOf(before, asked), rowsOf(after, asked)]);
    if (was.startsWith("[")) answered += 1;
    // What tells the time is not the same twice.
    if (was !== is && was === (await rowsOf(before, asked))) different.push(`${asked.name}: ${was.slice(0, 300)} | ${is.slice(0, 300)}`);
  }
  expect(different).toEqual([]);
  expect(answered).toBeGreaterThan(queries.length * 0.9);
});
