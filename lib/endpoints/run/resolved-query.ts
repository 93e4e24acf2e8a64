import type { Ast } from "../../hogql/ast.ts";
import { QueryError, savedCode } from "../../hogql/errors.ts";
import { invalid } from "../../http/errors.ts";
import { expressionTexts, planInsight } from "../../insight/kinds.ts";
import { withDashboardFilter, withDates } from "../../insight/override.ts";
import { parseExpressions } from "../../insight/parse-expressions.ts";
import { type InsightPlan, planningContext } from "../../insight/plan.ts";
import { breakdownNames, type DashboardFilter, type InsightQuery } from "../../insight/query.ts";
import type { StoredSql } from "../definition.ts";
import { unpackAst, unpackExpressions } from "../query/stored-ast.ts";
import type { RequestedVersion } from "../requested-version.ts";
import { requireBreakdowns, withoutOmitted } from "./insight-table.ts";
import { type InsightValues, insightValues, type Moment, variableNames } from "./insight-variables.ts";
import { checkNames, variableValues } from "./variables.ts";

/** The input of a run, from body and query string; the body wins. */
export interface RunInput {
  readonly version: RequestedVersion | undefined;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly refresh: "cache" | "force" | "direct";
  readonly debug: boolean;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly filtersOverride: DashboardFilter | undefined;
}

/** A SQL query with a value for each of its variables. */
export interface ResolvedSql {
  readonly kind: "sql";
  readonly query: StoredSql;
  readonly ast: Ast;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly page: { readonly limit: number; readonly offset: number } | null;
  /** Without a page, the result says whether the default left rows out. A saved query's never does. */
  readonly seesMore?: true;
}

/** An insight with what the run laid over it, and its plan. */
export interface ResolvedInsight {
  readonly kind: "insight";
  readonly query: InsightQuery;
  readonly values: InsightValues;
  readonly plan: InsightPlan;
}

export type ResolvedQuery = ResolvedSql | ResolvedInsight;

/** The parsed text of a query: of a saved one its version, of another what came with the call. */
export interface ParsedQuery {
  readonly project: number;
  readonly ast: Uint8Array;
  readonly optional_breakdown_properties: readonly string[];
}

/** The version's query with the run's values in it. Throws 400 for what the query does not take. */
export const resolveSql = (query: StoredSql, { ast }: Pick<ParsedQuery, "ast">, input: RunInput): ResolvedSql => ({
  kind: "sql",
  query,
  ast: unpackAst(ast),
  variables: variableValues(query, input.variables),
  page: input.limit === undefined ? null : { limit: input.limit, offset: input.offset ?? 0 },
});

/**
 * The version's insight with the run's dates, breakdown values or dashboard filter in it, planned. Whatever cannot be planned
 * because of them is a 400 on the field that they came in.
 */
export const resolveInsight = async (
  stored: InsightQuery,
  version: ParsedQuery,
  input: RunInput,
  { hasTable, ...moment }: Moment & { readonly hasTable: boolean },
): Promise<ResolvedInsight> => {
  checkNames(input.variables, hasTable ? breakdownNames(stored.breakdownFilter) : variableNames(stored));
  if (hasTable) requireBreakdowns(stored, version.optional_breakdown_properties, input);
  if (input.limit !== undefined && (!hasTable || input.refresh === "direct"))
    throw invalid("limit", "An insight answers all of its rows. Leave out limit, or save a SQL query to page through.");
  const override = input.filtersOverride;
  const given = override === undefined ? insightValues(input.variables, moment) : { dates: {}, breakdowns: {} };
  const asked = hasTable && override === undefined ? withoutOmitted(stored, input.variables) : stored;
  const query = override === undefined ? withDates(asked, given.dates) : withDashboardFilter(stored, override);
  try {
    const plan = planInsight(
      query,
      planningContext({ ...moment, breakdownValues: given.breakdowns, expressions: await insightTrees(query, version) }),
    );
    return { kind: "insight", query, values: given, plan };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    throw invalid(faultyAttribute(input), error.message, savedCode(error));
  }
};

/** The trees of an insight's expressions: those of the version, and those that came with the run, which are parsed now. */
const insightTrees = async (query: InsightQuery, version: ParsedQuery) => {
  const stored = unpackExpressions(version.ast);
  const others = expressionTexts(query).filter((text) => !Object.hasOwn(stored, text));
  return { ...stored, ...(await parseExpressions(others, version.project, MAX_OTHERS)) };
};

/** Most expressions that come with a run: all else was parsed when it was saved. */
const MAX_OTHERS = 5;

/** The field that a run laid over the insight, null where it laid nothing over it. */
const faultyAttribute = ({ filtersOverride, variables }: RunInput): string | null => {
  if (filtersOverride !== undefined) return "filters_override";
  return Object.keys(variables).length > 0 ? "variables" : null;
};
