import * as z from "zod";
import { entity } from "../table/entity.ts";
import { SEVERITIES } from "./severities.ts";
import { ISSUE_LAYOUT, MERGED_ISSUE_LAYOUT } from "./stored/layouts.ts";

/** Statuses that a client may set; the other two are read where older data has them. */
export const WRITABLE_STATUSES = ["active", "resolved", "suppressed"] as const;
export const STATUSES = [...WRITABLE_STATUSES, "archived", "pending_release"] as const;

/** Who looks after an issue: a user by number, or a role by UUID. */
export const Assignee = z
  .discriminatedUnion("type", [z.object({ type: z.literal("user"), id: z.int() }), z.object({ type: z.literal("role"), id: z.guid() })])
  .meta({ id: "ErrorTrackingAssignee" });
export type Assignee = z.output<typeof Assignee>;

/** An issue gathers the exceptions of its fingerprints. */
export const Issues = entity({
  ...ISSUE_LAYOUT,
  schema: z.object({
    project: z.int(),
    id: z.guid(),
    status: z.enum(STATUSES),
    severity: z.enum(SEVERITIES).nullable(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    /** The least `first_seen` of its fingerprints, ISO 8601 with microseconds. */
    first_seen: z.string(),
    assignee: Assignee.nullable(),
    created_at: z.string(),
    /** When a new exception made it, and last opened it again. Absent where that was an import, a split, or an earlier release. */
    opened_at: z.string().optional(),
    reopened_at: z.string().optional(),
    /** When it was last resolved: an import reopens it only with what is later. Absent where it never was. */
    resolved_at: z.string().optional(),
    /** When it was last taken out of an issue that it was merged into. Absent where it never was. */
    restored_at: z.string().optional(),
    /** The fingerprint that it was made with; absent of issues that an earlier release made. */
    origin: z.string().optional(),
  }),
});
export type Issue = z.output<typeof Issues.schema>;

/** An issue that was merged into another, as it was then. Whatever leads to it leads to that one, until it is taken out again. */
export const MergedIssues = entity({
  ...MERGED_ISSUE_LAYOUT,
  schema: Issues.schema.extend({
    merged_into: z.guid(),
    merged_at: z.string(),
    /** The user who did it; null where a key of no user did. */
    merged_by: z.int().nullable(),
  }),
});
export type MergedIssue = z.output<typeof MergedIssues.schema>;
