import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { fuzzApi } from "./fuzz.ts";
import { SETTINGS } from "./settings.ts";

/** Requests of an ordinary test run; `npm run fuzz -- api --requests N` sends more. */
const REQUESTS = 500;
const SEED = 1;

let dataDir = "";
beforeAll(async () => {
  for (const [name, value] of Object.entries(SETTINGS)) vi.stubEnv(name, value);
  dataDir = await mkdtemp(join(tmpdir(), "fuzz-"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(dataDir, { recursive: true, force: true });
});

it("whatever is sent is answered as the API's description says, and nothing with a fault of the service", {
  timeout: 600_000,
}, async () => {
  const told: string[] = [];
  const { faults, statuses } = await fuzzApi({ requests: REQUESTS, seed: SEED, dataDir, blame: (fault) => told.push(fault) });
  expect([...faults.keys()], told.join("\n")).toEqual([]);
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404]));
});
