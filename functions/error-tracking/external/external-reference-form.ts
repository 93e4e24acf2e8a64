import type * as z from "zod";
import { type ExternalReference, ExternalReferences } from "../../../lib/error-tracking/external-references.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { type Integration, Integrations } from "../../../lib/projects/integrations.ts";
import { getMany, pages } from "../../../lib/table/store.ts";
import type { ExternalIssue } from "../issues/issue-form.ts";
import { displayName } from "../providers/trackers.ts";

/** References as sent, in their order; those whose integration is gone are left out. */
export const referenceForms = async (
  table: Table,
  project: number,
  references: readonly ExternalReference[],
): Promise<readonly z.input<typeof ExternalIssue>[]> => {
  const ids = [...new Set(references.map(({ integration_id }) => integration_id))];
  const keys = ids.map((id) => ({ project_id: project, id }));
  const known = keys.length === 0 ? [] : await getMany(table, Integrations, keys);
  const integrations = new Map(known.map((integration) => [integration.id, integration]));
  return references.flatMap((reference) => {
    const integration = integrations.get(reference.integration_id);
    return integration === undefined ? [] : [referenceForm(reference, integration)];
  });
};

export const referenceForm = (
  { id, external_url, external_id, title }: ExternalReference,
  integration: Integration,
): z.input<typeof ExternalIssue> => ({
  id,
  integration: { id: integration.id, kind: integration.kind, display_name: displayName(integration) },
  external_url,
  external_id,
  title,
});

/** References of the issues of one page as sent, by the issue's id: they lie side by side in the table. */
export const externalIssueForms = async (
  table: Table,
  project: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly z.input<typeof ExternalIssue>[]>> => {
  const [from] = ids.toSorted();
  const to = ids.toSorted().at(-1);
  if (from === undefined || to === undefined) return new Map();
  const wanted = new Set(ids);
  const found: ExternalReference[] = [];
  for await (const references of pages(table, ExternalReferences, "ofIssues", { project, visibility: "shown" }, { from, to })) {
    found.push(...references.filter(({ issue_id }) => wanted.has(issue_id)));
  }
  const forms = new Map((await referenceForms(table, project, found)).map((form) => [form.id, form]));
  const byIssue = Map.groupBy(found, ({ issue_id }) => issue_id);
  return new Map([...byIssue].map(([issue, references]) => [issue, references.flatMap(({ id }) => forms.get(id) ?? [])]));
};
