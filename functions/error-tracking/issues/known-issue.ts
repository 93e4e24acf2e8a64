import { isHyphenatedUuid } from "../../../lib/core/uuid.ts";
import { type Issue, Issues } from "../../../lib/error-tracking/issues.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { ConditionFailed, type Table } from "../../../lib/ports/table.ts";
import { get, type Revision, update } from "../../../lib/table/store.ts";

const UNKNOWN = "Issue not found";

/** The id in a path; 404 for what can be no issue's id, however long. */
const parseIssueId = (text: string): string => {
  if (!isHyphenatedUuid(text)) throw notFound(UNKNOWN);
  return text.toLowerCase();
};

/** The issue of a project; 404 when there is none. */
export const knownIssue = async (table: Table, project: number, id: string): Promise<Issue> => {
  const issue = await get(table, Issues, { project, id: parseIssueId(id) }, { consistent: true });
  if (issue === undefined) throw notFound(UNKNOWN);
  return issue;
};

/** Changes an issue; 404 when there is none. */
export const changeIssue = async (table: Table, project: number, id: string, revision: Revision<Issue>): Promise<Issue> => {
  try {
    return await update(table, Issues, { project, id: parseIssueId(id) }, revision);
  } catch (error) {
    if (error instanceof ConditionFailed) throw notFound(UNKNOWN);
    throw error;
  }
};
