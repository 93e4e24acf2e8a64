import type { Table } from "../ports/table.ts";
import { type Layout, plainAttributes, plainKey } from "../table/entity.ts";
import type { Issue, MergedIssue } from "./issues.ts";
import { ISSUE_LAYOUT, MERGED_ISSUE_LAYOUT } from "./stored/layouts.ts";

/** An issue, and how often it was changed: a change may ask that nobody was faster. */
export interface LiveIssue extends Issue {
  readonly rev: number;
}

/** The issue that an id leads to. */
export interface Way {
  /** The id itself, and each time what it was merged into; the issue's own comes last. */
  readonly line: readonly string[];
  readonly issue: LiveIssue;
}

/** An issue may be taken out of another while both are looked for: what is not found is looked for again so often. */
const LOOKS = 4;

/**
 * The issue that each id leads to, and how: its own, or the one that it was merged into, which may have been merged in its turn. An id that
 * belongs to nothing is missing. All of a way was so at one moment: entries that lead on are read again once its end is known.
 */
export const readWays = async (table: Table, project: number, ids: Iterable<string>): Promise<ReadonlyMap<string, Way>> => {
  const ways = new Map<string, Way>();
  let left: ReadonlySet<string> = new Set(ids);
  for (let look = 1; left.size > 0; look += 1) {
    const found = await walk(table, project, left);
    const held = await readItems<MergedIssue>(
      table,
      MERGED_ISSUE_LAYOUT,
      project,
      new Set([...found.values()].flatMap(({ line }) => line.slice(0, -1))),
    );
    const moved = new Set<string>();
    for (const [id, { line, issue, links }] of found) {
      if (links.every((link) => isSame(link, held.get(link.id)))) ways.set(id, { line, issue });
      else moved.add(id);
    }
    // Whatever moved is a step of somebody else's; what is nowhere may be on its way back.
    left = look < LOOKS ? without(left, ways) : moved;
  }
  return ways;
};

/** The issue that each id leads to; an id that belongs to nothing is missing. */
export const readLiveIssues = async (table: Table, project: number, ids: Iterable<string>): Promise<ReadonlyMap<string, LiveIssue>> =>
  new Map([...(await readWays(table, project, ids))].map(([id, { issue }]) => [id, issue]));

/** The issue that an id leads to. */
export const readLiveIssue = async (table: Table, project: number, id: string): Promise<LiveIssue | undefined> =>
  (await readWays(table, project, [id])).get(id)?.issue;

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

const without = (ids: Iterable<string>, known: ReadonlyMap<string, unknown>): ReadonlySet<string> =>
  new Set([...ids].filter((id) => !known.has(id)));

const isSame = (a: MergedIssue, b: MergedIssue | undefined): boolean => a.merged_into === b?.merged_into && a.merged_at === b.merged_at;

interface Walked extends Way {
  readonly links: readonly MergedIssue[];
}

/** Follows ids as far as they lead to an issue. Most are one: entries that lead on are asked for only of those that are not. */
const walk = async (table: Table, project: number, ids: ReadonlySet<string>): Promise<ReadonlyMap<string, Walked>> => {
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
    // Where one leads is read after it, also where that was read before.
    ahead = without(
      [...entries.values()].map(({ merged_into }) => merged_into),
      merged,
    );
  }
  const walked = [...ids].map((id) => [id, follow(id, issues, merged)] as const);
  return new Map(walked.flatMap(([id, way]) => (way === undefined ? [] : [[id, way] as const])));
};

/** Undefined also where entries that were not read at once seem to lead back. */
const follow = (id: string, issues: ReadonlyMap<string, LiveIssue>, merged: ReadonlyMap<string, MergedIssue>): Walked | undefined => {
  const links: MergedIssue[] = [];
  const line = new Set<string>();
  for (let at = id; !line.has(at); ) {
    line.add(at);
    const [issue, link] = [issues.get(at), merged.get(at)];
    if (issue !== undefined) return { line: [...line], issue, links };
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
