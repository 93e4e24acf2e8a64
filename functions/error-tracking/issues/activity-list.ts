import { IssueActivities, type IssueActivity } from "../../../lib/error-tracking/issue-activities.ts";
import { type Issue, Issues } from "../../../lib/error-tracking/issues.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { readWindow } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { listQuery, pages } from "../../../lib/table/store.ts";

/** What was done with an issue; that it was made is not stored, because the issue tells it. */
export type ActivityEntry = Omit<IssueActivity, "activity"> & { readonly activity: IssueActivity["activity"] | "created" };

interface Window {
  readonly limit: number;
  readonly offset: number;
}

interface Entries {
  readonly count: number;
  readonly entries: readonly ActivityEntry[];
}

/** What was done with an issue, the newest first; it ends with the making of it. */
export const issueActivity = async (table: Table, issue: Issue, { limit, offset }: Window): Promise<Entries> => {
  const { project, id } = issue;
  const options = { limit, offset, descending: true };
  const { count, items } = await readWindow(table, IssueActivities, "key", { project, issue_id: id }, options);
  const isLastPage = offset <= count && count < offset + limit;
  return { count: count + 1, entries: isLastPage ? [...items, creation(issue)] : items };
};

/** Entries that the list of all issues shows: both lists that it is made of are read from their beginning. */
const MOST_SHOWN = 10_000;

/** What was done with all issues of a project, the newest first, as far as the last `MOST_SHOWN` entries go back. */
export const projectActivity = async (table: Table, project: number, { limit, offset }: Window): Promise<Entries> => {
  const count = Math.min(MOST_SHOWN, (await countNoted(table, project)) + (await countIssues(table, project)));
  const end = Math.min(offset + limit, count);
  const entries: ActivityEntry[] = [];
  let position = 0;
  if (offset < end) {
    for await (const entry of newestFirst(notedEntries(table, project, end), creations(table, project, end))) {
      if (position >= offset) entries.push(entry);
      position += 1;
      if (position === end) break;
    }
  }
  return { count, entries };
};

const countNoted = async (table: Table, project: number): Promise<number> => {
  const query = { ...listQuery(IssueActivities, "inOrder", { project }), countOnly: true };
  let count = 0;
  let cursor: string | null = null;
  do {
    const page = await table.query({ ...query, cursor, limit: MOST_SHOWN - count });
    count += page.count;
    cursor = page.cursor;
  } while (cursor !== null && count < MOST_SHOWN);
  return count;
};

const countIssues = async (table: Table, project: number): Promise<number> => {
  const counter = await table.get(counterKey("issueCount", project), { consistent: true });
  return typeof counter?.count === "number" ? counter.count : 0;
};

/** Entries read at once. */
const MOST_AT_ONCE = 1_000;

async function* notedEntries(table: Table, project: number, most: number): AsyncGenerator<ActivityEntry> {
  const options = { descending: true, limit: Math.min(most, MOST_AT_ONCE) };
  for await (const items of pages(table, IssueActivities, "inOrder", { project }, options)) yield* items;
}

async function* creations(table: Table, project: number, most: number): AsyncGenerator<ActivityEntry> {
  const options = { descending: true, limit: Math.min(most, MOST_AT_ONCE) };
  for await (const issues of pages(table, Issues, "key", { project }, options)) yield* issues.map(creation);
}

const creation = ({ project, id, created_at }: Issue): ActivityEntry => ({
  project,
  issue_id: id,
  id,
  activity: "created",
  detail: {},
  user_id: null,
  created_at,
});

/** Two lists as one, both with the newest first. */
async function* newestFirst(one: AsyncGenerator<ActivityEntry>, other: AsyncGenerator<ActivityEntry>): AsyncGenerator<ActivityEntry> {
  let [a, b] = [await one.next(), await other.next()];
  while (!a.done && !b.done) {
    if (a.value.created_at >= b.value.created_at) {
      yield a.value;
      a = await one.next();
    } else {
      yield b.value;
      b = await other.next();
    }
  }
  if (!a.done) yield a.value;
  if (!b.done) yield b.value;
  yield* one;
  yield* other;
}
