import * as z from "zod";

/** Who looks after an issue: a user by number, or a role by UUID. */
export const Assignee = z
  .discriminatedUnion("type", [z.object({ type: z.literal("user"), id: z.int() }), z.object({ type: z.literal("role"), id: z.guid() })])
  .meta({ id: "ErrorTrackingAssignee" });
export type Assignee = z.output<typeof Assignee>;
