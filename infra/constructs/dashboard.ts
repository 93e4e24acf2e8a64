import { Duration } from "aws-cdk-lib";
import type { RestApi } from "aws-cdk-lib/aws-apigateway";
import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import type { GuardedQueue } from "./guarded-queue.ts";

const PERIOD = Duration.minutes(5);
const HALF_WIDTH = 12;

/** One screen for whoever looks after the platform. It has a monthly price, so it is made only where the setting `dashboard` is true. */
export const dashboard = (scope: Construct, hosts: readonly RestApi[], queues: readonly GuardedQueue[]): void => {
  const graph = (title: string, left: cloudwatch.IMetric[]) => new cloudwatch.GraphWidget({ title, left, width: HALF_WIDTH });
  new cloudwatch.Dashboard(scope, "dashboard").addWidgets(
    graph(
      "Requests",
      hosts.map((host) => host.metricCount({ period: PERIOD })),
    ),
    graph(
      "Server errors",
      hosts.map((host) => host.metricServerError({ period: PERIOD, statistic: "Sum" })),
    ),
    graph(
      "Oldest message",
      queues.map(({ queue }) => queue.metricApproximateAgeOfOldestMessage({ period: PERIOD })),
    ),
    graph(
      "Dead letters",
      queues.map(({ deadLetters }) => deadLetters.metricApproximateNumberOfMessagesVisible({ period: PERIOD })),
    ),
  );
};
