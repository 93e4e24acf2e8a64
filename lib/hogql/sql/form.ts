import { NOTHING, type Sql } from "./fragment.ts";

/** SQL of one shape with a hole in it. A tree can be asked for what stands in the hole, if it is of this shape. */
export interface Form {
  readonly of: (hole: Sql) => Sql;
  readonly holeOf: (tree: Sql) => Sql | undefined;
}

/** `of` is one template with one hole: trees made by it share its strings, and no others do. */
export const form = (of: (hole: Sql) => Sql): Form => {
  const shape = of(NOTHING);
  return {
    of,
    holeOf: (tree) => (tree.kind === "template" && shape.kind === "template" && tree.strings === shape.strings ? tree.parts[0] : undefined),
  };
};
