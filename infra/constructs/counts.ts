import { type Duration, Stack, Validations } from "aws-cdk-lib";
import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import * as iam from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { ENVIRONMENT } from "../../lib/aws/environment.ts";
import type { CountName } from "../../lib/ports/counts.ts";
import { outerStackName } from "./outer-stack.ts";

/** The namespace of the metrics that a stack's own functions count, those of stacks within it among them. */
const metricNamespace = (scope: Construct): string => `platform/${outerStackName(scope)}`;

export const countedMetric = (scope: Construct, counted: CountName, period: Duration): cloudwatch.Metric =>
  new cloudwatch.Metric({ namespace: metricNamespace(scope), metricName: counted, period, statistic: "Sum" });

export const countsEnvironment = (scope: Construct): Readonly<Record<string, string>> => {
  const { region, urlSuffix } = Stack.of(scope);
  return {
    [ENVIRONMENT.metrics.url]: `https://monitoring.${region}.${urlSuffix}`,
    [ENVIRONMENT.metrics.namespace]: metricNamespace(scope),
  };
};

export const grantCounts = (role: iam.Role): void => {
  role.addToPolicy(
    new iam.PolicyStatement({
      actions: ["cloudwatch:PutMetricData"],
      resources: ["*"],
      conditions: { StringEquals: { "cloudwatch:namespace": metricNamespace(role) } },
    }),
  );
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM5[Resource::*]",
    reason: "A metric is no resource that a policy could name; the condition keeps the role to the namespace of its own stack.",
  });
};
