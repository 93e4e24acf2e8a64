import type { Item, Table } from "../table/table.ts";
import type { Waiting } from "./due.ts";
import { DUE_SHARDS, dueShard, laterShard, laterUpTo } from "./paths.ts";

/** An entry of `due` without its item: a commit that has not been deleted yet. */
export interface DueCommit extends Waiting {
  readonly project: number;
  readonly id: string;
}

/** An entry of `later` whose time has come: the sort key of a project's item. */
export interface DueLater {
  readonly project: number;
  readonly sk: string;
}

/** All commits of the index, by project. The index lags, so one may be missing or deleted already. */
export const dueCommits = async (table: Table): Promise<ReadonlyMap<number, readonly DueCommit[]>> => {
  const items = await allShards(table, dueShard, {});
  const byProject = new Map<number, DueCommit[]>();
  for (const item of items) {
    const [at, lane, rows, id] = textOf(item.duesk).split("#");
    const project = projectOf(item);
    if (id === undefined) continue;
    const list = byProject.get(project) ?? [];
    list.push({ project, id, at: Number(at), lane: lane === "historical" ? "historical" : "live", rows: Number(rows) });
    byProject.set(project, list);
  }
  return byProject;
};

/** What `later` holds up to now. */
export const dueLater = async (table: Table, now: number): Promise<readonly DueLater[]> => {
  const items = await allShards(table, laterShard, { to: laterUpTo(now) });
  return items.map((item) => ({ project: projectOf(item), sk: item.sk }));
};

const allShards = async (table: Table, shardPk: (shard: number) => string, sk: { readonly to?: string }): Promise<readonly Item[]> => {
  const shards = Array.from({ length: DUE_SHARDS }, (_, shard) => shardPk(shard));
  return (await Promise.all(shards.map((pk) => allPages(table, pk, sk)))).flat();
};

const allPages = async (table: Table, pk: string, sk: { readonly to?: string }): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ index: "due", pk, sk, cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return items;
};

const projectOf = (item: Item): number => Number(item.pk.slice(item.pk.indexOf("#") + 1));
const textOf = (value: Item[string]): string => (typeof value === "string" ? value : "");
