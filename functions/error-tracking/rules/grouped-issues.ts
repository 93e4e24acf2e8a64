import { Fingerprints } from "../../../lib/error-tracking/fingerprints.ts";
import { Issues } from "../../../lib/error-tracking/issues.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { getMany } from "../../../lib/table/store.ts";

/** The issue that a rule's exceptions became. */
export interface GroupedIssue {
  readonly id: string;
  readonly name: string | null;
}

/** What exceptions that a rule grouped are recognised by. */
const fingerprintOf = (ruleId: string): string => `custom-rule:${ruleId}`;

/** The issues of rules that have grouped an exception, by the rule's id; merging may have brought several rules to one. */
export const issuesOfRules = async (
  table: Table,
  project: number,
  rules: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, GroupedIssue>> => {
  if (rules.length === 0) return new Map();
  const fingerprints = await getMany(
    table,
    Fingerprints,
    rules.map(({ id }) => ({ project, fingerprint: fingerprintOf(id) })),
  );
  const ids = [...new Set(fingerprints.map(({ issue_id }) => issue_id))];
  const issues =
    ids.length === 0
      ? []
      : await getMany(
          table,
          Issues,
          ids.map((id) => ({ project, id })),
        );
  const byId = new Map(issues.map(({ id, name }) => [id, { id, name }]));
  const owners = new Map(fingerprints.map(({ fingerprint, issue_id }) => [fingerprint, byId.get(issue_id)]));
  return new Map(
    rules.flatMap(({ id }) => {
      const issue = owners.get(fingerprintOf(id));
      return issue === undefined ? [] : [[id, issue] as const];
    }),
  );
};
