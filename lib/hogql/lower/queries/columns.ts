import { once } from "../../../core/once.ts";
import type { Expression } from "../../analysis/expression.ts";
import { AT, type Call, type Expr, type Select } from "../../ast.ts";
import { QueryError } from "../../errors.ts";
import { tupleElement } from "../../operators/collections.ts";
import { matchNames } from "../../regex.ts";
import type { Member } from "../../schema/relation.ts";
import { columnName, expressionLabel } from "../../text.ts";
import { isStar } from "../../walk.ts";
import { expr, noColumnAt } from "../expressions/expr.ts";
import { memberValue } from "../expressions/fields.ts";
import type { Scope } from "../scope.ts";
import type { PartialQueryColumn } from "./partial-query.ts";

export interface SelectColumn extends PartialQueryColumn {
  /** Only computed when something asks for it. */
  readonly lazy: boolean;
  expression(): Expression;
}

/** Most columns of one SELECT, once every `*` is written out: one that stands in it again and again makes many of few words. */
const MAX_COLUMNS = 2_000;

/** The list of columns with every `*` written out. */
export const expandColumns = (scope: Scope, node: Select): readonly SelectColumn[] => {
  const columns: SelectColumn[] = [];
  for (const column of node.columns) {
    columns.push(...lowerColumn(scope, column));
    if (columns.length > MAX_COLUMNS) throw new QueryError("too_complex", `A SELECT may have at most ${MAX_COLUMNS} columns.`);
  }
  scope.context.countColumns(columns.length);
  if (columns.length === 0) throw new QueryError("unknown_field", "The query has no columns: none has a name that its COLUMNS takes.");
  return columns;
};

/** The column at a place of the list, from 1. */
export const columnAt = (columns: readonly SelectColumn[], index: number, node: Expr): Expression => {
  const column = columns[index - 1];
  if (column === undefined) throw noColumnAt(index, node);
  return column.expression();
};

const lowerColumn = (scope: Scope, node: Expr): readonly SelectColumn[] => {
  if (node.kind === "field" && isStar(node)) return expandStar(scope, node.chain.length > 1 ? String(node.chain[0]) : null, node);
  if (node.kind === "columns") {
    const all = expandStar(scope, null, node).filter(({ name }) => !node.exclude.includes(name));
    if (node.regex === null) return all;
    const found = matchNames(
      scope.context,
      node.regex,
      all.map(({ name }) => name),
    );
    return all.filter(({ name }) => found.has(name));
  }
  const name = columnName(node);
  const inner = node.kind === "alias" ? node.item : node;
  if (inner.kind === "call" && inner.name === "untuple") return untuple(scope, node, inner);
  const lower = once(() => expr(node.kind === "alias" ? openAlias(scope, node.name) : scope, inner));
  if (inner.kind !== "field") return [{ name, lazy: false, expression: lower, member: () => ({ kind: "value", expression: lower() }) }];
  const found = once(() => propertiesMember(scope, inner.chain));
  return [
    {
      name,
      lazy: found() !== undefined || scope.groupKeys === null,
      expression: lower,
      member: () => found() ?? { kind: "value", expression: lower() },
    },
  ];
};

/** `untuple(t)`: a column for each element. */
const untuple = (scope: Scope, node: Expr, { args }: Call): readonly SelectColumn[] => {
  const [arg] = args;
  const value = arg === undefined ? undefined : expr(scope, arg);
  if (arg === undefined || value?.type.kind !== "tuple" || args.length !== 1)
    throw new QueryError("illegal_type_of_argument", "`untuple` needs one tuple.", node[AT]);
  return value.type.of.map((_, index) => {
    const item = tupleElement(value, index + 1);
    const name = node.kind === "alias" ? `${node.name}.${index + 1}` : `tupleElement(${expressionLabel(arg)}, ${index + 1})`;
    return { name, lazy: false, expression: () => item, member: () => ({ kind: "value", expression: item }) };
  });
};

/** Inside its own definition, an alias means the column of that name. */
const openAlias = (scope: Scope, name: string): Scope => ({ ...scope, open: new Set([...scope.open, name]) });

/** `properties` of a table, passed on as such, so that the query around it can still read single properties. */
const propertiesMember = (scope: Scope, chain: readonly (string | number)[]): Member | undefined => {
  const name = String(chain.at(-1));
  if (name !== "properties" || chain.length > 2) return undefined;
  const relations = chain.length === 2 ? scope.relations.filter((relation) => relation.name === chain[0]) : scope.relations;
  const member = relations.map((relation) => relation.member(name)).find((found) => found !== undefined);
  return member?.kind === "properties" ? member : undefined;
};

const expandStar = (scope: Scope, table: string | null, node: Expr): readonly SelectColumn[] => {
  const relations = table === null ? scope.relations : scope.relations.filter((relation) => relation.name === table);
  if (relations.length === 0)
    throw new QueryError("unknown_table", table === null ? "`*` needs a table: add FROM." : `Unknown table \`${table}\`.`, node[AT]);
  const seen = new Set<string>();
  /** A column of USING stands in the list once. */
  const isAgain = (name: string): boolean => table === null && scope.merged.has(name) && (seen.has(name) || !seen.add(name));
  return relations.flatMap((relation) =>
    relation.star.flatMap((name): readonly SelectColumn[] => {
      if (isAgain(name)) return [];
      const merged = table === null ? scope.merged.get(name) : undefined;
      const member = (): Member => {
        const found: Member | undefined = merged === undefined ? relation.member(name) : { kind: "value", expression: merged };
        if (found === undefined) throw new QueryError("unknown_field", `Unknown field \`${name}\`.`, node[AT]);
        return found;
      };
      return [{ name, lazy: true, member, expression: () => regrouped(scope, memberValue(member())) }];
    }),
  );
};

const regrouped = (scope: Scope, value: Expression): Expression => {
  const key = scope.groupKeys?.get(value.tree);
  if (key === undefined) return value;
  const { ungroupedColumn: _, ...rest } = value;
  return { ...rest, tree: key };
};
