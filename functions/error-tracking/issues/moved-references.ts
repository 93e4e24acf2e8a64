import { type ExternalReference, ExternalReferences, externalLinkOf } from "../../../lib/error-tracking/external-references.ts";
import type { Key, Table, Write } from "../../../lib/ports/table.ts";
import { pages, updating } from "../../../lib/table/store.ts";
import { claiming, ownerOf, releasing } from "../../../lib/table/transact.ts";

/** All references of an issue, hidden ones too. */
export const referencesOf = async (table: Table, project: number, issue_id: string): Promise<readonly ExternalReference[]> => {
  const all: ExternalReference[] = [];
  for (const visibility of ["shown", "hidden"] as const) {
    for await (const some of pages(table, ExternalReferences, "ofIssues", { project, visibility, issue_id })) all.push(...some);
  }
  return all;
};

/**
 * The writes that tie references to another issue, with their markers; `homeOf` says where each came from. Two issues that were tied to
 * the same one at the provider both keep their reference, and only one of them the marker. The reference itself is written last, so that
 * what is cut off in the middle is done again by the same call.
 */
export const movingReferences = async (
  table: Table,
  references: readonly ExternalReference[],
  issueId: string,
  homeOf: (reference: ExternalReference) => string | undefined,
): Promise<readonly Write[]> => {
  const owners = await ownersOf(
    table,
    references.flatMap((reference) => [markerOf(reference, reference.issue_id), markerOf(reference, issueId)]),
  );
  return references.flatMap((reference) => {
    const { project, id, visibility } = reference;
    const [before, after] = [markerOf(reference, reference.issue_id), markerOf(reference, issueId)];
    const isFree = [undefined, id].includes(owners.get(after.sk));
    if (isFree) owners.set(after.sk, id);
    const home = homeOf(reference);
    const set = { issue_id: issueId, visibility, ...(home !== undefined && { home }) };
    return [
      ...(isFree ? [claiming(after, id)] : []),
      ...(owners.get(before.sk) === id ? [releasing(before, id)] : []),
      updating(ExternalReferences, { project, id }, { set, ...(home === undefined && { remove: ["home"] }) }),
    ];
  });
};

const markerOf = ({ project, integration_id, context }: ExternalReference, issueId: string): Key =>
  externalLinkOf(project, issueId, integration_id, JSON.parse(context));

/** Who holds markers, by their sort keys: they lie in one partition. */
const ownersOf = async (table: Table, markers: readonly Key[]): Promise<Map<string, string | undefined>> => {
  const keys = [...new Map(markers.map((marker) => [marker.sk, marker])).values()];
  const stored = keys.length === 0 ? [] : await table.getMany(keys, { consistent: true });
  return new Map(stored.map((marker) => [marker.sk, ownerOf(marker)]));
};
