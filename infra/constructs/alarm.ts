import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";

/**
 * The ARN of the topic that alarms are sent to; undefined where nobody wants them. Made from the topic's name and not handed from stack
 * to stack: a reference that comes and goes with a setting could not be taken back while another stack holds it.
 */
export type Notices = string | undefined;

export interface WatchedMetric {
  /** The alarm's name and its article in the runbook. */
  readonly article: string;
  /** Whom it is about, where several alarms of a stack share an article. */
  readonly of?: string;
  readonly says: string;
  readonly metric: cloudwatch.IMetric;
  /** Goes off above this. */
  readonly above: number;
  /** Goes off, too, where nothing is measured at all. */
  readonly silence?: "alarm";
  /** Periods that it must be so for, one after the other. */
  readonly periods?: number;
}

/** An alarm that says where its article is. Each metric that one looks at costs money, so there are at most fifteen. */
export const watched = (
  scope: Construct,
  notices: Notices,
  { article, of, says, metric, above, silence, periods = 1 }: WatchedMetric,
): cloudwatch.Alarm => {
  const alarm = new cloudwatch.Alarm(scope, `${of === undefined ? "" : `${of}-`}${article}-alarm`, {
    metric,
    alarmDescription: `${says} What to do: infra/runbook.md#${article}`,
    threshold: above,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD,
    evaluationPeriods: periods,
    treatMissingData: silence === "alarm" ? cloudwatch.TreatMissingData.BREACHING : cloudwatch.TreatMissingData.NOT_BREACHING,
  });
  if (notices !== undefined) alarm.addAlarmAction({ bind: () => ({ alarmActionArn: notices }) });
  return alarm;
};
