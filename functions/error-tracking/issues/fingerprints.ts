import * as z from "zod";
import { refusal, route } from "../../../lib/app/routes.ts";
import { isHyphenatedUuid } from "../../../lib/core/uuid.ts";
import { type Fingerprint, Fingerprints } from "../../../lib/error-tracking/fingerprints.ts";
import type { Issue } from "../../../lib/error-tracking/issues.ts";
import { readLiveIssue, readLiveIssues } from "../../../lib/error-tracking/live-issues.ts";
import { invalid, notFound } from "../../../lib/http/errors.ts";
import { boolean } from "../../../lib/http/fields.ts";
import { PageQuery, page, paginated } from "../../../lib/http/pagination.ts";
import { json } from "../../../lib/http/reply.ts";
import type { Condition, Table } from "../../../lib/ports/table.ts";
import { counting, readWindow } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { get, page as readPage, require, updating } from "../../../lib/table/store.ts";
import { transact, unchanged } from "../../../lib/table/transact.ts";
import { untilWritten } from "../../../lib/table/until-written.ts";
import { BASE, read, TAGS, write } from "../place.ts";
import { shortMicros } from "../timestamps.ts";

export const FingerprintForm = z
  .object({
    id: z.guid(),
    fingerprint: z.string(),
    issue_id: z.guid(),
    created_at: z.string(),
    first_seen: z.string().nullable(),
  })
  .meta({ id: "ErrorTrackingFingerprint" });

type Form = z.input<typeof FingerprintForm>;

/** Fingerprints as sent, each with the issue that it leads to now. */
const fingerprintForms = async (table: Table, project: number, known: readonly Fingerprint[]): Promise<Form[]> => {
  const issues = await readLiveIssues(
    table,
    project,
    known.map(({ issue_id }) => issue_id),
  );
  return known.map((each) => fingerprintForm(each, issues.get(each.issue_id)));
};

const liveForm = async (table: Table, known: Fingerprint): Promise<Form> =>
  fingerprintForm(known, await readLiveIssue(table, known.project, known.issue_id));

const fingerprintForm = ({ id, fingerprint, issue_id, created_at, first_seen }: Fingerprint, issue: Issue | undefined): Form => ({
  id,
  fingerprint,
  issue_id: issue?.id ?? issue_id,
  created_at: shortMicros(created_at),
  first_seen: first_seen === null ? null : shortMicros(first_seen),
});

const list = route({
  method: "GET",
  path: `${BASE}/fingerprints/`,
  summary: "List fingerprints",
  description: "Oldest first.",
  tags: TAGS,
  access: read,
  query: PageQuery.extend({ issue_id: z.string().optional().meta({ description: "Only those of this issue." }) }),
  reply: json(200, paginated(FingerprintForm)),
  async handle({ query, grant, world, request }) {
    const project = grant.project.id;
    const visibility = "shown" as const;
    const { issue_id } = query;
    if (issue_id && !isHyphenatedUuid(issue_id)) throw invalid("issue_id", "Must be a valid UUID.");
    const live = issue_id ? ((await readLiveIssue(world.table, project, issue_id.toLowerCase()))?.id ?? issue_id.toLowerCase()) : null;
    const { count, items } = live
      ? await readWindow(world.table, Fingerprints, "ofIssue", { project, issue_id: live, visibility }, query)
      : await readWindow(
          world.table,
          Fingerprints,
          "inOrder",
          { project, visibility },
          { ...query, counter: counterKey("fingerprintCount", project) },
        );
    return page(request, query, count, await fingerprintForms(world.table, project, items));
  },
});

/** The fingerprint with an id among the visible or the hidden ones; 404 when there is none. */
export const knownFingerprint = async (
  table: Table,
  project: number,
  id: string,
  visibilities: readonly Fingerprint["visibility"][],
): Promise<Fingerprint> => {
  if (!isHyphenatedUuid(id)) throw invalid("id", "Must be a valid UUID.");
  for (const visibility of visibilities) {
    const { items } = await readPage(table, Fingerprints, "inOrder", { project, visibility, id: id.toLowerCase() });
    if (items[0] !== undefined) return items[0];
  }
  throw notFound();
};

const retrieve = route({
  method: "GET",
  path: `${BASE}/fingerprints/{id}/`,
  summary: "Retrieve a fingerprint",
  tags: TAGS,
  access: read,
  reply: json(200, FingerprintForm),
  errors: [400],
  handle: async ({ params, grant, world }) =>
    liveForm(world.table, await knownFingerprint(world.table, grant.project.id, params.id, ["shown"])),
});

const resolve = route({
  method: "GET",
  path: `${BASE}/fingerprints/resolve/`,
  summary: "Find a fingerprint by its text",
  tags: TAGS,
  access: read,
  query: z.object({ fingerprint: z.string().min(1).meta({ description: "The fingerprint itself, whatever characters it has." }) }),
  reply: json(200, FingerprintForm),
  errors: [404],
  async handle({ query, grant, world }) {
    const known = await get(world.table, Fingerprints, { project: grant.project.id, fingerprint: query.fingerprint });
    if (known === undefined || known.visibility === "hidden") throw notFound();
    return liveForm(world.table, known);
  },
});

const hide = route({
  method: "PATCH",
  path: `${BASE}/fingerprints/{id}/`,
  summary: "Hide a fingerprint from lists and look-ups, or bring it back",
  description: "Exceptions of a hidden fingerprint still lead to its issue.",
  tags: TAGS,
  access: write,
  body: z.object({ deleted: boolean().optional() }),
  examples: { body: { deleted: true } },
  reply: json(200, FingerprintForm),
  find: ({ params, grant, world }) => knownFingerprint(world.table, grant.project.id, params.id, ["shown", "hidden"]),
  async handle({ found, body, world }) {
    if (body.deleted !== undefined) await setVisibility(world.table, found, body.deleted ? "hidden" : "shown");
    return liveForm(world.table, found);
  },
});

/** Tries while others hide or show the same fingerprint, or move it to another issue. */
const TRIES = 5;

const setVisibility = (table: Table, known: Fingerprint, visibility: Fingerprint["visibility"]): Promise<void> => {
  const key = { project: known.project, fingerprint: known.fingerprint };
  return untilWritten({ most: TRIES }, async () => {
    // An index, which it was found by, may not know for a while that it was moved to another issue.
    const each = await require(table, Fingerprints, key, { consistent: true });
    if (each.visibility === visibility) return;
    const { id, issue_id } = each;
    await transact(table, [
      updating(Fingerprints, key, { set: { visibility, id, issue_id } }, asRead(each)),
      counting(counterKey("fingerprintCount", key.project), visibility === "shown" ? 1 : -1),
    ]);
  });
};

/** A change of the issue or of the visibility writes both, for the indexes. */
const asRead = (fingerprint: Fingerprint): Condition => unchanged(fingerprint, "issue_id", "visibility");

const destroy = refusal({
  method: "DELETE",
  path: `${BASE}/fingerprints/{id}/`,
  summary: "Not offered: set `deleted` by PATCH",
  tags: TAGS,
  access: write,
  body: null,
});

export const fingerprintRoutes = [list, retrieve, resolve, hide, destroy];
