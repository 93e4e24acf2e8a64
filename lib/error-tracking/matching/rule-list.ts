import { hash } from "node:crypto";
import { type CompiledRules, compileRules } from "./compiled-rules.ts";
import { allLeaves, type FilterLeaf, readFilters } from "./filter-tree.ts";
import { isRegex } from "./regex.ts";

/** Rules that are asked together, in their order. */
export interface RuleList {
  /** The same for the same filters: what a thread has compiled is known by it. */
  readonly id: string;
  /** JSON texts of property groups. */
  readonly filters: readonly string[];
  /** In which dates without an offset are read. */
  readonly timezone: string;
  /** The properties that are asked for, by type and key. */
  readonly properties: readonly (readonly [type: string, key: string])[];
  /** Null where there are regular expressions, which are compiled and asked in a thread. */
  readonly compiled: CompiledRules | null;
}

export const ruleList = (filters: readonly string[], timezone: string): RuleList => {
  const leaves = filters.flatMap(leavesIn);
  const asked = new Map(leaves.map(({ type, key }) => [JSON.stringify([type, key]), [type, key] as const]));
  return {
    id: hash("sha256", JSON.stringify([timezone, filters])),
    filters,
    timezone,
    properties: [...asked.values()],
    compiled: leaves.some(hasRegex) ? null : compileRules(filters, timezone),
  };
};

/** None of what cannot be read: compiling it says why. */
const leavesIn = (filters: string): readonly FilterLeaf[] => {
  try {
    return allLeaves(readFilters(JSON.parse(filters)));
  } catch {
    return [];
  }
};

const hasRegex = ({ operator, value }: FilterLeaf): boolean =>
  (operator === "regex" || operator === "not_regex") && [value].flat().some((pattern) => isRegex(String(pattern)));
