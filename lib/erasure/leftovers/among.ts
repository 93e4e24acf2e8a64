import type { Expr } from "../../hogql/ast.ts";
import { compare, constant, tuple } from "../../hogql/build.ts";

/** Values that one query names. */
export const VALUES_AT_ONCE = 1_000;

/** That an expression is one of these values, as conditions of as many queries as name them all. */
export const among = (expr: Expr, values: readonly string[]): readonly Expr[] =>
  Array.from({ length: Math.ceil(values.length / VALUES_AT_ONCE) }, (_, at) =>
    compare("in", expr, tuple(values.slice(at * VALUES_AT_ONCE, (at + 1) * VALUES_AT_ONCE).map(constant))),
  );
