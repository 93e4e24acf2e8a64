import type { Expr } from "../../hogql/ast.ts";
import { functionKind } from "../../hogql/vocabulary.ts";

/** Whether a node is a call of an aggregate. */
export const isAggregate = (node: Expr): boolean => node.kind === "call" && functionKind(node.name) === "aggregate";

/** Whether the language has a function of that name, so that it may stand in the SQL. */
export const isFunction = (name: string): boolean => /^\w+$/.test(name) && (functionKind(name) !== undefined || name === UNTUPLE);

/** It stands only in the list of a SELECT, and so is none of the functions. */
export const UNTUPLE = "untuple";
