import * as z from "zod";
import { entity } from "../table/entity.ts";
import { ACTIVITY_LAYOUT } from "./stored/layouts.ts";

/** What can be done with an issue and is noted. That it was created is told by the issue itself. */
export const NOTED_ACTIVITIES = [
  "status_changed",
  "severity_changed",
  "assigned",
  "renamed",
  "merged",
  "unmerged",
  "split",
  "reopened",
] as const;

/** What was done with an issue, when and by whom. Written by `activityWrite`, and kept for a year. */
export const IssueActivities = entity({
  ...ACTIVITY_LAYOUT,
  schema: z.object({
    project: z.int(),
    issue_id: z.guid(),
    id: z.guid(),
    activity: z.enum(NOTED_ACTIVITIES),
    detail: z.record(z.string(), z.json()),
    /** Null where an exception did it. */
    user_id: z.int().nullable(),
    created_at: z.string(),
  }),
});
export type IssueActivity = z.output<typeof IssueActivities.schema>;
