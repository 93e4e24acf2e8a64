import type { World } from "../../../lib/app/world.ts";
import { isoMicros } from "../../../lib/core/time.ts";
import {
  asRead,
  type ExternalReference,
  ExternalReferences,
  externalLinkMarker,
  referencesOfProject,
} from "../../../lib/error-tracking/external-references.ts";
import type { Issue } from "../../../lib/error-tracking/issues.ts";
import { readLiveIssue } from "../../../lib/error-tracking/live-issues.ts";
import type { Fields } from "../../../lib/event/fields.ts";
import { invalid } from "../../../lib/http/errors.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { type Integration, Integrations } from "../../../lib/projects/integrations.ts";
import { addToList, takeFromList } from "../../../lib/table/bounded-list.ts";
import { untilListed } from "../../../lib/table/paging.ts";
import { get, putting, require, updating } from "../../../lib/table/store.ts";
import { claiming, failedAt, markerOwner } from "../../../lib/table/transact.ts";
import { untilWritten } from "../../../lib/table/until-written.ts";
import type { TrackedIssue } from "../providers/tracker.ts";

/** An issue of the project and an integration of it. */
export interface Ends {
  readonly issue: Issue;
  readonly integration: Integration;
}

/** Both, or 400 for the one that the project does not have. */
export const requireEnds = async (table: Table, project: number, issueId: string, integrationId: number): Promise<Ends> => {
  const [issue, integration] = await Promise.all([readLiveIssue(table, project, issueId), findIntegration(table, project, integrationId)]);
  if (issue === undefined) throw invalid(null, "The project has no such issue.");
  if (integration === undefined) throw unknownIntegration();
  return { issue, integration };
};

export const requireIntegration = async (table: Table, project: number, id: number): Promise<Integration> => {
  const integration = await findIntegration(table, project, id);
  if (integration === undefined) throw unknownIntegration();
  return integration;
};

const findIntegration = async (table: Table, project_id: number, id: number): Promise<Integration | undefined> =>
  id > 0 ? get(table, Integrations, { project_id, id }) : undefined;

const unknownIntegration = () => invalid(null, "The project has no such integration.");

const MOST_TITLE_CHARACTERS = 1_000;

/** A title as it is shown and kept: no longer than anybody reads, and well-formed, as only that is stored. */
export const shownTitle = (title: string): string => title.slice(0, MOST_TITLE_CHARACTERS).toWellFormed();

/** The issue at the provider that a reference leads to. */
export interface Tie extends TrackedIssue {
  readonly url: string;
  readonly idKey: string;
}

/** Ties an issue to one at a provider. Where they are tied already, the reference that does it is shown, also if it was hidden. */
export const tie = async (
  parts: Pick<World, "table" | "clock" | "ids">,
  { issue, integration }: Ends,
  { context, title, url, idKey }: Tie,
): Promise<ExternalReference> => {
  const { table, clock, ids } = parts;
  const { project } = issue;
  const marker = externalLinkMarker(project, issue.id, integration.id, context);
  const reference: ExternalReference = {
    project,
    id: ids.uuid(),
    issue_id: issue.id,
    integration_id: integration.id,
    context: JSON.stringify(context),
    external_id: String(context[idKey]),
    external_url: url,
    title: shownTitle(title),
    created_at: isoMicros(clock.now()),
    visibility: "shown",
  };
  try {
    await addToList(parts, referencesOfProject(project), [claiming(marker, reference.id), putting(ExternalReferences, reference)]);
    await untilListed(table, ExternalReferences, "inOrder", reference);
    return reference;
  } catch (error) {
    if (!failedAt(error, 0)) throw error;
  }
  const owner = markerOwner(await table.get(marker, { consistent: true }));
  const known = owner && (await get(table, ExternalReferences, { project, id: owner }, { consistent: true }));
  if (!known) throw invalid(null, "The reference was changed at the same moment. Try again.");
  await setVisibility(parts, known, "shown");
  return known;
};

/** Tries while others hide or show the same reference, or merge its issue. */
const TRIES = 5;

/** Hides a reference or shows it again. */
export const setVisibility = (
  parts: Pick<World, "table" | "clock">,
  known: ExternalReference,
  visibility: ExternalReference["visibility"],
): Promise<void> => {
  const change = visibility === "shown" ? addToList : takeFromList;
  const key = { project: known.project, id: known.id };
  return untilWritten({ most: TRIES }, async (attempt) => {
    const reference = attempt === 1 ? known : await require(parts.table, ExternalReferences, key, { consistent: true });
    if (reference.visibility === visibility) return;
    const { issue_id } = reference;
    await change(parts, referencesOfProject(key.project), [
      updating(ExternalReferences, key, { set: { visibility, issue_id } }, asRead(reference)),
    ]);
  });
};

/** The keys of a context that name an issue, read one by one; 400 for the first that does not. */
export const readNames = (
  kind: string,
  naming: Readonly<Record<string, (value: unknown) => string | number | undefined>>,
  sent: Fields,
): Fields => {
  checkKeys(kind, Object.keys(naming), sent, "external_context");
  return Object.fromEntries(
    Object.entries(naming).map(([key, read]) => {
      const value = read(sent[key]);
      if (value === undefined) throw invalid(null, `The external_context has no valid ${key} for ${kind}.`);
      return [key, value];
    }),
  );
};

/** 400 that names all keys that are missing. */
export const checkKeys = (kind: string, keys: readonly string[], sent: Fields, what: string): void => {
  const missing = keys.filter((key) => !Object.hasOwn(sent, key));
  if (missing.length > 0) throw invalid(null, `Missing required ${what} keys for ${kind}: ${missing.join(", ")}.`);
};
