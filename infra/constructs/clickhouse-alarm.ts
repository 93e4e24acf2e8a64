import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { type Notices, watched } from "./alarm.ts";
import { countedMetric } from "./counts.ts";
import { hasClickhouse } from "./settings.ts";

/** Tells of a ClickHouse that does not answer the functions of this stack; nothing in a stage that has none. */
export const clickhouseAlarm = (scope: Construct, notices: Notices): void => {
  if (!hasClickhouse(scope)) return;
  watched(scope, notices, {
    article: "clickhouse-unreachable",
    says: "ClickHouse did not answer. Queries that are too large for the platform's own engine are refused meanwhile.",
    metric: countedMetric(scope, "ClickHouseUnreachable", Duration.minutes(15)),
    above: 0,
  });
};
