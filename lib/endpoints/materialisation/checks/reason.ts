import type { TableRefusal } from "../../../insight/kinds.ts";

/** Why a query cannot have a table of its own: stable codes, each with a sentence for the query's author. */
export type ReasonCode = TableRefusal["code"] | "empty_or_invalid_query" | VariableReasonCode;

/** Reasons that lie in how a query uses its variables. */
export type VariableReasonCode =
  | "no_query_string"
  | "parse_failed"
  | "no_variables"
  | "invalid_placeholder_format"
  | "variable_metadata_not_found"
  | "variable_not_in_where"
  | "variable_in_having"
  | "unsupported_operator"
  | "variable_in_or"
  | "variable_multiple_columns"
  | "variable_in_cte_and_top_level"
  | "variable_in_multiple_ctes"
  | "cte_variable_with_top_level_join"
  | "aggregate_not_reaggregatable"
  | "alias_conflict"
  | "scalar_subquery_reference"
  | "downstream_window"
  | "downstream_join"
  | "downstream_nested_subquery"
  | "downstream_no_source"
  | "downstream_name_collision"
  | "downstream_set_operation"
  | "downstream_union_leg"
  | "downstream_limit"
  | "downstream_aggregate"
  | "downstream_shape";

export interface Reason {
  readonly code: ReasonCode;
  readonly text: string;
}

/** Thrown by the checks below the surface, and caught where they begin: whatever is wrong deep in a tree ends the whole analysis. */
export class NotMaterialisable extends Error {
  override readonly name = "NotMaterialisable";
  readonly code: VariableReasonCode;
  constructor(code: VariableReasonCode, sentence: string) {
    super(sentence);
    this.code = code;
  }
}

/** The reason that a check of variables threw. Throws on whatever else was thrown. */
export const variableReason = (thrown: unknown): Reason => {
  if (!(thrown instanceof NotMaterialisable)) throw thrown;
  return { code: thrown.code, text: `Variables not supported: ${thrown.message}` };
};
