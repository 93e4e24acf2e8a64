import { Duration } from "aws-cdk-lib";
import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import { type Notices, watched } from "./alarm.ts";
import type { SingleTable } from "./single-table.ts";

const PERIOD = Duration.minutes(5);

/** A peak is refused now and then, and tried again; what is refused for so many periods is a limit that is too low. */
const PERIODS = 3;

/** Tells of calls that the service refused because too many functions of the account ran at once: one metric for all of them. */
export const functionThrottleAlarm = (scope: Construct, notices: Notices): cloudwatch.Alarm =>
  watched(scope, notices, {
    article: "function-throttles",
    says: "Functions of this account were not started, because too many ran at once.",
    metric: new cloudwatch.Metric({ namespace: "AWS/Lambda", metricName: "Throttles", period: PERIOD, statistic: "Sum" }),
    above: 0,
    periods: PERIODS,
  });

/** Tells of writes that the table refused. A key takes a third as many of them as reads, and what reads are refused for is seen by callers. */
export const tableThrottleAlarm = (scope: Construct, table: SingleTable, notices: Notices): cloudwatch.Alarm =>
  watched(scope, notices, {
    article: "table-throttles",
    says: "The table refused writes.",
    metric: new cloudwatch.Metric({
      namespace: "AWS/DynamoDB",
      metricName: "WriteThrottleEvents",
      dimensionsMap: { TableName: table.name },
      period: PERIOD,
      statistic: "Sum",
    }),
    above: 0,
    periods: PERIODS,
  });
