import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import { SnsAction } from "aws-cdk-lib/aws-cloudwatch-actions";
import type { ITopic } from "aws-cdk-lib/aws-sns";
import type { Construct } from "constructs";

/** Where alarms are sent; undefined where nobody wants them. */
export type Notices = ITopic | undefined;

export interface Watched {
  /** The alarm's name and its article in the runbook. */
  readonly article: string;
  readonly says: string;
  readonly metric: cloudwatch.Metric;
  /** Goes off above this, in one period. */
  readonly above: number;
}

/** An alarm that says where its article is. Each costs money, so there are at most ten. */
export const watched = (scope: Construct, notices: Notices, { article, says, metric, above }: Watched): void => {
  const alarm = metric.createAlarm(scope, `${article}-alarm`, {
    alarmDescription: `${says} What to do: infra/runbook.md#${article}`,
    threshold: above,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: 1,
    treatMissingData: cloudwatch.TreatMissingData.NOT_BREACHING,
  });
  if (notices) alarm.addAlarmAction(new SnsAction(notices));
};
