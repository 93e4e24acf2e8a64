/** A relation over files of the lake, as the text of a query. */
export interface Relation {
  readonly sql: string;
  readonly counts: readonly Count[];
}

/** What stands after FROM to read some files, and how many rows that finds where none of them is missing. */
export interface Count {
  readonly from: readonly string[];
  readonly rows: number;
}

export const unionAll = (selects: readonly string[]): string => selects.join(" UNION ALL ");

/** A query that counts the rows of all files, each once, and the number that it must find. Null where there is no file. */
export const countQuery = (relations: readonly Relation[]): { readonly sql: string; readonly rows: number } | null => {
  const counts = new Map(relations.flatMap((relation) => relation.counts).map((count) => [count.from.join(), count]));
  const selects = [...counts.values()].flatMap(({ from }) => from.map((one) => `SELECT count() AS found FROM ${one}`));
  if (selects.length === 0) return null;
  return { sql: `SELECT sum(found) FROM (${unionAll(selects)})`, rows: [...counts.values()].reduce((sum, { rows }) => sum + rows, 0) };
};
