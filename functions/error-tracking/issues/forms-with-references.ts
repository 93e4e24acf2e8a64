import type * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import type { Issue } from "../../../lib/error-tracking/issues.ts";
import { externalIssueForms } from "../external/external-reference-form.ts";
import { type IssueForm, issueForm } from "./issue-form.ts";

/** Issues as sent, each with what belongs to it at providers. */
export const formsWithReferences = async (
  { table }: Pick<World, "table">,
  project: number,
  issues: readonly Issue[],
): Promise<readonly z.input<typeof IssueForm>[]> => {
  const ids = issues.map(({ id }) => id);
  const external = await externalIssueForms(table, project, ids);
  return issues.map((issue) => issueForm(issue, external.get(issue.id)));
};

/** The same of one issue. */
export const formWithReferences = async (
  { table }: Pick<World, "table">,
  project: number,
  issue: Issue,
): Promise<z.input<typeof IssueForm>> => issueForm(issue, (await externalIssueForms(table, project, [issue.id])).get(issue.id));
