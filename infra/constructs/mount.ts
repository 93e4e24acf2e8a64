import type * as apigateway from "aws-cdk-lib/aws-apigateway";
import type { Group } from "../../lib/app/routes.ts";

/** Mounts each declared path once, for every method: the group's own router picks the method, so that refusals are ours. */
export const mount = (api: apigateway.RestApi, group: Group, integration: apigateway.Integration): void => {
  for (const path of new Set(group.paths.map(gatewayPath))) api.root.resourceForPath(path).addMethod("ANY", integration);
};

/**
 * Hands every path that none of the groups declares to a function as well: the gateway by itself reads the header of an unknown path
 * as a signature of its own, and answers 403 to whoever sends a key.
 */
export const mountElse = (api: apigateway.RestApi, groups: readonly Group[], integration: apigateway.Integration): void => {
  const declared = new Set(groups.flatMap(({ paths }) => paths.map(gatewayPath)));
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
