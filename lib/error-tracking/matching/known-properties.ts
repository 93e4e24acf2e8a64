import type { FilterLeaf } from "./filter-tree.ts";
import type { LeafTest } from "./operators.ts";

/** The fields of an issue that a condition may ask about. */
const ISSUE_FIELDS: ReadonlySet<string> = new Set(["name", "description", "issue_description", "status"]);

/** Why no exception can answer a condition; null for one that can be answered. `knowsIssue`: whether it is asked when there is an issue. */
export const unknowable = ({ type, key }: FilterLeaf, knowsIssue: boolean): string | null => {
  if (type === "event") return null;
  if (type !== "error_tracking_issue") {
    return `A condition of type \`${type.slice(0, 60)}\` cannot be answered: an exception knows its own properties (\`event\`) and its issue (\`error_tracking_issue\`).`;
  }
  if (!knowsIssue) return "A rule of this kind is asked before there is an issue: its conditions are of type `event`.";
  return ISSUE_FIELDS.has(key) ? null : "Of an issue only `name`, `issue_description` and `status` can be asked.";
};

/**
 * A condition that no exception can answer holds for none, also as a negation: a rule on the person that is not somebody would match all.
 * Only rules that were saved by an earlier release have such.
 */
export const answerable = (leaf: FilterLeaf, test: LeafTest): LeafTest => {
  if (leaf.type === "event") return test;
  return unknowable(leaf, true) === null ? (subject) => subject.hasIssue && test(subject) : () => false;
};
