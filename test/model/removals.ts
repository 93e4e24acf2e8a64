import type { Copy } from "./copies.ts";

/** What an operator removes from a project: all that some ids ever did, or an import. */
export type Removed =
  | { readonly project: number; readonly kind: "ids"; readonly ids: readonly string[] }
  | { readonly project: number; readonly kind: "import"; readonly name: string };

/** Whether a copy of an event is one of those that were removed, whenever it comes. */
export const isRemovedBy =
  (copy: Copy) =>
  (removed: Removed): boolean => {
    if (removed.project !== copy.project) return false;
    return removed.kind === "ids" ? removed.ids.includes(copy.distinctId) : removed.name === copy.importName;
  };
