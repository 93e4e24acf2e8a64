import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import type { CountName } from "../../lib/ports/counts.ts";
import { type Notices, type WatchedMetric, watched } from "./alarm.ts";
import { countedMetric } from "./counts.ts";
import { collectsPayments, hasClickhouse } from "./settings.ts";

interface CountedAlarm extends Pick<WatchedMetric, "article" | "says"> {
  readonly counted: CountName;
  /** Whether anything can be counted in the stage of a scope. */
  readonly isWanted: (scope: Construct) => boolean;
}

const COUNTED_ALARMS: readonly CountedAlarm[] = [
  {
    counted: "ClickHouseUnreachable",
    isWanted: hasClickhouse,
    article: "clickhouse-unreachable",
    says: "ClickHouse did not answer. Queries that are too large for the platform's own engine are refused meanwhile.",
  },
  {
    counted: "PaymentsToReview",
    isWanted: collectsPayments,
    article: "payments-to-review",
    says: "A payment came that nothing was owed for, was disputed, or was not taken by the payment provider.",
  },
];

/** Tells of what this stack's functions count that somebody has to look at, however rarely it comes. */
export const countedAlarms = (scope: Construct, notices: Notices): void => {
  for (const { counted, isWanted, article, says } of COUNTED_ALARMS) {
    if (!isWanted(scope)) continue;
    watched(scope, notices, { article, says, metric: countedMetric(scope, counted, Duration.minutes(15)), above: 0 });
  }
};
