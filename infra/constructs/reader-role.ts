import * as iam from "aws-cdk-lib/aws-iam";
import { ENVIRONMENT } from "../../lib/aws/environment.ts";
import type { EventLake } from "./event-lake.ts";
import { publishesTables } from "./settings.ts";

/**
 * The role whose credentials a function vends to readers of the open tables, where the stage publishes them: it fetches files of all
 * projects, and what it is taken on for is held to those of one by the function. Returns what the function has to know.
 */
export const readerRole = (functionRole: iam.Role, lake: EventLake): Readonly<Record<string, string>> => {
  if (!publishesTables(functionRole)) return {};
  const role = new iam.Role(functionRole, "reader", { assumedBy: new iam.ArnPrincipal(functionRole.roleArn) });
  lake.grantFetch(role, ["iceberg", "events", "state"]);
  functionRole.addToPolicy(new iam.PolicyStatement({ actions: ["sts:AssumeRole"], resources: [role.roleArn] }));
  return { [ENVIRONMENT.readerRole]: role.roleArn };
};
