import type { Group } from "../lib/app/routes.ts";
import { billing } from "./billing/routes.ts";
import { browser } from "./browser/group.ts";
import { describedCapture } from "./capture/described-group.ts";
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
import { keys } from "./keys/routes.ts";
import { llmAnalytics } from "./llm-analytics/routes.ts";
import { organizations } from "./organizations/routes.ts";
import { query } from "./query/routes.ts";
import { quotaLimits } from "./quota-limits/routes.ts";
import { reference } from "./reference/group.ts";
import { sharedDashboardsGroup } from "./shared-dashboards/group.ts";

export { consumers, invocables, schedules } from "./workers.ts";

/**
 * The registry, with everything that the platform drains and runs by the clock: all that it serves. Read by the stacks, the local
 * platform, the API's description and the contract tests, so importing it loads no client, no engine and no parser.
 */
export const groups: readonly Group[] = [
  describedCapture,
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
