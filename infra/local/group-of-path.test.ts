import { describe, expect, test } from "vitest";
import { rawGroup } from "../../lib/app/raw-group.ts";
import type { Group } from "../../lib/app/routes.ts";
import { groupOfPath } from "./group-of-path.ts";

const group = (name: string, paths: readonly string[]): Group =>
  rawGroup({
    name,
    gateway: "management",
    uses: {},
    paths,
    bodyBytes: () => 0,
    serve: async () => ({ status: 200, headers: {}, body: name }),
  });

const find = groupOfPath([
  group("endpoints", ["/api/projects/{project_id}/endpoints/", "/api/projects/{project_id}/endpoints/{name}/"]),
  group("runs", ["/api/projects/{project_id}/endpoints/{name}/run/"]),
  group("names", ["/api/projects/{project_id}/endpoints/names/"]),
  group("docs", ["/docs/{proxy+}"]),
  group("capture", ["/", "/batch/"]),
]);

describe("the group of a path", () => {
  test.each([
    ["/api/projects/1/endpoints/", "endpoints"],
    ["/api/projects/1/endpoints", "endpoints"],
    ["/api/projects/1/endpoints/daily/run", "runs"],
    ["/api/projects/1/endpoints/names/", "names"],
    ["/api/projects/1/endpoints/named/", "endpoints"],
    ["/docs/a/b", "docs"],
    ["/batch", "capture"],
    ["/", "capture"],
  ])("%s belongs to %s", (path, name) => {
    expect(find(path)?.name).toBe(name);
  });

  test.each(["/api/projects/1/", "/api/projects/1/endpoints/daily/run/more", "/docs", "/batches"])("%s belongs to none", (path) => {
    expect(find(path)).toBeUndefined();
  });
});
