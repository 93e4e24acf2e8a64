import { thrownMessage } from "../../../core/thrown-message.ts";
import { Defect } from "../../../core/unreachable.ts";
import { QueryError, type QueryErrorCode } from "../../../hogql/errors.ts";
import type { Parameter } from "../../../hogql/lowered-query.ts";
import type { DatabaseOptions, SelectOptions } from "../../duckdb/duckdb.ts";
import type { NativeRow } from "../../native.ts";
import { IncompleteFile } from "./engine-errors.ts";

/** A message to the engine's process. Databases and selects are numbered by the one who asks. */
export type Order =
  | { readonly kind: "open"; readonly database: number; readonly options: DatabaseOptions }
  | {
      readonly kind: "select";
      readonly id: number;
      readonly database: number;
      readonly sql: string;
      readonly parameters: readonly Parameter[];
      readonly timeMs: number;
      readonly more: SelectOptions;
    }
  /** No more rows are wanted. */
  | { readonly kind: "enough"; readonly id: number }
  | { readonly kind: "close"; readonly database: number };

/** Its answer to a select: that it begins, rows in batches, in order, and then one of the other two. */
export type Answer =
  | { readonly kind: "began"; readonly id: number }
  | { readonly kind: "rows"; readonly id: number; readonly rows: NativeRow[] }
  | { readonly kind: "done"; readonly id: number }
  | { readonly kind: "failed"; readonly id: number; readonly fault: Fault };

/** An error on its way between processes. */
export type Fault =
  | { readonly kind: "query"; readonly code: QueryErrorCode; readonly message: string; readonly cause: string }
  | { readonly kind: "incomplete" | "defect" | "other"; readonly message: string };

export const toFault = (thrown: unknown): Fault => {
  const message = thrownMessage(thrown);
  if (thrown instanceof QueryError) {
    return { kind: "query", code: thrown.code, message, cause: thrown.cause instanceof Error ? thrown.cause.message : "" };
  }
  if (thrown instanceof IncompleteFile) return { kind: "incomplete", message };
  return { kind: thrown instanceof Defect ? "defect" : "other", message };
};

export const toError = (fault: Fault): Error => {
  switch (fault.kind) {
    case "query": {
      const error = new QueryError(fault.code, fault.message);
      error.cause = new Error(fault.cause);
      return error;
    }
    case "incomplete":
      return new IncompleteFile(fault.message);
    case "defect":
      return new Defect(fault.message);
    case "other":
      return new Error(fault.message);
  }
};
