import type { Ast, Expr } from "../../hogql/ast.ts";
import { QueryError, savedCode, withCaret } from "../../hogql/errors.ts";
import { type CheckOptions, check } from "../../hogql/lower.ts";
import { invalid } from "../../http/errors.ts";
import { expressionTexts, planInsight } from "../../insight/kinds.ts";
import { parseExpressions } from "../../insight/parse-expressions.ts";
import { planningContext } from "../../insight/plan.ts";
import type { InsightQuery } from "../../insight/query.ts";
import type { PropertyType } from "../../lake/property-types.ts";
import type { AcceptedQuery } from "../definition.ts";
import { type Expressions, packExpressions } from "../query/stored-ast.ts";

/** The surroundings that a query is checked in: its project's time zone, group types and property types, and the moment in milliseconds. */
export interface AcceptContext {
  readonly project: number;
  readonly now: number;
  readonly timezone: string;
  /** Makes something with the project's types of the properties that the trees name; `property_types` are those that were asked for. */
  readonly typed: <T>(
    trees: readonly (Ast | Expr | null)[],
    make: (types: Pick<CheckOptions, "timezone" | "groupTypes" | "propertyType" | "tables">) => T,
  ) => Promise<{ readonly made: T; readonly property_types: Record<string, PropertyType> }>;
}

/** Longest insight, in characters of its JSON. */
const MAX_INSIGHT_CHARACTERS = 100_000;

/**
 * Parses the expressions of an insight once, when it is saved, and checks every query that it stands for. Everything wrong with it
 * is a 400 on `query`. An insight names no columns.
 */
export const acceptInsight = async (query: InsightQuery, context: AcceptContext): Promise<AcceptedQuery> => {
  const length = JSON.stringify(query).length;
  if (length > MAX_INSIGHT_CHARACTERS) {
    throw invalid(
      "query",
      `Invalid ${query.kind}: its JSON is longer than ${MAX_INSIGHT_CHARACTERS} characters (${length}, absent keys as null).`,
    );
  }
  try {
    const expressions = await parseExpressions(expressionTexts(query), context.project);
    const property_types = await checkPlan(query, context, expressions);
    return { query, ast: packExpressions(expressions), columns: [], property_types };
  } catch (error) {
    if (error instanceof QueryError) throw invalid("query", `Invalid ${query.kind}: ${errorSentence(error, query)}`, savedCode(error));
    throw error;
  }
};

const checkPlan = async (query: InsightQuery, { typed, now, timezone }: AcceptContext, expressions: Expressions) => {
  const { queries } = planInsight(withoutCohorts(query), planningContext({ now, timezone, expressions, breakdownValues: {} }));
  const { property_types } = await typed(queries, (types) => queries.map((planned) => check(planned, types)));
  return property_types;
};

/**
 * The insight without breakdowns by cohorts, of which there are none here: dashboards carry them, so they are kept as sent, and a run
 * says what to break down by instead.
 */
const withoutCohorts = (query: InsightQuery): InsightQuery => {
  const filter = query.breakdownFilter;
  if (filter === null) return query;
  if (filter.breakdown_type === "cohort") return { ...query, breakdownFilter: null };
  const breakdowns = filter.breakdowns?.filter(({ type }) => type !== "cohort") ?? null;
  return { ...query, breakdownFilter: { ...filter, breakdowns } };
};

/** A place is one of an expression's text, which is known when there is only one. */
const errorSentence = (error: QueryError, query: InsightQuery): string => {
  const [text, ...others] = expressionTexts(query);
  return text === undefined || others.length > 0 ? error.message : withCaret(error, text);
};
