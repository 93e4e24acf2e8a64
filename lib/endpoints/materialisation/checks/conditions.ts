import type { Ast, Select } from "../../../hogql/ast.ts";
import { tableRefusal } from "../../../insight/kinds.ts";
import type { StoredQuery, StoredSql } from "../../definition.ts";
import { type BucketOf, extractVariables } from "./extract-variables.ts";
import { type Reason, variableReason } from "./reason.ts";
import { planTable, type TablePlan } from "./table-plan.ts";
import { findVariableUses, variablesIn } from "./variable-uses.ts";

/** How a query can have a table: its variables taken out; as it is, where it has none; or not at all. */
export type Conditions =
  | { readonly kind: "divided"; readonly plan: TablePlan }
  | { readonly kind: "whole" }
  | { readonly kind: "refused"; readonly reason: Reason };

/** Whether a query can be materialised, from its definition and its tree alone; of an insight there is no tree. */
const canMaterializeQuery = (query: StoredQuery, ast: Ast | null, bucketOf: BucketOf = () => null): Conditions => {
  if (query.kind !== "HogQLQuery") {
    const reason = tableRefusal(query);
    return reason === null ? { kind: "whole" } : { kind: "refused", reason };
  }
  if (query.query.trim() === "") return refused("empty_or_invalid_query", "Query is empty or invalid.");
  if (ast === null) return refused("parse_failed", "Variables not supported: the query could not be parsed.");
  if (variablesIn(ast).length > 0 || query.variables !== null) return analyzeVariables(query, ast, bucketOf);
  return { kind: "whole" };
};

/** Whether the variables of a query can be taken out of it and put into the reads of its table. */
const analyzeVariables = (query: StoredSql, ast: Ast, bucketOf: BucketOf): Conditions => {
  const used = variablesIn(ast);
  if (used.length === 0) return refused("no_variables", "Variables not supported: No variables found in the query.");
  if (used.includes("")) {
    return refused("invalid_placeholder_format", "Variables not supported: the placeholder {variables} names no variable.");
  }
  const defined = Object.values(query.variables ?? {}).map(({ code_name }) => code_name);
  const missing = used.find((name) => !defined.includes(name));
  if (missing !== undefined)
    return refused("variable_metadata_not_found", `Variables not supported: Variable metadata not found for '${missing}'.`);
  try {
    const uses = findVariableUses(ast);
    return { kind: "divided", plan: planTable(extractVariables(asSelect(ast), uses, bucketOf)) };
  } catch (thrown) {
    return { kind: "refused", reason: variableReason(thrown) };
  }
};

/** Guarantee of the cast: `findVariableUses` has thrown for a UNION, and a tree is nothing else. */
const asSelect = (ast: Ast): Select => ast as Select;

const refused = (code: Reason["code"], text: string): Conditions => ({ kind: "refused", reason: { code, text } });

/** How a query without variables can be divided; null where it cannot be. */
export const planWithoutVariables = (ast: Ast): TablePlan | null => {
  if (ast.kind === "set") return null;
  try {
    return planTable({ select: ast, variableColumns: [] });
  } catch (thrown) {
    variableReason(thrown);
    return null;
  }
};

/** The checks, by the names under which clients know them. */
export const checks = { can_materialize_query: canMaterializeQuery, analyze_variables_for_materialization: analyzeVariables } as const;
