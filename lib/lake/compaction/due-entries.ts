import type { Item, Table } from "../../ports/table.ts";
import { DUE_SHARDS, dueShard, HEAD_SK, laterShard, laterUpTo, projectOfPk } from "../paths.ts";
import { type Backlogs, type GrowingBacklog, growingBacklog } from "./due.ts";

/** The sums of a project's commits that are not deleted yet. */
export interface DueProject {
  readonly project: number;
  readonly backlogs: Backlogs;
}

/** An entry of `later` whose time has come: the sort key of a project's item, and of its entry, which begins with that time. */
export interface DueLater {
  readonly project: number;
  readonly sk: string;
  readonly duesk: string;
}

/** Entries of one shard of `later` that a sweep takes: what is done leaves the index, and the next sweep takes those behind it. */
const MOST_LATER = 5_000;

/**
 * All commits of the index, by project, lowest first: summed up page by page, because where the workers stand still there are more than
 * a sweep can hold. The index lags, so one may be missing or deleted already.
 */
export const dueProjects = async (table: Table): Promise<readonly DueProject[]> => {
  const byProject = new Map<number, GrowingBacklog>();
  await allShards(table, dueShard, {}, (items) => {
    for (const item of items) {
      const [at, lane, rows] = asText(item.duesk).split("#");
      const project = projectOfPk(item.pk);
      const backlog = byProject.get(project) ?? growingBacklog();
      byProject.set(project, backlog);
      backlog.add({ at: Number(at), lane: lane === "historical" ? "historical" : "live", rows: Number(rows) });
    }
    return true;
  });
  return [...byProject].map(([project, { all }]) => ({ project, backlogs: all })).sort((a, b) => a.project - b.project);
};

/** The entries of `later` up to now, by project, lowest first, and of each project by their times. */
export const dueLater = async (table: Table, now: number): Promise<readonly DueLater[]> => {
  const found: DueLater[] = [];
  const taken = new Map<string, number>();
  await allShards(table, laterShard, { to: laterUpTo(now) }, (items, shard) => {
    for (const { pk, sk, duesk } of items) found.push({ project: projectOfPk(pk), sk, duesk: asText(duesk) });
    taken.set(shard, (taken.get(shard) ?? 0) + items.length);
    return (taken.get(shard) ?? 0) < MOST_LATER;
  });
  return found.sort((a, b) => a.project - b.project);
};

/** The projects that have rows or had some, lowest first: each project's head waits there for its next audit. */
export const lakeProjects = async (table: Table): Promise<readonly number[]> => {
  const projects = new Set<number>();
  await allShards(table, laterShard, {}, (items) => {
    for (const { pk, sk } of items) if (sk === HEAD_SK) projects.add(projectOfPk(pk));
    return true;
  });
  return [...projects].sort((a, b) => a - b);
};

/** Hands over each page of each shard; a shard ends when `take` says so. */
type Take = (items: readonly Item[], shard: string) => boolean;

const allShards = async (table: Table, shardPk: (shard: number) => string, sk: { readonly to?: string }, take: Take): Promise<void> => {
  const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => shardPk(shard));
  await Promise.all(shards.map((pk) => allPages(table, pk, sk, take)));
};

const allPages = async (table: Table, pk: string, sk: { readonly to?: string }, take: Take): Promise<void> => {
  let cursor: string | null = null;
  do {
    const page = await table.query({ index: "due", pk, sk, cursor });
    if (!take(page.items, pk)) return;
    cursor = page.cursor;
  } while (cursor !== null);
};

const asText = (value: Item[string]): string => (typeof value === "string" ? value : "");
