import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "../../../test/support/api-client.ts";
import { killAgain } from "../../../test/support/processes/killed-command.ts";
import { type ATenant, aTenant, eventually } from "../../../test/support/processes/platform.ts";
import { type Platform, startPlatform } from "../../local/platform.ts";
import { run } from "../run.ts";

let folder = "";
let platform: Platform;
let tenant: ATenant;

/** Enough for several pieces: a day of long events is one by itself. */
const [DAYS, OF_A_DAY] = [8, 30];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "killed-"));
  platform = await startPlatform({ port: 0, host: "127.0.0.1", dataDir: join(folder, "data"), empty: true });
  tenant = await aTenant(platform.world);
  for (let day = 1; day <= DAYS; day += 1) {
    const batch = Array.from({ length: OF_A_DAY }, (_, index) => ({
      event: "wrote",
      distinct_id: `writer-${index % 3}`,
      uuid: `0198a5b2-4b7e-7c3e-9d51-${String(day * 1_000 + index).padStart(12, "0")}`,
      timestamp: `2026-06-0${day}T10:00:00Z`,
      properties: { text: "x".repeat(600_000) },
    }));
    const body = JSON.stringify({ api_key: tenant.projectToken, historical_migration: true, batch });
    expect((await fetch(`${platform.ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);
  }
  await eventually(async () => {
    const query = { kind: "HogQLQuery", query: "SELECT count() FROM events" };
    const { body } = await apiClient(platform.baseUrl, tenant.personalKey).post(`/api/projects/${tenant.projectId}/query/`, { query });
    expect(body).toMatchObject({ results: [[DAYS * OF_A_DAY]] });
  });
});

afterAll(async () => {
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
});

const words = (out: string) => ["export", "--project", String(tenant.projectId), "--out", out, "--data-dir", join(folder, "data")];

test("an export that is killed again and again ends with every event once", async () => {
  const out = join(folder, "events.jsonl");
  const checkpoint = `${out}.export.json`;
  const reached = async (): Promise<string> => String(JSON.parse(await readFile(checkpoint, "utf8").catch(() => "{}")).progress?.next_day);
  const kills = await killAgain(words(out), reached, 3);
  if (existsSync(checkpoint)) await run(words(out), {});
  const ids = (await readFile(out, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).uuid);
  expect(new Set(ids).size).toBe(DAYS * OF_A_DAY);
  expect(ids.length).toBe(DAYS * OF_A_DAY);
  expect(kills).toBeGreaterThan(0);
});
