import { ident, type Sql, sql } from "../../sql/fragment.ts";
import { SqlMap } from "../../sql/same.ts";

/** The list of a SELECT: each expression has a name in it, c1, c2, …. */
export interface OutputList {
  readonly items: Sql[];
  add(tree: Sql): string;
  /** The name of an expression in the list, where it is put if need be. */
  output(tree: Sql): string;
  /** Where it was put first, from 1. */
  position(tree: Sql): number | undefined;
}

export const newOutputList = (): OutputList => {
  const items: Sql[] = [];
  const positions = new SqlMap<number>();
  const outputs = new SqlMap<string>();
  const add = (tree: Sql): string => {
    const name = `c${items.length + 1}`;
    items.push(sql`${tree} AS ${ident(name)}`);
    positions.add(tree, items.length);
    return name;
  };
  return {
    items,
    add,
    output: (tree) => {
      const name = outputs.get(tree) ?? add(tree);
      outputs.add(tree, name);
      return name;
    },
    position: (tree) => positions.get(tree),
  };
};
