import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { forEachConcurrent } from "../../../lib/core/concurrency.ts";
import { MergedIssues, STATUSES, WRITABLE_STATUSES } from "../../../lib/error-tracking/issues.ts";
import { readLiveIssues } from "../../../lib/error-tracking/live-issues.ts";
import { type Merging, mergeIssues } from "../../../lib/error-tracking/merge-issues.ts";
import { countByMerged } from "../../../lib/error-tracking/merged-fingerprints.ts";
import { splitIssue } from "../../../lib/error-tracking/split-issue.ts";
import { unmergeIssues } from "../../../lib/error-tracking/unmerge-issues.ts";
import { ApiError, invalid, notFound } from "../../../lib/http/errors.ts";
import { integer, text, uuid } from "../../../lib/http/fields.ts";
import { PageQuery, page, paginated } from "../../../lib/http/pagination.ts";
import { json } from "../../../lib/http/reply.ts";
import { readWindow } from "../../../lib/table/paging.ts";
import { AssigneeField, checkAssignee } from "../assignee.ts";
import { BASE, read, TAGS, write } from "../place.ts";
import { shortMicros } from "../timestamps.ts";
import { changeIssueFields, type IssueChanges } from "./issue-changes.ts";
import { MOST_CHARACTERS } from "./issues.ts";
import { knownIssue } from "./known-issue.ts";

/** Issues that one call names at most. */
const MOST_IDS = 1_000;

const Done = z.object({ success: z.boolean() }).meta({ id: "ErrorTrackingSuccess" });

const Merged = z
  .object({
    success: z.boolean(),
    finished: z.boolean().optional(),
  })
  .meta({ id: "ErrorTrackingMerging" });

/** That all is moved goes without saying. */
const mergedForm = ({ success, finished }: Merging): z.input<typeof Merged> => ({ success, ...(!finished && { finished }) });

const ids = () => z.array(uuid()).min(1).max(MOST_IDS);

const merge = route({
  method: "POST",
  path: `${BASE}/issues/{id}/merge/`,
  summary: "Merge other issues into this one",
  description:
    "From now on whatever leads to them leads here: their ids, their fingerprints and all of their exceptions. Where many are merged, moving their fingerprints may go on in the background. `unmerge` takes them out again.",
  tags: TAGS,
  access: write,
  body: z.object({ ids: ids() }),
  examples: { body: { ids: ["0190d0aa-0000-7000-8000-000000000002"] } },
  reply: json(200, Merged),
  find: ({ params, grant, world }) => knownIssue(world.table, grant.project.id, params.id),
  handle: async ({ found, body, grant, world }) => mergedForm(await mergeIssues(world, found, body.ids, grant.caller.user.id)),
});

const unmerge = route({
  method: "POST",
  path: `${BASE}/issues/{id}/unmerge/`,
  summary: "Take merged issues out of this one",
  description:
    "Each is an issue again as it was, with the fingerprints that came by it. Ids that were not merged into this issue are passed over.",
  tags: TAGS,
  access: write,
  body: z.object({ ids: ids() }),
  examples: { body: { ids: ["0190d0aa-0000-7000-8000-000000000002"] } },
  reply: json(200, Merged),
  find: ({ params, grant, world }) => knownIssue(world.table, grant.project.id, params.id),
  handle: async ({ found, body, grant, world }) => mergedForm(await unmergeIssues(world, found, body.ids, grant.caller.user.id)),
});

const MergedForm = z
  .object({
    id: z.guid(),
    name: z.string().nullable(),
    description: z.string().nullable(),
    status: z.enum(STATUSES),
    first_seen: z.string(),
    merged_at: z.string(),
    merged_by: z.int().nullable(),
    fingerprints: z.int(),
  })
  .meta({ id: "ErrorTrackingMergedIssue" });

const merged = route({
  method: "GET",
  path: `${BASE}/issues/{id}/merged/`,
  summary: "List what was merged into this issue",
  description: "The oldest merge first. An issue that was merged into one of these is listed there.",
  tags: TAGS,
  access: read,
  query: PageQuery,
  reply: json(200, paginated(MergedForm)),
  find: ({ params, grant, world }) => knownIssue(world.table, grant.project.id, params.id),
  async handle({ found, query, world, request }) {
    const { project, id } = found;
    const { count, items } = await readWindow(world.table, MergedIssues, "into", { project, merged_into: id }, query);
    const counts = await countByMerged(world.table, found, items);
    const forms = items.map((each) => ({
      id: each.id,
      name: each.name,
      description: each.description,
      status: each.status,
      first_seen: shortMicros(each.first_seen),
      merged_at: shortMicros(each.merged_at),
      merged_by: each.merged_by,
      fingerprints: counts.get(each.id) ?? 0,
    }));
    return page(request, query, count, forms);
  },
});

