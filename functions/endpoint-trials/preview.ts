import type { World } from "../../lib/app/world.ts";
import { queryOf } from "../../lib/endpoints/definition.ts";
import { previewOf } from "../../lib/endpoints/materialisation/preview.ts";
import { refusalOf, transformFor } from "../../lib/endpoints/materialisation/transform-for.ts";
import type { EndpointVersion, SavedEndpoint } from "../../lib/endpoints/saved-endpoints.ts";
import { unpackAst, unpackExpressions } from "../../lib/endpoints/stored-ast.ts";
import { type BothForms, bothForms, type Side } from "../../lib/endpoints/trial/both-forms.ts";
import { queryText } from "../../lib/hogql/text.ts";
import { planInsight, planningContext } from "../../lib/insight/insight.ts";
import type { InsightQuery } from "../../lib/insight/query.ts";
import type { Preview } from "./preview-wire.ts";

type Place = { readonly id: number; readonly timezone: string };

/** How a version would be divided, or why it cannot be; with variables, the rows of a run of it both ways. */
export const previewFor = async (
  world: World,
  project: Place,
  endpoint: SavedEndpoint,
  version: EndpointVersion,
  variables: Readonly<Record<string, unknown>> | undefined,
): Promise<Preview> => {
  const divided = await dividedForm(world, project, endpoint, version);
  if (variables === undefined || !divided.can_materialize) return divided;
  return { ...divided, comparison: comparisonOf(await bothForms(world, project, version, variables)) };
};

const dividedForm = async (world: World, project: Place, endpoint: SavedEndpoint, version: EndpointVersion): Promise<Preview> => {
  const query = queryOf(version);
  if (query.kind !== "HogQLQuery") {
    const reason = await refusalOf(world, project, { ...version, query });
    if (reason !== null) return refused(reason);
    return { ...NOTHING, ...insightTexts(world, project, endpoint, version, query), can_materialize: true, reason: null };
  }
  const found = await transformFor(world, project, { ...version, query });
  if (found.kind === "refused") return refused(found.reason.text);
  const { range_pairs, aggregates, ...texts } = previewOf(unpackAst(version.ast), found.transform, endpoint.name, version.version);
  return {
    can_materialize: true,
    reason: null,
    ...texts,
    range_pairs: range_pairs.map((pair) => ({ ...pair, variables: [...pair.variables] })),
    aggregates: [...aggregates],
  };
};

/** The queries that an insight stands for now, of all values of its breakdowns; its table is read whole. */
const insightTexts = (
  world: World,
  { timezone }: Place,
  { name }: SavedEndpoint,
  { ast, version }: EndpointVersion,
  query: InsightQuery,
) => {
  const expressions = unpackExpressions(ast);
  const { queries } = planInsight(query, planningContext({ now: world.clock.now(), timezone, expressions, breakdownValues: {} }));
  return {
    transformed_query: queries.map(queryText).join(";\n"),
    execution_query: `SELECT\n    *\nFROM\n    ${name}_v${version}`,
    display_execution_query: `SELECT\n    *\nFROM\n    ${name}`,
  };
};

const NOTHING = { transformed_query: null, execution_query: null, display_execution_query: null, range_pairs: [], aggregates: [] };

const refused = (reason: string): Preview => ({ ...NOTHING, can_materialize: false, reason });

/** Rows that a comparison shows; all of them were compared. */
const SHOWN_ROWS = 20;

const comparisonOf = ({ live, materialised, table }: BothForms): NonNullable<Preview["comparison"]> => ({
  live: sideForm(live),
  materialised: sideForm(materialised),
  table,
  equal: live.error === null && materialised.error === null && JSON.stringify(live.rows) === JSON.stringify(materialised.rows),
});

const sideForm = ({ rows, columns, ...rest }: Side) => ({
  ...rest,
  columns: [...columns],
  rows: rows.slice(0, SHOWN_ROWS),
  row_count: rows.length,
});
