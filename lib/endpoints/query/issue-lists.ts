import { readIssueRows } from "../../error-tracking/issue-rows.ts";
import { readMovedIssues } from "../../error-tracking/moved-issues.ts";
import type { UsedNames } from "../../hogql/inspect.ts";
import type { LowerOptions } from "../../hogql/options.ts";
import { ISSUES } from "../../hogql/vocabulary.ts";
import type { Table } from "../../ports/table.ts";

export type IssueLists = Pick<LowerOptions, "moved" | "issues">;

/** What a query that names issues goes by, as it is now; nothing is read for any other. Throws `QueryError`. */
export const issueLists = async (
  table: Table,
  project: number,
  { mentioned, tables }: Pick<UsedNames, "mentioned" | "tables">,
): Promise<IssueLists> => {
  const readsTable = tables.includes(ISSUES);
  const [moved, issues] = await Promise.all([
    readsTable || mentioned.has("issue_id") ? readMovedIssues(table, project) : undefined,
    readsTable ? readIssueRows(table, project) : undefined,
  ]);
  return { ...(moved && { moved }), ...(issues && { issues }) };
};
