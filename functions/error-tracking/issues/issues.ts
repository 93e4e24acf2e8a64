import * as z from "zod";
import { refusal, route } from "../../../lib/app/routes.ts";
import { Fingerprints } from "../../../lib/error-tracking/fingerprints.ts";
import { Issues, WRITABLE_STATUSES } from "../../../lib/error-tracking/issues.ts";
import { readLiveIssue } from "../../../lib/error-tracking/live-issues.ts";
import { SEVERITIES } from "../../../lib/error-tracking/severities.ts";
import { bare } from "../../../lib/http/errors.ts";
import { text } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { get, pages, page as readPage } from "../../../lib/table/store.ts";
import { BASE, read, TAGS, write } from "../place.ts";
import { formWithReferences } from "./forms-with-references.ts";
import { changeIssueFields } from "./issue-changes.ts";
import { IssueForm } from "./issue-form.ts";
import { knownIssue } from "./known-issue.ts";

const Elsewhere = {
  status: 308,
  description: "The fingerprint leads to another issue.",
  body: z.object({ issue_id: z.guid() }).meta({ id: "ErrorTrackingIssueElsewhere" }),
} as const;

const retrieve = route({
  method: "GET",
  path: `${BASE}/issues/{id}/`,
  summary: "Retrieve an issue",
  tags: TAGS,
  access: read,
  query: z.object({
    fingerprint: z.string().optional().meta({ description: "Where this fingerprint leads to another issue, the answer names that one." }),
  }),
  reply: json(200, IssueForm),
  errors: [Elsewhere],
  async handle({ params, query, grant, world }) {
    const project = grant.project.id;
    if (query.fingerprint) {
      const known = await get(world.table, Fingerprints, { project, fingerprint: query.fingerprint });
      const issue_id = known && ((await readLiveIssue(world.table, project, known.issue_id))?.id ?? known.issue_id);
      if (issue_id !== undefined && issue_id !== params.id.toLowerCase()) throw bare(308, { issue_id });
    }
    return formWithReferences(world, project, await knownIssue(world.table, project, params.id));
  },
});

/** Of a name and of a description that a person writes: far more than an exception's own have. */
export const MOST_CHARACTERS = 10_000;

const IssueChanges = z
  .object({
    status: z.enum(WRITABLE_STATUSES).optional(),
    severity: z.enum(SEVERITIES).nullable().optional(),
    name: text({ blank: true, max: MOST_CHARACTERS }).nullable().optional(),
    description: text({ blank: true, max: MOST_CHARACTERS }).nullable().optional(),
  })
  .meta({ id: "ErrorTrackingIssueChanges" });

const updates = (["PATCH", "PUT"] as const).map((method) =>
  route({
    method,
    path: `${BASE}/issues/{id}/`,
    summary: method === "PATCH" ? "Update an issue" : "Update an issue (as PATCH)",
    description: "A resolved issue comes back with its next exception; exceptions of a suppressed one are dropped.",
    tags: TAGS,
    access: write,
    body: IssueChanges,
    examples: { body: { status: "resolved", severity: "high", name: "Checkout fails" } },
    reply: json(200, IssueForm),
    find: ({ params, grant, world }) => knownIssue(world.table, grant.project.id, params.id),
    async handle({ found, body, grant, world }) {
      const { status, severity, name, description } = body;
      const set = {
        ...(status !== undefined && { status }),
        ...(severity !== undefined && { severity }),
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
      };
      return formWithReferences(world, found.project, await changeIssueFields(world, found, grant.caller.user.id, set));
    },
  }),
);

const destroy = refusal({
  method: "DELETE",
  path: `${BASE}/issues/{id}/`,
  summary: "Not offered: an issue is resolved, suppressed or merged",
  tags: TAGS,
  access: write,
  body: null,
});

const values = route({
  method: "GET",
  path: `${BASE}/issues/values/`,
  summary: "Names or descriptions that issues have",
  tags: TAGS,
  access: read,
  query: z.object({
    key: z.string().optional().meta({ description: "Which of the two to look through: `name` or `issue_description`." }),
    value: z.string().optional().meta({ description: "A part of it, whatever its case." }),
  }),
  reply: json(200, z.object({ results: z.array(z.object({ name: z.string() })), refreshing: z.literal(false) })),
  async handle({ query, grant, world }) {
    const found = query.key && query.value ? await issueValues(world.table, grant.project.id, query.key, query.value) : [];
    return { results: found.map((name) => ({ name })), refreshing: false as const };
  },
});

/** Suggestions of one answer, and the newest issues that they are looked for in. */
const MOST_VALUES = 50;
const MOST_ISSUES = 10_000;

/** Names or descriptions of the newest issues that hold a text, whatever its case. */
const issueValues = async (table: Table, project: number, key: string, part: string): Promise<readonly string[]> => {
  if (key !== "name" && key !== "issue_description") return [];
  const wanted = part.toLowerCase();
  const found = new Set<string>();
  let seen = 0;
  for await (const issues of pages(table, Issues, "key", { project }, { descending: true })) {
    for (const { name, description } of issues) {
      const value = key === "name" ? name : description;
      if (value?.toLowerCase().includes(wanted)) found.add(value);
      if (found.size >= MOST_VALUES) return [...found];
    }
    seen += issues.length;
    if (seen >= MOST_ISSUES) break;
  }
  return [...found];
};

const exists = route({
  method: "GET",
  path: `${BASE}/issues/exists/`,
  summary: "Whether the project has any issue",
  tags: TAGS,
  access: read,
  reply: json(200, z.object({ exists: z.boolean() })),
  async handle({ grant, world }) {
    const { items } = await readPage(world.table, Issues, "key", { project: grant.project.id }, { limit: 1 });
    return { exists: items.length > 0 };
  },
});

export const issueRoutes = [retrieve, ...updates, destroy, values, exists];
