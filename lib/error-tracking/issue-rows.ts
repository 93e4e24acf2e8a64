import { parseTime } from "../event/times.ts";
import { QueryError } from "../hogql/errors.ts";
import { type RowList, rowList } from "../hogql/row-list.ts";
import type { Table } from "../ports/table.ts";
import { pages } from "../table/store.ts";
import { type Assignee, type Issue, Issues, type MergedIssue, MergedIssues } from "./issues.ts";

/** Issues of a project that queries can read as a table, and bytes of their texts. */
const MOST = 250_000;
const MOST_CHARACTERS = 67_108_864;

/**
 * The rows of the language's table of issues: those that are there, and as entries those that were merged into others, in the order
 * of their ids. Throws `QueryError` where they are more than a query can read.
 */
export const readIssueRows = async (table: Table, project: number): Promise<RowList> => {
  const found = new Map<string, Issue & Partial<Pick<MergedIssue, "merged_into">>>();
  let characters = 0;
  const take = async (some: AsyncIterable<readonly (Issue & Partial<Pick<MergedIssue, "merged_into">>)[]>): Promise<void> => {
    for await (const issues of some) {
      for (const issue of issues) {
        if (!found.has(issue.id)) characters += (issue.name?.length ?? 0) + (issue.description?.length ?? 0);
        found.set(issue.id, issue);
      }
      if (found.size > MOST || characters > MOST_CHARACTERS) throw new QueryError("query_too_large", TOO_MANY);
    }
  };
  const options = { consistent: true } as const;
  // The merged ones twice: an issue that is merged or taken out meanwhile is found before or after.
  await take(pages(table, MergedIssues, "key", { project }, options));
  await take(pages(table, Issues, "key", { project }, options));
  await take(pages(table, MergedIssues, "key", { project }, options));
  const rows = [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  const text = (name: string, of: (issue: (typeof rows)[number]) => string | null) => ({
    name,
    kind: "text" as const,
    values: rows.map(of),
  });
  const time = (name: "first_seen" | "created_at") => ({
    name,
    kind: "time" as const,
    values: BigInt64Array.from(rows, (issue) => parseTime(issue[name]) ?? 0n),
  });
  return rowList([
    text("id", ({ id }) => id),
    text("name", ({ name }) => name),
    text("description", ({ description }) => description),
    text("status", ({ status }) => status),
    text("severity", ({ severity }) => severity),
    text("assignee", ({ assignee }) => assigneeText(assignee)),
    time("first_seen"),
    text("merged_into", ({ merged_into }) => merged_into ?? null),
    time("created_at"),
  ]);
};

const TOO_MANY = `The project has more than ${MOST} issues, or issues with more than 64 MB of names and descriptions, which is more than a query can read as a table. Ask the events for \`issue_id\` instead.`;

/** An assignee in one text, as the list of issues takes it: `user:17`, `role:` and the id of a role. */
export const assigneeText = (assignee: Assignee | null): string | null => (assignee === null ? null : `${assignee.type}:${assignee.id}`);
