import { describe, expect, test } from "vitest";
import { rawGroup } from "../../lib/app/raw-group.ts";
import type { Group } from "../../lib/app/routes.ts";
import { groupOfPath } from "./group-of-path.ts";

const group = (name: string, paths: readonly string[], gateway: Group["gateway"] = "management"): Group =>
  rawGroup({
    name,
    gateway,
    uses: {},
    paths,
    bodyBytes: () => 0,
    serve: async () => ({ status: 200, headers: {}, body: name }),
  });

const find = groupOfPath([
  group("endpoints", ["/api/projects/{project_id}/endpoints/", "/api/projects/{project_id}/endpoints/{name}/"]),
  group("runs", ["/api/projects/{project_id}/endpoints/{name}/run/"]),
  group("names", ["/api/projects/{project_id}/endpoints/names/"]),
  group("own", ["/api/keys/@current/"]),
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
    ["/api/keys/@current/", "own"],
    ["/api/keys/%40current/", "own"],
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

describe("a path of both hosts", () => {
  const pages = group("pages", ["/", "/project/{proxy+}"]);
  const sdks = group("sdks", ["/", "/batch/"], "ingest");

  test.each([
    ["the pages first", [pages, sdks]],
    ["the SDKs first", [sdks, pages]],
  ])("belongs to the pages for whoever asks for one, else to the SDKs (%s)", (_, groups) => {
    const either = groupOfPath(groups);
    expect(either("/", true)?.name).toBe("pages");
    expect(either("/", false)?.name).toBe("sdks");
    expect(either("/")?.name).toBe("sdks");
  });

  test("what one host alone declares is its own whatever is asked for", () => {
    const either = groupOfPath([sdks, pages]);
    expect(either("/batch/", true)?.name).toBe("sdks");
    expect(either("/project/1/live", false)?.name).toBe("pages");
  });
});
