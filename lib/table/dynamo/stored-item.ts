import type { Item } from "../../ports/table.ts";

/** Whatever the document client gives for an item or a key has text under `pk` and `sk`, because the table demands it. */
export const asItem = (found: Readonly<Record<string, unknown>>): Item => found as Item;
