import * as z from "zod";
import { Assignee, type Issue, STATUSES } from "../../../lib/error-tracking/issues.ts";
import { SEVERITIES } from "../../../lib/error-tracking/severities.ts";
import { shortMicros } from "../timestamps.ts";

/** An issue at a provider that belongs to one of ours. */
export const ExternalIssue = z
  .object({
    id: z.guid(),
    integration: z.object({ id: z.int(), kind: z.string(), display_name: z.string() }),
    external_url: z.string(),
    external_id: z.string(),
    title: z.string(),
  })
  .meta({ id: "ErrorTrackingExternalIssue" });

/** An issue as sent. */
export const IssueForm = z
  .object({
    id: z.guid(),
    status: z.enum(STATUSES),
    severity: z.enum(SEVERITIES).nullable(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    first_seen: z.string(),
    assignee: Assignee.nullable(),
    external_issues: z.array(ExternalIssue),
    cohort: z.object({ id: z.int(), name: z.string() }).nullable(),
  })
  .meta({ id: "ErrorTrackingIssue" });

export const issueForm = (
  { id, status, severity, name, description, first_seen, assignee }: Issue,
  external: readonly z.input<typeof ExternalIssue>[] = [],
): z.input<typeof IssueForm> => ({
  id,
  status,
  severity,
  name,
  description,
  first_seen: shortMicros(first_seen),
  assignee,
  external_issues: [...external],
  cohort: null,
});
