import { Stack } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import type * as lambda from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { Uses } from "../../lib/app/uses.ts";
import { ENVIRONMENT } from "../../lib/aws/environment.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import type { InvocableName } from "../../lib/ports/invocations.ts";

/** The functions that others may start. */
export type Invoked = Partial<Readonly<Record<InvocableName, lambda.Function>>>;

export const invocationsEnvironment = (scope: Construct, { invocations }: Uses, invoked: Invoked): Readonly<Record<string, string>> => {
  if (invocations === undefined) return {};
  const { region, urlSuffix } = Stack.of(scope);
  return {
    [ENVIRONMENT.invocations.url]: `https://lambda.${region}.${urlSuffix}`,
    ...Object.fromEntries(invocations.map((name) => [ENVIRONMENT.invocations.functions[name], made(invoked, name).functionName])),
  };
};

/** To call them without waiting for what they do. */
export const grantInvocations = (role: iam.Role, { invocations = [] }: Uses, invoked: Invoked): void => {
  for (const name of invocations)
    role.addToPolicy(new iam.PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [made(invoked, name).functionArn] }));
};

const made = (invoked: Invoked, name: InvocableName): lambda.Function => {
  const found = invoked[name];
  if (found === undefined) throw new Defect(`the function ${name} is made later than what starts it`);
  return found;
};
