import { form } from "./form.ts";
import { type Sql, sql } from "./fragment.ts";

/** A text without a difference between missing and empty. */
const ABSENT = form((text) => sql`nullif(${text}, '')`);
const EMPTY = form((text) => sql`coalesce(${text}, '')`);

/** The text, with NULL for an empty one. */
export const emptyAsNull = ABSENT.of;
/** The text, with an empty one for NULL. */
export const nullAsEmpty = EMPTY.of;

/** The text before its empty strings or NULLs became one, which is cheaper to compare; undefined for any other tree. */
export const rawText = (tree: Sql): Sql | undefined => ABSENT.holeOf(tree) ?? EMPTY.holeOf(tree);
