import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { projectKey } from "../../../lib/auth/access.ts";
import { NOTED_ACTIVITIES } from "../../../lib/error-tracking/issue-activities.ts";
import { NumberedPageQuery, numberedPage, paginated } from "../../../lib/http/pagination.ts";
import { json } from "../../../lib/http/reply.ts";
import { type User, Users } from "../../../lib/organizations/users.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { getMany } from "../../../lib/table/store.ts";
import { BASE, TAGS } from "../place.ts";
import { shortMicros } from "../timestamps.ts";
import { type ActivityEntry, issueActivity, projectActivity } from "./activity-list.ts";
import { knownIssue } from "./known-issue.ts";

const access = projectKey("activity_log:read");

const ActivityForm = z
  .object({
    id: z.guid(),
    issue_id: z.guid(),
    activity: z.enum(["created", ...NOTED_ACTIVITIES]),
    detail: z.record(z.string(), z.unknown()),
    user: z.object({ id: z.int(), first_name: z.string(), email: z.string() }).nullable(),
    created_at: z.string(),
  })
  .meta({ id: "ErrorTrackingIssueActivity" });

const ofIssue = route({
  method: "GET",
  path: `${BASE}/issues/{id}/activity/`,
  summary: "What was done with an issue, and by whom",
  description: "Newest first. Entries are kept for a year.",
  tags: TAGS,
  access,
  query: NumberedPageQuery,
  reply: json(200, paginated(ActivityForm)),
  find: ({ params, grant, world }) => knownIssue(world.table, grant.project.id, params.id),
  async handle({ found, query, world, request }) {
    const { count, entries } = await issueActivity(world.table, found, windowOf(query));
    return numberedPage(request, query, count, await forms(world.table, entries));
  },
});

const ofProject = route({
  method: "GET",
  path: `${BASE}/issues/activity/`,
  summary: "What was done with the issues of a project, and by whom",
  description: "Newest first: the newest 10,000 entries of the last year. Ask an issue for older ones.",
  tags: TAGS,
  access,
  query: NumberedPageQuery,
  reply: json(200, paginated(ActivityForm)),
  async handle({ query, grant, world, request }) {
    const { count, entries } = await projectActivity(world.table, grant.project.id, windowOf(query));
    return numberedPage(request, query, count, await forms(world.table, entries));
  },
});

const windowOf = ({ limit, page }: z.output<typeof NumberedPageQuery>) => ({ limit, offset: (page - 1) * limit });

/** Entries as sent, with what the users who did it are called now; nobody for one who is gone. */
const forms = async (table: Table, entries: readonly ActivityEntry[]): Promise<z.input<typeof ActivityForm>[]> => {
  const ids = [...new Set(entries.flatMap(({ user_id }) => user_id ?? []))];
  const found =
    ids.length === 0
      ? []
      : await getMany(
          table,
          Users,
          ids.map((id) => ({ id })),
        );
  const users = new Map(found.map((user) => [user.id, summary(user)]));
  return entries.map(({ id, issue_id, activity, detail, user_id, created_at }) => ({
    id,
    issue_id,
    activity,
    detail,
    user: users.get(user_id ?? 0) ?? null,
    created_at: shortMicros(created_at),
  }));
};

const summary = ({ id, first_name, email }: User) => ({ id, first_name, email });

export const activityRoutes = [ofIssue, ofProject];
