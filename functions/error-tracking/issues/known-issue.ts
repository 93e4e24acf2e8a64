import type { World } from "../../../lib/app/world.ts";
import { isoMicros } from "../../../lib/core/time.ts";
import { isHyphenatedUuid } from "../../../lib/core/uuid.ts";
import { type Issue, Issues } from "../../../lib/error-tracking/issues.ts";
import { readLiveIssue } from "../../../lib/error-tracking/live-issues.ts";
import { notFound } from "../../../lib/http/errors.ts";
import { ConditionFailed, type Table } from "../../../lib/ports/table.ts";
import { get, type Revision, update } from "../../../lib/table/store.ts";

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

/** Times that an issue may be merged into another one while it is changed. */
const TRIES = 5;

/** Changes the issue that an id leads to; 404 when there is none. */
export const changeIssue = async (table: Table, project: number, text: string, revision: Revision<Issue>): Promise<Issue> => {
  let id = parseIssueId(text);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await update(table, Issues, { project, id }, revision);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      if (attempt === TRIES) throw notFound(UNKNOWN);
    }
    id = (await knownIssue(table, project, id)).id;
  }
};

/** What a status sets besides itself: an import opens an issue again only with what is later than this. */
export const statusChange = ({ clock }: Pick<World, "clock">, status: Issue["status"]): Partial<Issue> => ({
  status,
  ...(status === "resolved" && { resolved_at: isoMicros(clock.now()) }),
});
