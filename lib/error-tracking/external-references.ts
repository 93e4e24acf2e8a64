import * as z from "zod";
import { jsonDigest } from "../core/canonical-json.ts";
import type { Condition, Key } from "../ports/table.ts";
import type { BoundedList } from "../table/bounded-list.ts";
import { entity } from "../table/entity.ts";
import { countThrough } from "../table/paging.ts";
import { counterKey, keyIn, within } from "../table/partitions.ts";
import { unchanged } from "../table/transact.ts";

/** An issue at a provider that belongs to one of ours. */
export const ExternalReferences = entity({
  name: "error_tracking_external_reference",
  version: 1,
  schema: z.object({
    project: z.int(),
    /** Of version 7, so lists are in the order of creation. */
    id: z.guid(),
    issue_id: z.guid(),
    /** The original issue: the one that it was tied to before that was merged into another. */
    home: z.guid().optional(),
    integration_id: z.int(),
    /** JSON text of what names the issue at the provider. */
    context: z.string(),
    external_id: z.string(),
    external_url: z.string(),
    title: z.string(),
    created_at: z.string(),
    /** A hidden one is in no list and no look-up, until it is shown again. */
    visibility: z.enum(["shown", "hidden"]),
  }),
  key: within("externalReferences", "reference#{id}"),
  patterns: {
    inOrder: { index: "gsi2", pk: "project#{project}#external-references#{visibility}", sk: "{id}" },
    // A page of issues is a range of their ids: one query brings the references of all of them.
    ofIssues: { index: "gsi1", pk: "project#{project}#external-references#{visibility}", sk: "{issue_id}#{id}" },
  },
});
export type ExternalReference = z.output<typeof ExternalReferences.schema>;

/** Whether a reference is where it was when it was read, and shown or hidden as it was: a change of either writes both, for the indexes. */
export const asRead = (reference: ExternalReference): Condition => unchanged(reference, "issue_id", "visibility");

/** References of one project. */
const MOST_REFERENCES = 50_000;

/** The references of a project that are not hidden. */
export const referencesOfProject = (project: number): BoundedList => ({
  counter: counterKey("externalReferenceCount", project),
  most: MOST_REFERENCES,
  full: `A project has at most ${MOST_REFERENCES} external references. Hide some that nobody needs any more.`,
  recount: (table) => countThrough(table, ExternalReferences, "inOrder", { project, visibility: "shown" }),
});

/** The marker that keeps an issue at a provider to one reference of an issue of ours. */
export const externalLinkMarker = (project: number, issue: string, integration: number, context: unknown): Key => {
  const named = jsonDigest(context);
  return keyIn("externalLinks", "link", { project, issue, integration: String(integration), context: named });
};
