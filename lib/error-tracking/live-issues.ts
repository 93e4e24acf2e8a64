import type { Table } from "../ports/table.ts";
import { type Layout, plainAttributes, plainKey } from "../table/entity.ts";
import type { Issue, MergedIssue } from "./issues.ts";
import { ISSUE_LAYOUT, MERGED_ISSUE_LAYOUT } from "./stored/layouts.ts";

/** An issue, and how often it was changed: a change may ask that nobody was faster. */
export interface LiveIssue extends Issue {
  readonly rev: number;
}

/** An issue may be taken out of another between the two reads that look for it: it is looked for again so often. */
const LOOKS = 10;

/**
 * The issue that each id leads to: its own, or the one that it was merged into, which may have been merged in its turn. An id that
 * belongs to nothing is missing. Merging only ever leads from an issue to one that was none's, so the way always ends.
 */
export const readLiveIssues = async (table: Table, project: number, ids: Iterable<string>): Promise<ReadonlyMap<string, LiveIssue>> => {
  const live = new Map<string, LiveIssue>();
  let way = new Map([...new Set(ids)].map((id) => [id, { at: id, looks: LOOKS }]));
  while (way.size > 0) {
    const issues = await readItems<LiveIssue>(table, ISSUE_LAYOUT, project, new Set([...way.values()].map(({ at }) => at)));
    const missing = new Set([...way.values()].flatMap(({ at }) => (issues.has(at) ? [] : at)));
    const merged = await readItems<MergedIssue>(table, MERGED_ISSUE_LAYOUT, project, missing);
    const next: typeof way = new Map();
    for (const [id, { at, looks }] of way) {
      const issue = issues.get(at);
      const into = merged.get(at)?.merged_into;
      if (issue !== undefined) live.set(id, issue);
      else if (into !== undefined) next.set(id, { at: into, looks: LOOKS });
      else if (looks > 1) next.set(id, { at, looks: looks - 1 });
    }
    way = next;
  }
  return live;
};

/** The issue that an id leads to. */
export const readLiveIssue = async (table: Table, project: number, id: string): Promise<LiveIssue | undefined> =>
  (await readLiveIssues(table, project, [id])).get(id);

/**
 * The issue that both ids lead to. They are read one after the other, and may be merged in between: that they lead to different ones is
 * believed when they do twice.
 */
export const readCommonIssue = async (table: Table, project: number, a: string, b: string): Promise<string | undefined> => {
  for (let before: string | undefined; ; ) {
    const live = await readLiveIssues(table, project, [a, b]);
    const [ofA, ofB] = [live.get(a)?.id, live.get(b)?.id];
    if (ofA !== undefined && ofA === ofB) return ofA;
    const now = `${ofA} ${ofB}`;
    if (now === before) return undefined;
    before = now;
  }
};

const readItems = async <T extends { readonly id: string }>(
  table: Table,
  of: Layout,
  project: number,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, T>> => {
  if (ids.size === 0) return new Map();
  const keys = [...ids].map((id) => plainKey(of, { project, id }));
  const items = (await table.getMany(keys, { consistent: true })).map((item) => plainAttributes<T>(of, item));
  return new Map(items.map((item) => [item.id, item]));
};
