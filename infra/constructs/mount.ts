import type * as apigateway from "aws-cdk-lib/aws-apigateway";
import type { Group } from "../../lib/app/routes.ts";

/** Mounts each declared path once, for every method: the group's own router picks the method, so that refusals are ours. */
export const mount = (api: apigateway.RestApi, group: Group, integration: apigateway.Integration): void => {
  for (const path of new Set(group.paths.map(gatewayPath))) api.root.resourceForPath(path).addMethod("ANY", integration);
};

/**
 * Hands every other path to a function as well: the gateway by itself reads the header of an unknown path as a signature of its own,
 * and answers 403 to whoever sends a key.
 */
export const mountElse = (api: apigateway.RestApi, integration: apigateway.Integration): void => {
  api.root.addMethod("ANY", integration);
  api.root.resourceForPath("{proxy+}").addMethod("ANY", integration);
};

const PLAIN_PART = /^[a-zA-Z0-9._:$-]+$/;

/**
 * The gateway's resource for a declared path: without the last slash, and with one name for each depth in place of every hole and
 * of every part that the gateway does not take (such as `@me`), because it allows one name for a place. Our router reads the path itself.
 */
export const gatewayPath = (path: string): string =>
  path
    .split("/")
    .filter((part) => part !== "")
    .map((part, depth) => (PLAIN_PART.test(part) ? part : `{p${depth}}`))
    .join("/");
