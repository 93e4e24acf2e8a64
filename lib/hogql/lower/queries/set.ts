import { Defect } from "../../../core/unreachable.ts";
import type { LoweringContext } from "../../analysis/context.ts";
import type { Expression } from "../../analysis/expression.ts";
import { AT, type SetOperator, type SetQuery } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { ident, NOTHING, parameter, type Sql, sql } from "../../sql/fragment.ts";
import { commonType, typeName } from "../../types.ts";
import { memberValue } from "../expressions/fields.ts";
import type { Ctes } from "../scope.ts";
import { constantCount } from "./limits.ts";
import { type PartialQuery, type PrintedParts, type RowWindow, withShared } from "./partial-query.ts";
import { lowerQuery } from "./select.ts";

/** UNION, INTERSECT and EXCEPT: columns go by position, and have the names of the first query. */
export const lowerSet = (context: LoweringContext, node: SetQuery, ctes: Ctes | null): PartialQuery => {
  const scoped = node.first.kind === "select" ? node.first.ctes.reduce<Ctes | null>((before, cte) => ({ cte, before }), ctes) : ctes;
  const first = lowerQuery(context, node.first, ctes, false);
  const rest = node.rest.map(({ operator, query }) => ({ operator, partial: lowerQuery(context, query, scoped, false) }));
  const columns = first.columns.map((column, index) => {
    const values = [first, ...rest.map(({ partial }) => partial)].map((partial) => partial.columns[index]?.member());
    const expressions = values.map((member) => (member === undefined ? undefined : memberValue(member)));
    return { name: column.name, expression: united(expressions, column.name, index, node) };
  });
  for (const { partial } of rest) {
    if (partial.columns.length !== columns.length) {
      throw new QueryError(
        "type_mismatch",
        `The queries of a ${node.rest[0]?.operator ?? "UNION"} have ${columns.length} and ${partial.columns.length} columns.`,
        node[AT],
      );
    }
  }
  const table = context.alias("q");
  const limit = node.limit === null ? null : sql`${parameter(constantCount({ context }, node.limit, "LIMIT"))}::BIGINT`;
  const offset = node.offset === null ? null : sql`${parameter(constantCount({ context }, node.offset, "OFFSET"))}::BIGINT`;
  const own: RowWindow | null = limit === null && offset === null ? null : { limit: limit ?? sql`ALL`, offset };
  const print = (rows?: RowWindow): PrintedParts => {
    const queries = rest.map(({ operator, partial }) => ({ operator, query: withShared(partial.print()) }));
    const body = joined(withShared(first.print()), queries);
    const window = rows ?? own;
    if (window === null) return { shared: [], body };
    const offset = window.offset === null ? NOTHING : sql` OFFSET ${window.offset}`;
    return { shared: [], body: sql`SELECT * FROM (${body}) AS ${table} LIMIT ${window.limit}${offset}` };
  };
  return {
    columns: columns.map(({ name, expression }) => ({ name, member: () => ({ kind: "value", expression }) })),
    closed: true,
    passes: () => false,
    output: () => {
      throw new Defect("a set of queries has all of its columns in its lists");
    },
    print,
  };
};

interface Next {
  readonly operator: SetOperator;
  readonly query: Sql;
}

/** INTERSECT binds its two sides first; the rest goes from left to right. */
const joined = (first: Sql, rest: readonly Next[]): Sql => {
  let start = first;
  const others: Next[] = [];
  for (const next of rest) {
    const last = next.operator.startsWith("INTERSECT") ? others.pop() : undefined;
    if (last !== undefined) others.push({ ...last, query: pair(last.query, next) });
    else if (others.length === 0 && next.operator.startsWith("INTERSECT")) start = pair(start, next);
    else others.push(next);
  }
  return others.reduce(pair, start);
};

/** Without DISTINCT, INTERSECT and EXCEPT keep a row as often as both sides have it, or as the left has it more often. */
const pair = (left: Sql, { operator, query }: Next): Sql => sql`(${left}) ${OPERATORS[operator]} (${query})`;

const OPERATORS: Readonly<Record<SetOperator, Sql>> = {
  "UNION ALL": sql`UNION ALL`,
  "UNION DISTINCT": sql`UNION`,
  INTERSECT: sql`INTERSECT ALL`,
  "INTERSECT DISTINCT": sql`INTERSECT`,
  "INTERSECT ALL": sql`INTERSECT ALL`,
  EXCEPT: sql`EXCEPT ALL`,
  "EXCEPT ALL": sql`EXCEPT ALL`,
};

const united = (parts: readonly (Expression | undefined)[], name: string, index: number, node: SetQuery): Expression => {
  const given = parts.filter((part) => part !== undefined);
  const [first, ...others] = given;
  let type = first?.type ?? { kind: "null" as const };
  for (const other of others) {
    const both = commonType(type, other.type);
    if (both === null)
      throw new QueryError(
        "no_common_type",
        `The column \`${name}\` is ${typeName(type)} in one query and ${typeName(other.type)} in another.`,
        node[AT],
      );
    type = both;
  }
  return { tree: ident(`c${index + 1}`), type, nullable: given.some((part) => part.nullable) };
};
