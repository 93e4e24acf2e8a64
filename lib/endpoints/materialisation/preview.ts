import type { Ast, Expr, Select } from "../../hogql/ast.ts";
import { alias, field, from, select } from "../../hogql/build.ts";
import { columnName, queryText } from "../../hogql/text.ts";
import { mapChildren, mapOrder } from "../../hogql/walk.ts";
import type { Reaggregation } from "./checks/aggregates.ts";
import { readQuery, shownAggregates, type TablePlan, tableQuery } from "./checks/table-plan.ts";
import type { Transform } from "./transform.ts";

/** A query as it is divided, for people. */
export interface Preview {
  readonly transformed_query: string;
  readonly execution_query: string;
  readonly display_execution_query: string;
  readonly range_pairs: readonly { readonly column: string; readonly variables: readonly string[]; readonly bucket_fn: string | null }[];
  readonly aggregates: readonly { readonly expression: string; readonly reaggregate_fn: Reaggregation | null }[];
}

/** Shows what a version's table holds and how it is read, under the names that its author knows. */
export const previewOf = (ast: Ast, { plan, variables }: Transform, name: string, version: number): Preview => {
  const table = `${name}_v${version}`;
  if (plan === null || variables.length === 0) {
    return { transformed_query: queryText(ast), ...reads((source) => star(source), table, name), range_pairs: [], aggregates: [] };
  }
  return {
    transformed_query: queryText(named(plan)),
    ...reads((source) => shownRead(plan, source), table, name),
    range_pairs: rangePairs(plan),
    aggregates: shownAggregates(plan),
  };
};

const reads = (read: (source: string) => Select, table: string, name: string) => ({
  execution_query: queryText(read(table)),
  display_execution_query: queryText(read(name)),
});

const star = (source: string): Select => select([field("*")], { from: from(source) });

/** The query of the table with its columns under their names. */
const named = (plan: TablePlan): Select => {
  const query = tableQuery(plan, { regroups: plan.regroups });
  const columns = plan.columns.map(({ name, item }, index): Expr => {
    const own = query.columns[index] ?? item;
    return columnName(own) === name ? own : alias(name, own);
  });
  return { ...query, columns };
};

const shownRead = (plan: TablePlan, source: string): Select => {
  const column = (index: number): Expr => field(plan.columns[index]?.name ?? "");
  const read = readQuery(plan, { from: from(source), column, regroups: plan.regroups, hasDefault: () => false });
  return {
    ...read,
    columns: read.columns.map(quotedValues),
    where: read.where === null ? null : quotedValues(read.where),
    orderBy: mapOrder(read.orderBy, quotedValues),
  };
};

/** A value stands in quotes, as clients know it from queries that are shown. */
const quotedValues = (node: Expr): Expr =>
  node.kind === "placeholder" ? { kind: "constant", value: `{${node.chain.join(".")}}` } : mapChildren(node, quotedValues);

const rangePairs = ({ extracted }: TablePlan): Preview["range_pairs"] => {
  const pairs = new Map<string, { column: string; variables: string[]; bucket_fn: string | null }>();
  for (const { variable, column, kind, bucket } of extracted.variableColumns) {
    if (kind !== "range") continue;
    const name = column.kind === "field" ? column.chain.join(".") : columnName(column);
    const pair = pairs.get(name) ?? { column: name, variables: [], bucket_fn: bucket };
    if (!pair.variables.includes(variable)) pair.variables.push(variable);
    pairs.set(name, pair);
  }
  return [...pairs.values()];
};
