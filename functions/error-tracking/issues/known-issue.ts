import { isHyphenatedUuid } from "../../../lib/core/uuid.ts";
import { type Issue, Issues } from "../../../lib/error-tracking/issues.ts";
import { readLiveIssue } from "../../../lib/error-tracking/live-issues.ts";
import { notFound } from "../../../lib/http/errors.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { get } from "../../../lib/table/store.ts";

const UNKNOWN = "Issue not found";

/** The id in a path; 404 for what can be no issue's id, however long. */
const parseIssueId = (text: string): string => {
  if (!isHyphenatedUuid(text)) throw notFound(UNKNOWN);
  return text.toLowerCase();
};

/** The issue that an id of a project leads to: that of a merged one leads to where it was merged. 404 when there is none. */
export const knownIssue = async (table: Table, project: number, text: string): Promise<Issue> => {
  const id = parseIssueId(text);
  const issue = (await get(table, Issues, { project, id }, { consistent: true })) ?? (await readLiveIssue(table, project, id));
  if (issue === undefined) throw notFound(UNKNOWN);
  return issue;
};
