import type { Ast, Expr, Select } from "../hogql/ast.ts";
import { alias, field, from, select } from "../hogql/build.ts";
import { columnName, queryText } from "../hogql/text.ts";
import { mapChildren, mapOrder } from "../hogql/walk.ts";
import { planInsight } from "../insight/kinds.ts";
import { planningContext } from "../insight/plan.ts";
import type { InsightQuery } from "../insight/query.ts";
import type { Ports } from "../ports/ports.ts";
import { storedQuery } from "./definition.ts";
import type { Reaggregation } from "./materialisation/checks/aggregates.ts";
import { readQuery, shownAggregates, type TablePlan, tableQuery } from "./materialisation/checks/table-plan.ts";
import type { Transform } from "./materialisation/transform.ts";
import { tableRefusal, transformFor } from "./materialisation/transform-for.ts";
import { unpackAst, unpackExpressions } from "./query/stored-ast.ts";
import type { EndpointVersion, SavedEndpoint } from "./saved-endpoints.ts";

/** A version as it is divided into what its table holds and how runs read that, for people. */
export interface Division {
  readonly transformed_query: string;
  readonly execution_query: string;
  readonly display_execution_query: string;
  readonly range_pairs: readonly { readonly column: string; readonly variables: readonly string[]; readonly bucket_fn: string | null }[];
  readonly aggregates: readonly { readonly expression: string; readonly reaggregate_fn: Reaggregation | null }[];
}

type ProjectZone = { readonly id: number; readonly timezone: string };

/** How a version would be divided, in texts under the names that its author knows; or the sentence that says why it cannot be. */
export const previewVersion = async (
  world: Pick<Ports, "table" | "clock">,
  project: ProjectZone,
  endpoint: SavedEndpoint,
  version: EndpointVersion,
): Promise<{ readonly kind: "divided"; readonly division: Division } | { readonly kind: "refused"; readonly reason: string }> => {
  const query = storedQuery(version);
  if (query.kind !== "HogQLQuery") {
    const reason = await tableRefusal(world, project, { ...version, query });
    if (reason !== null) return { kind: "refused", reason };
    return { kind: "divided", division: insightDivision(query, version, endpoint.name, { ...project, now: world.clock.now() }) };
  }
  const found = await transformFor(world, project, { ...version, query });
  if (found.kind === "refused") return { kind: "refused", reason: found.reason.text };
  return { kind: "divided", division: sqlDivision(unpackAst(version.ast), found.transform, endpoint.name, version.version) };
};

/** The queries that an insight stands for now, of all values of its breakdowns; its table is read whole. */
const insightDivision = (
  query: InsightQuery,
  { ast, version }: EndpointVersion,
  name: string,
  { timezone, now }: { readonly timezone: string; readonly now: number },
): Division => {
  const { queries } = planInsight(query, planningContext({ now, timezone, expressions: unpackExpressions(ast), breakdownValues: {} }));
  return {
    transformed_query: queries.map(queryText).join(";\n"),
    ...reads((source) => star(source), `${name}_v${version}`, name),
    range_pairs: [],
    aggregates: [],
  };
};

const sqlDivision = (ast: Ast, { plan, variables }: Transform, name: string, version: number): Division => {
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

const rangePairs = ({ extracted }: TablePlan): Division["range_pairs"] => {
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
