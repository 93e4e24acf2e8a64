import { type FilterGroup, type FilterLeaf, readFilters } from "./filter-tree.ts";
import { type LeafTest, leafTest } from "./operators.ts";
import type { Subject } from "./subject.ts";

/** Whether an event fulfils a property group. */
export type Matcher = (subject: Subject) => boolean;

/** Compiles a property group as a client wrote it; dates without an offset are read in `timezone`. Throws `FilterError`. */
export const compileFilters = (filters: unknown, timezone: string): Matcher => {
  const compiled = (node: FilterGroup | FilterLeaf): LeafTest => {
    if (!("values" in node)) return leafTest(node, timezone);
    const tests = node.values.map(compiled);
    if (tests.length === 0) return () => true;
    return node.type === "AND" ? (subject) => tests.every((test) => test(subject)) : (subject) => tests.some((test) => test(subject));
  };
  return compiled(readFilters(filters));
};
