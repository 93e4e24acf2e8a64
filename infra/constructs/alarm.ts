import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";

/**
 * The ARN of the topic that alarms are sent to; undefined where nobody wants them. Made from the topic's name and not handed from stack
 * to stack: a reference that comes and goes with a setting could not be taken back while another stack holds it.
 */
export type Notices = string | undefined;

export interface Watched {
  /** The alarm's name and its article in the runbook. */
  readonly article: string;
  readonly says: string;
  readonly metric: cloudwatch.IMetric;
  /** Goes off above this. */
  readonly above?: number;
  /** Goes off below this, and where nothing is measured at all. */
  readonly below?: number;
  /** Periods that it must be so for, one after the other. */
  readonly periods?: number;
}

/** An alarm that says where its article is. Each costs money, so there are at most ten. */
export const watched = (scope: Construct, notices: Notices, { article, says, metric, above = 0, below, periods = 1 }: Watched): void => {
  const alarm = new cloudwatch.Alarm(scope, `${article}-alarm`, {
    metric,
    alarmDescription: `${says} What to do: infra/runbook.md#${article}`,
    threshold: below ?? above,
    comparisonOperator:
      below === undefined ? cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD : cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: periods,
    treatMissingData: below === undefined ? cloudwatch.TreatMissingData.NOT_BREACHING : cloudwatch.TreatMissingData.BREACHING,
  });
  if (notices !== undefined) alarm.addAlarmAction({ bind: () => ({ alarmActionArn: notices }) });
};
