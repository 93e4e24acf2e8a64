import { Issues } from "../../lib/entities/error-tracking/issues.ts";
import { issueList } from "../../lib/entities/error-tracking/list-names.ts";
import { PageQuery, page, paginated } from "../../lib/http/pagination.ts";
import { json } from "../../lib/http/reply.ts";
import { route } from "../../lib/http/route.ts";
import { windowOf } from "../../lib/table/paging.ts";
import { IssueForm, issueForm } from "./issue-form.ts";
import { BASE, read, TAGS } from "./place.ts";

const list = route({
  method: "GET",
  path: `${BASE}/issues/`,
  summary: "List issues",
  description: "Newest first.",
  tags: TAGS,
  access: read,
  query: PageQuery,
  reply: json(200, paginated(IssueForm)),
  async handle({ query, grant, world, request }) {
    const project = grant.project.id;
    const { count, items } = await windowOf(
      world.table,
      Issues,
      "key",
      { project },
      { ...query, descending: true, counter: issueList(project) },
    );
    return page(
      request,
      query,
      count,
      items.map((issue) => issueForm(issue)),
    );
  },
});

export const issueRoutes = [list];
