import * as z from "zod";
import { group, route } from "../../../lib/app/routes.ts";
import { CALLER_PARTITIONS } from "../../../lib/auth/caller-partitions.ts";
import { RUN_PARTITIONS } from "../../../lib/endpoints/run-partitions.ts";
import { page, paginated } from "../../../lib/http/pagination.ts";
import { json } from "../../../lib/http/reply.ts";
import { formsWithReferences } from "../issues/forms-with-references.ts";
import { IssueForm } from "../issues/issue-form.ts";
import { BASE, read, TAGS, underBothNames } from "../place.ts";
import { storedWindow } from "./list-issues.ts";
import { IssueListQuery, isStoredKey, readIssueListQuery } from "./parameters.ts";

const Step = z.object({ start: z.string(), count: z.int() });

const Aggregations = z
  .object({
    occurrences: z.int().optional(),
    users: z.int().optional(),
    sessions: z.int().optional(),
    last_seen: z.string().nullable().optional(),
    sparkline: z.array(Step).optional(),
  })
  .meta({ id: "ErrorTrackingIssueAggregations" });

const ListedIssue = IssueForm.extend({ aggregations: Aggregations.optional() }).meta({ id: "ErrorTrackingListedIssue" });

/** What reads exceptions, which lists of what is stored alone do not need. */
const loadCounts = () => import("./counted-issues.ts");

const list = route({
  method: "GET",
  path: `${BASE}/issues/`,
  summary: "List issues",
  description:
    "Newest first, unless `order_by` says otherwise. `count` is exact, whatever is asked for. In the order of their making a page is read in a few calls; filters and other orders look through all issues of the project, of which there may be 250,000. Dates, aggregations and orders by exceptions are computed from the events by each call, in one of the slots for runs.",
  tags: TAGS,
  access: read,
  query: IssueListQuery,
  reply: json(200, paginated(ListedIssue).meta({ id: "PaginatedErrorTrackingIssueList" })),
  errors: [400],
  async handle({ query, grant, world, request }) {
    const { id: project } = grant.project;
    const asked = readIssueListQuery(query);
    if (asked.dates === null && asked.aggregations.length === 0 && isStoredKey(asked.order.key)) {
      const { count, items } = await storedWindow(world.table, project, asked, query);
      return page(request, query, count, await formsWithReferences(world, project, items));
    }
    const { count, items, aggregations } = await (await loadCounts()).countedIssues(world, grant.project, asked, query);
    const forms = await formsWithReferences(world, project, items);
    const rows = forms.map((form, at) => ({ ...form, ...(aggregations && { aggregations: aggregations[at] ?? {} }) }));
    return page(request, query, count, rows);
  },
});

/** The list has a function of its own, because it may have to read events. */
export const issueList = group({
  name: "issue-list",
  gateway: "management",
  uses: {
    // Of a project the slots of its runs are written.
    table: {
      read: [...CALLER_PARTITIONS.read, ...RUN_PARTITIONS, "issueCount", "externalReferences"],
      lists: [...CALLER_PARTITIONS.lists, "project#{project}#external-references#{visibility}"],
      write: [...CALLER_PARTITIONS.write, "project"],
    },
    objects: { read: ["fresh", "events", "state"] },
    engine: true,
  },
  handler: "functions/error-tracking/issue-list-handler.ts",
  routes: underBothNames([list]),
});
