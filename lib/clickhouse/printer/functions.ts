import type { Expr } from "../../hogql/ast.ts";
import { type FunctionEntry, functionEntry } from "../../hogql/vocabulary.ts";
import { Unprintable } from "./unprintable.ts";

/** It stands only in the list of a SELECT, and so is none of the functions. */
export const UNTUPLE = "untuple";

/** A function of the language in the spelling that it is listed with: no other name may stand in the SQL. Throws `Unprintable`. */
export const listed = (name: string): Pick<FunctionEntry, "name" | "takes"> => {
  const found = name === UNTUPLE ? { name, takes: [] } : functionEntry(name);
  if (found === undefined || !/^\w+$/.test(found.name)) throw new Unprintable("a function that the language does not have");
  return found;
};

/** Whether a node is a call of an aggregate. */
export const isAggregate = (node: Expr): boolean => node.kind === "call" && functionEntry(node.name)?.kind === "aggregate";
