import type { Group } from "../lib/app/routes.ts";
import type { Consumer } from "../lib/lambda/consumer.ts";
import type { Invocable } from "../lib/lambda/invocable.ts";
import type { Schedule } from "../lib/lambda/schedule.ts";
import { billing } from "./billing/routes.ts";
import { browser } from "./browser/group.ts";
import { capture } from "./capture/group.ts";
import { closing } from "./closing/schedule.ts";
import { code } from "./code/routes.ts";
import { builtConsole } from "./console/built-console.ts";
import { consoleGroup } from "./console/group.ts";
import { customerAnalytics } from "./customer-analytics/routes.ts";
import { dashboards } from "./dashboards/routes.ts";
import { describeGroups } from "./docs/description.ts";
import { docs } from "./docs/group.ts";
import { endpointRuns } from "./endpoint-runs/routes.ts";
import { endpointTrials } from "./endpoint-trials/routes.ts";
import { endpoints } from "./endpoints/routes.ts";
import { issueList } from "./error-tracking/issue-list/routes.ts";
import { errorTracking } from "./error-tracking/routes.ts";
import { health } from "./health/routes.ts";
import { iceberg } from "./iceberg/group.ts";
import { ingestHistorical, ingestLive } from "./ingest/consumers.ts";
import { jobs } from "./jobs/consumer.ts";
import { keys } from "./keys/routes.ts";
import { llmAnalytics } from "./llm-analytics/routes.ts";
import { notices } from "./notices/schedule.ts";
import { organizations } from "./organizations/routes.ts";
import { query } from "./query/routes.ts";
import { quotaLimits } from "./quota-limits/routes.ts";
import { reference } from "./reference/group.ts";
import { sharedDashboardsGroup } from "./shared-dashboards/group.ts";
import { sweeping } from "./sweep/schedule.ts";
import { tables } from "./tables/invocable.ts";

/**
 * The registry: everything that the platform serves, drains and runs by the clock. Read by the stacks, the local platform, the
 * API's description and the contract tests, so importing it loads no client, no engine and no parser.
 */
export const groups: readonly Group[] = [
  capture,
  browser,
  billing,
  code,
  endpoints,
  endpointRuns,
  endpointTrials,
  query,
  health,
  iceberg,
  dashboards,
  sharedDashboardsGroup(builtConsole),
  errorTracking,
  issueList,
  quotaLimits,
  organizations,
  customerAnalytics,
  keys,
  llmAnalytics,
  docs(describeGroups(() => groups)),
  reference,
  consoleGroup(builtConsole),
];

export const consumers: readonly Consumer[] = [ingestLive, ingestHistorical, jobs];

export const schedules: readonly Schedule[] = [sweeping, closing, notices];

export const invocables: readonly Invocable[] = [tables];
