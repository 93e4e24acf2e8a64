import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { type Notices, watched } from "./alarm.ts";
import { countedMetric } from "./counts.ts";
import { collectsPayments } from "./settings.ts";

/** Tells of payments of this stack's functions that somebody has to look at; nothing in a stage where nobody collects. */
export const paymentsAlarm = (scope: Construct, notices: Notices): void => {
  if (!collectsPayments(scope)) return;
  watched(scope, notices, {
    article: "payments-to-review",
    says: "A payment came that nothing was owed for, was disputed, or was not taken by the payment provider.",
    metric: countedMetric(scope, "PaymentsToReview", Duration.minutes(15)),
    above: 0,
  });
};
