import { Duration, Stack, Validations } from "aws-cdk-lib";
import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import * as codedeploy from "aws-cdk-lib/aws-codedeploy";
import * as iam from "aws-cdk-lib/aws-iam";
import type * as lambda from "aws-cdk-lib/aws-lambda";
import { capture } from "../../functions/capture/group.ts";
import { endpointRuns } from "../../functions/endpoint-runs/routes.ts";
import { ingestHistorical, ingestLive } from "../../functions/ingest/consumers.ts";
import { type Notices, watched } from "./alarm.ts";
import { isOn } from "./settings.ts";

/** The functions whose new versions are tried on a tenth of what comes: those that take, store and answer. */
const TRIED: readonly string[] = [capture, ingestLive, ingestHistorical, endpointRuns].map(({ name }) => name);

/**
 * Whom to call for a function: itself, or in a stage with `-c gradual=true`, where it is one of those that matter, an alias that hands a tenth
 * of the calls to a new version for five minutes, and all of them back to the old one when the new one fails.
 */
export const gradually = (made: lambda.Function, name: string, notices: Notices): lambda.IFunction => {
  const scope = Stack.of(made);
  if (!isOn(scope, "gradual") || !TRIED.includes(name)) return made;
  const alias = made.addAlias("current");
  const alarm = watched(scope, notices, {
    article: "new-version-errors",
    of: name,
    says: `Calls of ${name} failed while a new version was tried; the calls go to the one before it.`,
    metric: alias.metricErrors({ period: Duration.minutes(1), statistic: cloudwatch.Stats.SUM }),
    above: 0,
  });
  new codedeploy.LambdaDeploymentGroup(scope, `${name}-versions`, {
    application: application(scope),
    role: deployRole(scope),
    alias,
    deploymentConfig: codedeploy.LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
    alarms: [alarm],
  });
  return callable(alias);
};

/** An alias is a function to whoever calls it; its type says `undefined` of a role where the interface has none. */
const callable = (alias: lambda.Alias): lambda.IFunction => alias as lambda.IFunction;

const APPLICATION = "versions";
const ROLE = "versions-role";

/** One for each stack: the first function that asks has it made. */
const application = (stack: Stack): codedeploy.ILambdaApplication => {
  const found = stack.node.tryFindChild(APPLICATION);
  return found instanceof codedeploy.LambdaApplication ? found : new codedeploy.LambdaApplication(stack, APPLICATION);
};

/** What shifts the calls may move the aliases of this stack's functions, and look at the alarms. */
const deployRole = (stack: Stack): iam.IRole => {
  const found = stack.node.tryFindChild(ROLE);
  if (found instanceof iam.Role) return found;
  const role = new iam.Role(stack, ROLE, {
    assumedBy: new iam.ServicePrincipal("codedeploy.amazonaws.com"),
    managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName("service-role/AWSCodeDeployRoleForLambdaLimited")],
  });
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited]",
    reason:
      "The service says with this policy what it needs to move an alias; it may call no function but those of hooks, of which there are none.",
  });
  return role;
};
