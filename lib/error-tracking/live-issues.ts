import type { Table } from "../ports/table.ts";
import { type Layout, plainAttributes, plainKey } from "../table/entity.ts";
import type { Issue, MergedIssue } from "./issues.ts";
import { ISSUE_LAYOUT, MERGED_ISSUE_LAYOUT } from "./stored/layouts.ts";

/** An issue with its revision, on which a write can be made conditional. */
export interface LiveIssue extends Issue {
  readonly rev: number;
}

/** The issue that an id stands for. */
export interface ResolvedIssue {
  /** The merge chain: the id itself, the issue that it was merged into, and so on; `issue`'s own id comes last. */
  readonly chain: readonly string[];
  readonly issue: LiveIssue;
}

/** An issue may be unmerged while it is read: ids that are not found are read again so often. */
const READS = 4;

/**
 * The issue that each id stands for: its own, or at the end of the merge chain the one that it was merged into. Ids that stand for nothing are
 * missing. A chain is consistent, as it was at one moment: its links are read again once its end is known.
 */
export const resolveIssueIds = async (
  table: Table,
  project: number,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, ResolvedIssue>> => {
  const resolved = new Map<string, ResolvedIssue>();
  let left: ReadonlySet<string> = new Set(ids);
  for (let read = 1; left.size > 0; read += 1) {
    const found = await followAll(table, project, left);
    const held = await readItems<MergedIssue>(
      table,
      MERGED_ISSUE_LAYOUT,
      project,
      new Set([...found.values()].flatMap(({ chain }) => chain.slice(0, -1))),
    );
    const changed = new Set<string>();
    for (const [id, { chain, issue, links }] of found) {
      if (links.every((link) => isSame(link, held.get(link.id)))) resolved.set(id, { chain, issue });
      else changed.add(id);
    }
    // A chain that changed meanwhile is read again until it does not; what was not found may just be written again.
    left = read < READS ? without(left, resolved) : changed;
  }
  return resolved;
};

/** The issue that each id stands for; ids that stand for nothing are missing. */
export const readLiveIssues = async (table: Table, project: number, ids: Iterable<string>): Promise<ReadonlyMap<string, LiveIssue>> =>
  new Map([...(await resolveIssueIds(table, project, ids))].map(([id, { issue }]) => [id, issue]));

/** The issue that an id stands for. */
export const readLiveIssue = async (table: Table, project: number, id: string): Promise<LiveIssue | undefined> =>
  (await resolveIssueIds(table, project, [id])).get(id)?.issue;

/**
 * The id of the issue that both ids stand for; undefined for two issues. They are read one after the other and may be merged in between, so
 * that they are two is believed only when two reads say the same.
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

const without = (ids: Iterable<string>, known: ReadonlyMap<string, unknown>): ReadonlySet<string> =>
  new Set([...ids].filter((id) => !known.has(id)));

const isSame = (a: MergedIssue, b: MergedIssue | undefined): boolean => a.merged_into === b?.merged_into && a.merged_at === b.merged_at;

interface Chain extends ResolvedIssue {
  readonly links: readonly MergedIssue[];
}

/** Follows ids to the ends of their chains. Most are issues themselves: merged ones are read only of the others. */
const followAll = async (table: Table, project: number, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Chain>> => {
  const issues = new Map(await readItems<LiveIssue>(table, ISSUE_LAYOUT, project, ids));
  const merged = new Map<string, MergedIssue>();
  let ahead = without(ids, issues);
  while (ahead.size > 0) {
    const [ends, entries] = await Promise.all([
      readItems<LiveIssue>(table, ISSUE_LAYOUT, project, ahead),
      readItems<MergedIssue>(table, MERGED_ISSUE_LAYOUT, project, ahead),
    ]);
    for (const [id, issue] of ends) issues.set(id, issue);
    for (const [id, entry] of entries) merged.set(id, entry);
    // The end of a link is read after it, also where that was read before.
    ahead = without(
      [...entries.values()].map(({ merged_into }) => merged_into),
      merged,
    );
  }
  const chains = [...ids].map((id) => [id, follow(id, issues, merged)] as const);
  return new Map(chains.flatMap(([id, chain]) => (chain === undefined ? [] : [[id, chain] as const])));
};

/** Undefined where the chain has no end, also where links that were read at different moments seem to close a ring. */
const follow = (id: string, issues: ReadonlyMap<string, LiveIssue>, merged: ReadonlyMap<string, MergedIssue>): Chain | undefined => {
  const links: MergedIssue[] = [];
  const chain = new Set<string>();
  for (let at = id; !chain.has(at); ) {
    chain.add(at);
    const [issue, link] = [issues.get(at), merged.get(at)];
    if (issue !== undefined) return { chain: [...chain], issue, links };
    if (link === undefined) return undefined;
    links.push(link);
    at = link.merged_into;
  }
  return undefined;
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
