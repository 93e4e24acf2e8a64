import type * as apigateway from "aws-cdk-lib/aws-apigateway";
import type { Group } from "../../lib/http/group.ts";
import { gatewayPath } from "./gateway-path.ts";

/** Mounts each declared path once, for every method: the group's own router picks the method, so that refusals are ours. */
export const mount = (api: apigateway.RestApi, group: Group, integration: apigateway.Integration): void => {
  for (const path of new Set(group.paths.map(gatewayPath))) api.root.resourceForPath(path).addMethod("ANY", integration);
};
