import * as iam from "aws-cdk-lib/aws-iam";
import { ENVIRONMENT } from "../../lib/aws/environment.ts";
import type { EventLake } from "./event-lake.ts";
import { publishesTables } from "./settings.ts";

/**
 * The role whose keys a function lends to readers of the open tables, where the stage publishes them: it fetches files of all
 * projects, and what it is taken on for is held to those of one by the function. Returns what the function has to know.
 */
export const readerRole = (lender: iam.Role, lake: EventLake): Readonly<Record<string, string>> => {
  if (!publishesTables(lender)) return {};
  const role = new iam.Role(lender, "reader", { assumedBy: new iam.ArnPrincipal(lender.roleArn) });
  lake.grantFetch(role, ["iceberg", "events", "state"]);
  lender.addToPolicy(new iam.PolicyStatement({ actions: ["sts:AssumeRole"], resources: [role.roleArn] }));
  return { [ENVIRONMENT.readerRole]: role.roleArn };
};
