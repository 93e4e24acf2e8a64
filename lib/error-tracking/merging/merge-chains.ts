import type { Table } from "../../ports/table.ts";
import { getMany } from "../../table/store.ts";
import { MergedIssues } from "../issues.ts";

/** The merge chain of each id: the id itself, the issue that it was merged into, the one that this was merged into, and so on. */
export const readMergeChains = async (
  table: Table,
  project: number,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const wanted = new Set(ids);
  const into = new Map<string, string>();
  let unread = new Set(wanted);
  while (unread.size > 0) {
    const keys = [...unread].map((id) => ({ project, id }));
    const merged = await getMany(table, MergedIssues, keys, { consistent: true });
    for (const { id, merged_into } of merged) into.set(id, merged_into);
    unread = new Set(merged.flatMap(({ merged_into }) => (into.has(merged_into) ? [] : merged_into)));
  }
  return new Map([...wanted].map((id) => [id, chainOf(into, id)]));
};

/** The merge chain of an id, given what each issue was merged into. Ends also where links that were read at different moments seem to close a ring. */
export const chainOf = (into: ReadonlyMap<string, string>, id: string): readonly string[] => {
  const passed = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !passed.has(at); at = into.get(at)) passed.add(at);
  return [...passed];
};
