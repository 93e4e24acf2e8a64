import { expect, it } from "vitest";
import type { SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import type { Call } from "../../lib/http/access.ts";
import { apiWorld, aRequest } from "../../test/support/worlds/api-world.ts";
import { rememberPath, runRate } from "./run-rate.ts";

const endpoint: SavedEndpoint = {
  project: 7,
  name: "daily",
  id: "0198a5b2-4b7e-7c3e-9d51-3a1f0c2b7e10",
  created_at: "2026-01-01T00:00:00.000000Z",
  updated_at: "2026-01-01T00:00:00.000000Z",
  created_by: null,
  is_active: true,
  derived_from_insight: null,
  tags: [],
  current_version: 1,
  current_version_id: "8c1d0c52-6d0c-4f5a-9b59-1d2a5e0c7f33",
  last_executed_at: null,
};

const callOf = (project: string, query: Readonly<Record<string, string>> = {}): Call => ({
  request: aRequest("POST", "/"),
  params: { project_id: project, name: "daily" },
  query,
  peek: () => undefined,
});

it("runs count as cheap ones while the table serves, and as costly ones as soon as it does not", () => {
  const { world, time } = apiWorld();
  expect(runRate(callOf("7"), world)).toBeUndefined();
  rememberPath(world, endpoint, undefined, { path: "materialised", mayChange: false });
  expect(runRate(callOf("7"), world)).toBe("materialised-run");
  expect(runRate(callOf("8"), world)).toBeUndefined();
  expect(runRate(callOf("7", { version: "1" }), world)).toBeUndefined();
  rememberPath(world, endpoint, undefined, { path: "live", mayChange: false });
  expect(runRate(callOf("7"), world)).toBe("run");
  rememberPath(world, endpoint, "1", { path: "materialised", mayChange: false });
  expect(runRate(callOf("7", { version: "1" }), world)).toBe("materialised-run");
  time.now += 30_000;
  expect(runRate(callOf("7", { version: "1" }), world)).toBeUndefined();
});