const PartField = z.object({
  fingerprint: z.string(),
  name: text({ blank: true, max: MOST_CHARACTERS }).nullable().optional(),
  description: text({ blank: true, max: MOST_CHARACTERS }).nullable().optional(),
});

const split = route({
  method: "POST",
  path: `${BASE}/issues/{id}/split/`,
  summary: "Give fingerprints of this issue issues of their own",
  description: "Spikes of this issue are forgotten. New issues are active, and nobody looks after them yet.",
  tags: TAGS,
  access: write,
  body: z.object({ fingerprints: z.array(PartField).max(MOST_IDS).default([]) }),
  examples: { body: { fingerprints: [{ fingerprint: "9f86d081884c7d65", name: "Another matter", description: null }] } },
  reply: json(200, z.object({ success: z.literal(true), new_issue_ids: z.array(z.guid()) })),
  find: ({ params, grant, world }) => knownIssue(world.table, grant.project.id, params.id),
  async handle({ found, body, grant, world }) {
    return { success: true as const, new_issue_ids: [...(await splitIssue(world, found, body.fingerprints, grant.caller.user.id))] };
  },
});

const assign = route({
  method: "PATCH",
  path: `${BASE}/issues/{id}/assign/`,
  summary: "Assign an issue to a user or a role, or to nobody",
  tags: TAGS,
  access: write,
  body: z.object({ assignee: AssigneeField.nullable() }),
  examples: { body: { assignee: { type: "user", id: 1 } } },
  reply: json(200, Done),
  find: ({ params, grant, world }) => knownIssue(world.table, grant.project.id, params.id),
  async handle({ found, body, grant, world }) {
    await checkAssignee(world.table, grant.organization.id, body.assignee);
    await changeIssueFields(world, found, grant.caller.user.id, { assignee: body.assignee });
    return { success: true };
  },
});

const cohort = route({
  method: "PUT",
  path: `${BASE}/issues/{id}/cohort/`,
  summary: "Tie an issue to a cohort",
  description: "There are no cohorts here, so every one is unknown.",
  tags: TAGS,
  access: write,
  body: z.object({ cohortId: integer() }),
  examples: { body: { cohortId: 1 } },
  reply: json(200, Done),
  find: ({ params, grant, world }) => knownIssue(world.table, grant.project.id, params.id),
  async handle() {
    throw notFound("Cohort not found");
  },
});

const Bulk = z.object({
  action: z.enum(["set_status", "assign"]),
  ids: ids(),
  status: z.enum(WRITABLE_STATUSES).optional(),
  assignee: AssigneeField.nullable().optional(),
});

/** What an action sets; throws 400 where the field that it takes is not sent. */
const bulkChange = ({ action, status, assignee }: z.output<typeof Bulk>): IssueChanges => {
  switch (action) {
    case "set_status":
      if (status === undefined) throw missingField("status");
      return { status };
    case "assign":
      if (assignee === undefined) throw missingField("assignee");
      return { assignee };
  }
};

const missingField = (name: string): ApiError => invalid(name, "This field is required.", "required");

/** Issues changed side by side. */
const CONCURRENCY = 8;

const bulk = route({
  method: "POST",
  path: `${BASE}/issues/bulk/`,
  summary: "Change the status or the assignee of several issues",
  description: "Issues that are not there are passed over.",
  tags: TAGS,
  access: write,
  body: Bulk,
  examples: { body: { action: "set_status", ids: ["0190d0aa-0000-7000-8000-000000000001"], status: "resolved" } },
  reply: json(200, Done),
  async handle({ body, grant, world }) {
    const set = bulkChange(body);
    if (set.assignee !== undefined) await checkAssignee(world.table, grant.organization.id, set.assignee);
    const found = await readLiveIssues(world.table, grant.project.id, body.ids);
    // Several ids may lead to one issue.
    const issues = new Map([...found.values()].map((issue) => [issue.id, issue]));
    await forEachConcurrent(issues.values(), CONCURRENCY, async (issue) => {
      try {
        await changeIssueFields(world, issue, grant.caller.user.id, set);
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error;
      }
    });
    return { success: true };
  },
});

export const issueActionRoutes = [merge, unmerge, merged, split, assign, cohort, bulk];
