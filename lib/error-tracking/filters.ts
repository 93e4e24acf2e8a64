import type { Budget } from "../core/budget.ts";
import { allLeaves, FilterError, type FilterGroup, type FilterLeaf, readFilters } from "./matching/filter-tree.ts";
import { type LeafTest, leafTest } from "./matching/operators.ts";
import type { Subject } from "./matching/subject.ts";

/** Whether an event fulfils a property group. */
export type Matcher = (subject: Subject) => boolean;

/** Parts of the regular expressions of a rule together, their repetitions written out: compiling them takes a twentieth of a second. */
export const MOST_PARTS = 60_000;

/**
 * Compiles a property group as a client wrote it; dates without an offset are read in `timezone`. `parts`: of regular expressions that may
 * be compiled, from which those of this group are taken. Throws `FilterError`.
 */
export const compileFilters = (filters: unknown, timezone: string, parts: Budget = { steps: MOST_PARTS }): Matcher => {
  const compiled = (node: FilterGroup | FilterLeaf): LeafTest => {
    if (!("values" in node)) return leafTest(node, timezone, parts);
    const tests = node.values.map(compiled);
    if (tests.length === 0) return () => true;
    return node.type === "AND" ? (subject) => tests.every((test) => test(subject)) : (subject) => tests.some((test) => test(subject));
  };
  return compiled(readFilters(filters));
};

/** A property group before any event: whether it has a condition at all, or why it can never be asked. */
export type CheckedFilters =
  | { readonly fault: null; readonly hasCondition: boolean }
  | { readonly fault: { readonly kind: FilterError["kind"]; readonly message: string } };

/** Checks a property group as a client wrote it; dates without an offset are read in `timezone`. */
export const checkFilters = (filters: unknown, timezone: string): CheckedFilters => {
  try {
    compileFilters(filters, timezone);
    return { fault: null, hasCondition: allLeaves(readFilters(filters)).length > 0 };
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    return { fault: { kind: error.kind, message: error.message } };
  }
};
