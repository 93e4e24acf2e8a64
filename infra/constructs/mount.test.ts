import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, Stack } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import * as apigateway from "aws-cdk-lib/aws-apigateway";
import { afterAll, describe, expect, it } from "vitest";
import { groups as registered } from "../../functions/index.ts";
import { rawGroup } from "../../lib/app/raw-group.ts";
import type { Group } from "../../lib/app/routes.ts";
import { gatewayPath, mount, mountElse } from "./mount.ts";

const outdir = mkdtempSync(join(tmpdir(), "mount-"));
afterAll(() => rmSync(outdir, { recursive: true }));

const group = (name: string, paths: readonly string[]): Group =>
  rawGroup({
    name,
    gateway: "management",
    uses: {},
    paths,
    bodyBytes: () => 0,
    serve: async () => ({ status: 200, headers: {}, body: "" }),
  });

/** The groups mounted in their order, all else handed to the first one: who answers each path of the gateway. */
const mounted = (groups: readonly Group[]): Readonly<Record<string, string>> => {
  const stack = new Stack(new App({ outdir }), "test");
  const api = new apigateway.RestApi(stack, "api");
  for (const [at, each] of groups.entries()) {
    const integration = new apigateway.HttpIntegration(`https://${each.name}.test`);
    mount(api, each, groups, integration);
    if (at === 0) mountElse(api, groups, integration);
  }
  const template = Template.fromStack(stack);
  const resources = template.findResources("AWS::ApiGateway::Resource");
  const pathOf = (id: string): string => {
    const found = resources[id]?.Properties;
    return found === undefined ? "" : `${pathOf(found.ParentId.Ref)}/${found.PathPart}`;
  };
  return Object.fromEntries(
    Object.values(template.findResources("AWS::ApiGateway::Method")).map(({ Properties }) => [
      pathOf(Properties.ResourceId.Ref) || "/",
      new URL(Properties.Integration.Uri).hostname.replace(".test", ""),
    ]),
  );
};

describe("what no group declares", () => {
  it("is handed to one function, the root included", () => {
    expect(mounted([group("api", ["/api/schema/"])])).toEqual({ "/": "api", "/{proxy+}": "api", "/api/schema": "api" });
  });

  it.each([
    ["before", (groups: readonly Group[]) => groups],
    ["after", (groups: readonly Group[]) => groups.toReversed()],
  ])("does not take the root of a group that declares it, mounted %s it", (_, order) => {
    const page = group("page", ["/", "/project/{proxy+}", "/console/{file}/"]);
    const api = group("api", ["/api/schema/"]);
    const [first] = order([api, page]);
    expect(mounted(order([api, page]))).toEqual({
      "/": "page",
      "/project/{proxy+}": "page",
      "/console/{p1}": "page",
      "/api/schema": "api",
      "/{proxy+}": first?.name,
    });
  });

  it("is nothing where a group takes every path", () => {
    expect(mounted([group("api", ["/api/schema/"]), group("all", ["/{proxy+}"])])).toMatchObject({ "/{proxy+}": "all", "/": "api" });
  });
});

it("a group whose folders hold all its paths is known to the gateway by them, and by what is on the way to others", () => {
  const issues = {
    ...group("issues", ["/api/{project}/issues/", "/api/{project}/issues/{id}/", "/api/{project}/issues/rules/"]),
    folders: ["/api/{project}/issues"],
  };
  expect(mounted([group("api", ["/api/{project}/", "/api/{project}/issues/rules/try/"]), issues])).toEqual({
    "/": "api",
    "/{proxy+}": "api",
    "/api/{p1}": "api",
    "/api/{p1}/issues": "issues",
    "/api/{p1}/issues/rules": "issues",
    "/api/{p1}/issues/rules/try": "api",
    "/api/{p1}/issues/{proxy+}": "issues",
  });
});

it("all paths of a group with folders lie in these", () => {
  const outside = registered.flatMap(({ folders, paths }) =>
    folders === undefined ? [] : paths.filter((path) => !folders.some((each) => path.startsWith(`${each}/`))),
  );
  expect(outside).toEqual([]);
});

describe("the gateway's path", () => {
  it.each([
    ["/", ""],
    ["/api/projects/{project_id}/endpoints/{name}/", "api/projects/{p2}/endpoints/{p4}"],
    ["/api/personal_api_keys/@current/", "api/personal_api_keys/{p2}"],
    ["/project/{proxy+}", "project/{proxy+}"],
  ])("of %s is %j", (path, gateway) => {
    expect(gatewayPath(path)).toBe(gateway);
  });
});
