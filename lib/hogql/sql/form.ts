import { NOTHING, type Sql, sql } from "./fragment.ts";

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

/** A text without a difference between missing and empty. */
const ABSENT = form((text) => sql`nullif(${text}, '')`);
const EMPTY = form((text) => sql`coalesce(${text}, '')`);

/** The text, with NULL for an empty one. */
export const emptyAsNull = ABSENT.of;
/** The text, with an empty one for NULL. */
export const nullAsEmpty = EMPTY.of;

/** The text before its empty strings or NULLs became one, which is cheaper to compare; undefined for any other tree. */
export const rawText = (tree: Sql): Sql | undefined => ABSENT.holeOf(tree) ?? EMPTY.holeOf(tree);
