import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import { QUEUES } from "../../lib/ports/queues.ts";
import type { ApiStack } from "./api.ts";
import type { IngestStack } from "./ingest.ts";
import type { WorkersStack } from "./workers.ts";

interface WatchProps extends StackProps {
  readonly api: ApiStack;
  readonly ingest: IngestStack;
  readonly workers: WorkersStack;
}

const PERIOD = Duration.minutes(5);
const HALF_WIDTH = 12;

/** One screen for whoever looks after the platform. It has a monthly price, so it is made only for `-c dashboard=true`. */
export class WatchStack extends Stack {
  constructor(scope: Construct, id: string, { api, ingest, workers, ...props }: WatchProps) {
    super(scope, id, props);
    const queues = { ...ingest.queues, jobs: workers.jobs };
    const hosts = [ingest.host.api, api.host.api];
    const graph = (title: string, left: cloudwatch.IMetric[]) => new cloudwatch.GraphWidget({ title, left, width: HALF_WIDTH });
    const dashboard = new cloudwatch.Dashboard(this, "dashboard");
    dashboard.addWidgets(
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
        QUEUES.map((queue) => queues[queue].queue.metricApproximateAgeOfOldestMessage({ period: PERIOD })),
      ),
      graph(
        "Dead letters",
        QUEUES.map((queue) => queues[queue].deadLetters.metricApproximateNumberOfMessagesVisible({ period: PERIOD })),
      ),
    );
  }
}
