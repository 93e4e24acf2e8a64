import type { Key, Table, Write } from "../../ports/table.ts";
import { pages, updating } from "../../table/store.ts";
import { claiming, markerOwner, releasing } from "../../table/transact.ts";
import { type ExternalReference, ExternalReferences, externalLinkMarker } from "../external-references.ts";

/** All references of an issue, hidden ones too. */
export const issueReferences = async (table: Table, project: number, issue_id: string): Promise<readonly ExternalReference[]> => {
  const all: ExternalReference[] = [];
  for (const visibility of ["shown", "hidden"] as const) {
    for await (const some of pages(table, ExternalReferences, "ofIssues", { project, visibility, issue_id })) all.push(...some);
  }
  return all;
};

/**
 * The writes that tie references to another issue, with their markers; `homeAfter` gives the issue that each shall remember to come
 * from. Two issues that were tied to the same one at the provider both keep their reference, and only one of them the marker. The reference itself is written last, so that
 * what is cut off in the middle is done again by the same call.
 */
export const movingReferences = async (
  table: Table,
  references: readonly ExternalReference[],
  issueId: string,
  homeAfter: (reference: ExternalReference) => string | undefined,
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
    const home = homeAfter(reference);
    const set = { issue_id: issueId, visibility, ...(home !== undefined && { home }) };
    return [
      ...(isFree ? [claiming(after, id)] : []),
      ...(owners.get(before.sk) === id ? [releasing(before, id)] : []),
      updating(ExternalReferences, { project, id }, { set, ...(home === undefined && { remove: ["home"] }) }),
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
