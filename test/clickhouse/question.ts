import * as z from "zod";
import type { Ast } from "../../lib/hogql/ast.ts";
import type { LowerOptions } from "../../lib/hogql/options.ts";
import { parse } from "../../lib/hogql/parse.ts";
import { WEEK_START } from "../../lib/insight/dates.ts";
import { expressionTexts, planInsight } from "../../lib/insight/kinds.ts";
import { parseExpressions } from "../../lib/insight/parse-expressions.ts";
import { BREAKDOWN_LIMIT, type InsightPlan, type PlanCell, planningContext } from "../../lib/insight/plan.ts";
import { INSIGHTS } from "../../lib/insight/query.ts";
import { sqlFilters } from "../../lib/insight/sql-filters.ts";
import type { Case, InsightCase, QueryCase } from "./corpus/case.ts";
import { GROUP_TYPES, NOW, PROJECT, propertyType } from "./project.ts";

type Rows = readonly (readonly PlanCell[])[];

/** A case as queries of the language, which both engines are asked, and what makes the rows to compare of the queries' rows. */
export interface Question {
  readonly queries: readonly Ast[];
  readonly options: LowerOptions;
  readonly ordered: boolean;
  readonly rows: (results: readonly Rows[]) => readonly (readonly unknown[])[];
}

/** A query is parsed unless its tree is given. Throws `QueryError` for what is no query. */
export const question = (asked: Case, tree?: Ast): Promise<Question> => ("query" in asked ? ofQuery(asked, tree) : ofInsight(asked));

const DEFAULT_ZONE = "UTC";

const optionsOf = ({ timezone = DEFAULT_ZONE, now }: Case): LowerOptions => ({
  project: PROJECT,
  timezone,
  now: now === undefined ? NOW : Date.parse(now),
  variables: {},
  propertyType,
  groupTypes: GROUP_TYPES,
  page: null,
});

const ofQuery = async (asked: QueryCase, tree: Ast | undefined): Promise<Question> => {
  const { query, variables = {}, values = {}, filters, ordered = false } = asked;
  const options = optionsOf(asked);
  return {
    queries: [tree ?? (await parse(query))],
    options: {
      ...options,
      variables,
      values,
      ...(ordered ? {} : { defaultRows: UNORDERED_ROWS }),
      ...(filters === undefined ? {} : { filters: sqlFilters(filters, options) }),
    },
    ordered,
    rows: ([rows = []]) => rows,
  };
};

/** Which 100 rows a query without LIMIT returns says nothing when they have no order: then all of them are compared. */
const UNORDERED_ROWS = 10_000;

/** Rows of one query of an insight that are never cut off. */
const INSIGHT_ROWS = 1_000_000;

const Insight = z.discriminatedUnion("kind", INSIGHTS);

const ofInsight = async (asked: InsightCase): Promise<Question> => {
  const { insight, weekStart = WEEK_START, breakdownLimit = BREAKDOWN_LIMIT, breakdownValues = {} } = asked;
  const query = Insight.parse(insight);
  const options = optionsOf(asked);
  const expressions = await parseExpressions(expressionTexts(query));
  const context = planningContext({ ...options, expressions, breakdownValues });
  const plan: InsightPlan = planInsight(query, { ...context, weekStart, breakdownLimit });
  return {
    queries: plan.queries,
    options: { ...options, maxRows: INSIGHT_ROWS, defaultRows: INSIGHT_ROWS },
    ordered: true,
    rows: (results) => plan.rows(results).map((row) => [row]),
  };
};
