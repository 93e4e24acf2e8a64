import { Arn, ArnFormat, Stack, Validations } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { ENVIRONMENT, settingName } from "../../lib/aws/environment.ts";
import { UserError } from "../local/user-error.ts";

/** A function ends with its request: what is asked of a model has to be answered in this time. */
const SUGGESTION_MS = 24_000;

/** An inference profile leads to the model of its name in other regions, too. */
const PROFILE = /^(us|eu|apac|jp|au|ca|us-gov|global)\.(.+)$/;

/** The model that rewrites queries, `-c modelId=`; undefined for a stage without one. */
const modelId = (scope: Construct): string | undefined => {
  const id: unknown = scope.node.tryGetContext("modelId");
  if (id === undefined || id === "") return undefined;
  if (typeof id === "string" && /^[a-z0-9-]+(\.[A-Za-z0-9:_.-]+)+$/.test(id)) return id;
  throw new UserError(`-c modelId=${String(id)}: give the id of a model or an inference profile of Amazon Bedrock.`);
};

export const modelEnvironment = (scope: Construct): Readonly<Record<string, string>> => {
  const id = modelId(scope);
  return { [settingName("suggestionTimeMs")]: String(SUGGESTION_MS), ...(id !== undefined && { [ENVIRONMENT.model.id]: id }) };
};

/** Lets a function ask the one model: itself, or by the profile that leads to it. */
export const grantModel = (role: iam.Role): void => {
  const id = modelId(role);
  if (id === undefined) return;
  const stack = Stack.of(role);
  const [, , model] = PROFILE.exec(id) ?? [];
  const own = { service: "bedrock", arnFormat: ArnFormat.SLASH_RESOURCE_NAME } as const;
  if (model === undefined) {
    ask(role, [Arn.format({ ...own, account: "", resource: "foundation-model", resourceName: id }, stack)]);
    return;
  }
  const profile = Arn.format({ ...own, resource: "inference-profile", resourceName: id }, stack);
  const anywhere = Arn.format({ ...own, region: "*", account: "", resource: "foundation-model", resourceName: model }, stack);
  ask(role, [profile]);
  ask(role, [anywhere], { StringEquals: { "bedrock:InferenceProfileArn": profile } });
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:bedrock:*::foundation-model/${model}]`,
    reason: "The profile chooses the region; the condition holds the right to requests that come by this profile.",
  });
};

const ask = (role: iam.Role, resources: string[], conditions?: Record<string, Record<string, string>>): void => {
  role.addToPolicy(new iam.PolicyStatement({ actions: ["bedrock:InvokeModel"], resources, ...(conditions && { conditions }) }));
};
