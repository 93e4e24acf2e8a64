import type { Expression } from "../../analysis/expression.ts";
import type { Run } from "../../analysis/run.ts";
import { common, nameOf } from "../../analysis/types.ts";
import { QueryError } from "../../errors.ts";
import { AT, type SetQuery } from "../../syntax/ast.ts";
import { whole } from "../expressions/fields.ts";
import type { Ctes } from "../scope.ts";
import type { Draft, RowWindow } from "./draft.ts";
import { constantCount } from "./limits.ts";
import { lowerQuery } from "./select.ts";

/** UNION, INTERSECT and EXCEPT: columns go by position, and have the names of the first query. */
export const lowerSet = (run: Run, node: SetQuery, ctes: Ctes | null): Draft => {
  const scoped = node.first.kind === "select" ? node.first.ctes.reduce<Ctes | null>((before, cte) => ({ cte, before }), ctes) : ctes;
  const first = lowerQuery(run, node.first, ctes, false);
  const rest = node.rest.map(({ operator, query }) => ({ operator, draft: lowerQuery(run, query, scoped, false) }));
  const columns = first.columns.map((column, index) => {
    const values = [first, ...rest.map(({ draft }) => draft)].map((draft) => draft.columns[index]?.member());
    const expressions = values.map((member) => (member === undefined ? undefined : whole(run, member)));
    return { name: column.name, expression: united(expressions, column.name, index, node) };
  });
  for (const { draft } of rest) {
    if (draft.columns.length !== columns.length) {
      throw new QueryError(
        "type_mismatch",
        `The queries of a ${node.rest[0]?.operator ?? "UNION"} have ${columns.length} and ${draft.columns.length} columns.`,
        node[AT],
      );
    }
  }
  const table = run.fresh("q");
  const limit = node.limit === null ? null : `${run.bind(constantCount({ run }, node.limit, "LIMIT"))}::BIGINT`;
  const offset = node.offset === null ? null : `${run.bind(constantCount({ run }, node.offset, "OFFSET"))}::BIGINT`;
  const own: RowWindow | null = limit === null && offset === null ? null : { limit: limit ?? "ALL", offset };
  const print = (rows?: RowWindow): string => {
    const queries = rest.map(({ operator, draft }) => ({ operator, text: draft.print() }));
    const body = joined(first.print(), queries);
    const window = rows ?? own;
    if (window === null) return body;
    return `SELECT * FROM (${body}) AS ${table} LIMIT ${window.limit}${window.offset === null ? "" : ` OFFSET ${window.offset}`}`;
  };
  return {
    columns: columns.map(({ name, expression }) => ({ name, member: () => ({ kind: "value", expression }) })),
    closed: true,
    passes: () => false,
    output: (expression) => expression.sql,
    print,
  };
};

interface Next {
  readonly operator: string;
  readonly text: string;
}

/** INTERSECT binds its two sides first; the rest goes from left to right. */
const joined = (first: string, rest: readonly Next[]): string => {
  const sides: Next[] = [{ operator: "", text: first }];
  for (const next of rest) {
    const last = next.operator.startsWith("INTERSECT") ? sides.pop() : undefined;
    sides.push(last === undefined ? next : { ...last, text: pair(last.text, next) });
  }
  const [start, ...others] = sides;
  return others.reduce((left, next) => pair(left, next), start?.text ?? first);
};

/** Without DISTINCT, INTERSECT and EXCEPT keep a row as often as both sides have it, or as the left has it more often. */
const pair = (left: string, { operator, text }: Next): string => `(${left}) ${OPERATORS.get(operator) ?? operator} (${text})`;

const OPERATORS: ReadonlyMap<string, string> = new Map([
  ["UNION DISTINCT", "UNION"],
  ["INTERSECT", "INTERSECT ALL"],
  ["INTERSECT DISTINCT", "INTERSECT"],
  ["EXCEPT", "EXCEPT ALL"],
]);

const united = (parts: readonly (Expression | undefined)[], name: string, index: number, node: SetQuery): Expression => {
  const given = parts.filter((part) => part !== undefined);
  const [first, ...others] = given;
  let type = first?.type ?? { kind: "null" as const };
  for (const other of others) {
    const both = common(type, other.type);
    if (both === null)
      throw new QueryError(
        "no_common_type",
        `The column \`${name}\` is ${nameOf(type)} in one query and ${nameOf(other.type)} in another.`,
        node[AT],
      );
    type = both;
  }
  return { sql: `c${index + 1}`, type, nullable: given.some((part) => part.nullable) };
};
