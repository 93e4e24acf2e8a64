import type * as apigateway from "aws-cdk-lib/aws-apigateway";
import type { Group } from "../../lib/app/routes.ts";

/** Mounts each declared path once, for every method: the group's own router picks the method, so that refusals are ours. */
export const mount = (api: apigateway.RestApi, group: Group, groups: readonly Group[], integration: apigateway.Integration): void => {
  for (const path of gatewayPaths(group, groups)) api.root.resourceForPath(path).addMethod("ANY", integration);
};

type Paths = Pick<Group, "paths" | "folders">;

/**
 * The gateway's resources for one of the groups: its declared paths, or the tails of its folders. A path on the way to one of another
 * group's is a resource in any case, so it is mounted as well: the tail might not take it.
 */
export const gatewayPaths = (group: Paths, groups: readonly Paths[]): ReadonlySet<string> => {
  const declared = group.paths.map(gatewayPath);
  if (group.folders === undefined) return new Set(declared);
  const others = groups.flatMap((other) => (other === group ? [] : other.paths.map(gatewayPath)));
  const onTheWay = declared.filter((path) => others.some((other) => other.startsWith(`${path}/`)));
  return new Set([...group.folders.map((folder) => gatewayPath(`${folder}/${REST}`)), ...onTheWay]);
};

/**
 * Hands every path that none of the groups declares to a function as well: the gateway by itself reads the header of an unknown path
 * as a signature of its own, and answers 403 to whoever sends a key.
 */
export const mountElse = (api: apigateway.RestApi, groups: readonly Group[], integration: apigateway.Integration): void => {
  const declared = new Set(groups.flatMap((group) => [...gatewayPaths(group, groups)]));
  for (const path of ["", REST]) if (!declared.has(path)) api.root.resourceForPath(path).addMethod("ANY", integration);
};

const REST = "{proxy+}";

const PLAIN_PART = /^[a-zA-Z0-9._:$-]+$/;

/**
 * The gateway's resource for a declared path: without the last slash, and with one name for each depth in place of every hole and
 * of every part that the gateway does not take (such as `@me`), because it allows one name for a place. A tail stays one. Our router reads the path itself.
 */
export const gatewayPath = (path: string): string =>
  path
    .split("/")
    .filter((part) => part !== "")
    .map((part, depth) => (part === REST || PLAIN_PART.test(part) ? part : `{p${depth}}`))
    .join("/");
