import type { Key, Table, Write } from "../../ports/table.ts";
import { getMany, pages, updating } from "../../table/store.ts";
import { claiming, markerOwner, releasing, transactInSequence } from "../../table/transact.ts";
import { untilWritten } from "../../table/until-written.ts";
import { asRead, type ExternalReference, ExternalReferences, externalLinkMarker } from "../external-references.ts";

/** All references of an issue, hidden ones too. */
export const issueReferences = async (table: Table, project: number, issue_id: string): Promise<readonly ExternalReference[]> => {
  const all: ExternalReference[] = [];
  for (const visibility of ["shown", "hidden"] as const) {
    for await (const some of pages(table, ExternalReferences, "ofIssues", { project, visibility, issue_id })) all.push(...some);
  }
  return all;
};

/** Tries of references that others move, hide or show, or whose markers they take, at the same time. */
const TRIES = 5;

/** Ties references to another issue, as they are by then. Throws `ConditionFailed` where others go on being faster. */
export const moveReferencesTo = (
  table: Table,
  references: readonly ExternalReference[],
  issueId: string,
  originalAfter: (reference: ExternalReference) => string | undefined,
): Promise<void> =>
  untilWritten({ most: TRIES }, async (attempt) => {
    const left = attempt === 1 ? references : (await readAgain(table, references)).filter(({ issue_id }) => issue_id !== issueId);
    if (left.length > 0) await transactInSequence(table, await movingReferences(table, left, issueId, originalAfter));
  });

const readAgain = (table: Table, references: readonly ExternalReference[]): Promise<readonly ExternalReference[]> =>
  getMany(
    table,
    ExternalReferences,
    references.map(({ project, id }) => ({ project, id })),
    { consistent: true },
  );

/**
 * The writes that tie references to another issue, with their markers; `originalAfter` gives the original issue that each shall remember.
 * Two issues that were tied to the same one at the provider both keep their reference, and only one of them the marker. The reference itself
 * is written last, so that what is cut off in the middle is done again by the same call.
 */
const movingReferences = async (
  table: Table,
  references: readonly ExternalReference[],
  issueId: string,
  originalAfter: (reference: ExternalReference) => string | undefined,
): Promise<readonly Write[]> => {
  const owners = await readOwners(
    table,
    references.flatMap((reference) => [linkMarker(reference, reference.issue_id), linkMarker(reference, issueId)]),
  );
  return references.flatMap((reference) => {
    const { project, id, visibility } = reference;
    const [before, after] = [linkMarker(reference, reference.issue_id), linkMarker(reference, issueId)];
    const isFree = [undefined, id].includes(owners.get(after.sk));
    if (isFree) owners.set(after.sk, id);
    const original = originalAfter(reference);
    const set = { issue_id: issueId, visibility, ...(original !== undefined && { home: original }) };
    return [
      ...(isFree ? [claiming(after, id)] : []),
      ...(owners.get(before.sk) === id ? [releasing(before, id)] : []),
      updating(ExternalReferences, { project, id }, { set, ...(original === undefined && { remove: ["home"] }) }, asRead(reference)),
    ];
  });
};

const linkMarker = ({ project, integration_id, context }: ExternalReference, issueId: string): Key =>
  externalLinkMarker(project, issueId, integration_id, JSON.parse(context));

/** Who holds markers, by their sort keys: they lie in one partition. */
const readOwners = async (table: Table, markers: readonly Key[]): Promise<Map<string, string | undefined>> => {
  const keys = [...new Map(markers.map((marker) => [marker.sk, marker])).values()];
  const stored = keys.length === 0 ? [] : await table.getMany(keys, { consistent: true });
  return new Map(stored.map((marker) => [marker.sk, markerOwner(marker)]));
};
