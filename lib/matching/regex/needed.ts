import type { Node } from "./syntax.ts";

/** The longest text found so far that every match holds, and the one that is just being put together. */
interface Needed {
  longest: string;
  open: string;
}

/** A text that every match of an expression holds; empty where none is known. Most texts are told apart by it at once. */
export const neededText = (node: Node): string => {
  const needed: Needed = { longest: "", open: "" };
  visit(node, needed);
  close(needed);
  return needed.longest;
};

const visit = (node: Node, needed: Needed): void => {
  switch (node.kind) {
    case "char":
      if (node.text === undefined) close(needed);
      else needed.open += node.text;
      return;
    case "sequence":
      for (const item of node.of) visit(item, needed);
      return;
    case "repeat":
      close(needed);
      if (node.min === 0) return;
      visit(node.of, needed);
      close(needed);
      return;
    case "choice":
      close(needed);
      return;
    case "empty":
    case "assert":
      return;
  }
};

const close = (needed: Needed): void => {
  if (needed.open.length > needed.longest.length) needed.longest = needed.open;
  needed.open = "";
};
