import type { Table } from "../../ports/table.ts";
import { getMany } from "../../table/store.ts";
import { MergedIssues } from "../issues.ts";

/** By id, the issue itself and those that it was merged into, one after the other: an issue that was merged came to each of the later ones by it. */
export const readLines = async (table: Table, project: number, ids: Iterable<string>): Promise<ReadonlyMap<string, readonly string[]>> => {
  const asked = new Set(ids);
  const into = new Map<string, string>();
  let unread = new Set(asked);
  while (unread.size > 0) {
    const keys = [...unread].map((id) => ({ project, id }));
    const merged = await getMany(table, MergedIssues, keys, { consistent: true });
    for (const { id, merged_into } of merged) into.set(id, merged_into);
    unread = new Set(merged.flatMap(({ merged_into }) => (into.has(merged_into) ? [] : merged_into)));
  }
  return new Map([...asked].map((id) => [id, lineOf(into, id)]));
};

/** An issue and those that it leads to, by what each was merged into. Ends also where entries that were not read at once seem to lead back. */
export const lineOf = (into: ReadonlyMap<string, string>, id: string): readonly string[] => {
  const passed = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !passed.has(at); at = into.get(at)) passed.add(at);
  return [...passed];
};
