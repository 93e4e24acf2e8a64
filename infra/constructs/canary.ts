import { Duration } from "aws-cdk-lib";
import * as events from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type { Construct } from "constructs";
import { canary } from "../../functions/canary/schedule.ts";
import { type Notices, watched } from "./alarm.ts";
import { countedMetric } from "./counts.ts";
import { platformFunction, type Surroundings } from "./http-function.ts";
import { given } from "./settings.ts";

const PERIOD = Duration.minutes(15);

/** Of three events in a quarter of an hour one may be late, as when functions are replaced. */
const LATE_AT_MOST = 1;

/** The function that follows an event through the stage; it runs, and is watched, only where the stage has a token for it. */
export const canaryFunction = (scope: Construct, around: Surroundings, urls: Readonly<Record<string, string>>, notices: Notices): void => {
  const made = platformFunction(scope, canary, around, urls);
  if (given(scope, "canary") === undefined) return;
  made.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
  new events.Rule(scope, "canary-rule", {
    schedule: events.Schedule.expression(`rate(${canary.every})`),
    targets: [new LambdaFunction(made)],
  });
  watched(scope, notices, {
    article: "canary-missing",
    says: "Events that the ingest host took were seen by no query a minute later.",
    metric: countedMetric(scope, "AcceptedNotQueryable", PERIOD),
    above: LATE_AT_MOST,
  });
  watched(scope, notices, {
    article: "canary-errors",
    says: "The ingest host does not take the platform's own event, or nobody sends it.",
    metric: made.metricErrors({ period: PERIOD, statistic: "Sum" }),
    above: LATE_AT_MOST,
    silence: "alarm",
  });
};
