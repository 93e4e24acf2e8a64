import { Validations } from "aws-cdk-lib";
import type * as iam from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { isOn } from "./settings.ts";

/** Whether the stage's gateways and functions are traced, `-c traces=true`. */
export const traced = (scope: Construct): boolean => isOn(scope, "traces");

export const acknowledgeTraces = (role: iam.Role): void =>
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM5[Resource::*]",
    reason: "A trace is no resource that a policy could name: whoever may send one may send any.",
  });
