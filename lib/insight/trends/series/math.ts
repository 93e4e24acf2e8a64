import type { Expr } from "../../../hogql/ast.ts";
import { arithmetic, call, compare, constant, countDistinct, field } from "../../../hogql/build.ts";
import { QueryError } from "../../../hogql/errors.ts";
import type { InsightContext } from "../../plan.ts";
import type { EventsNode, Interval } from "../../query.ts";
import { orZero } from "./columns.ts";
import type { Others } from "./fold.ts";

/** How the events of a series become numbers. */
export type Measure =
  /** An aggregate over the events, made of `count` numbers. */
  | { readonly kind: "events"; readonly value: Expr; readonly count: Expr }
  /** An aggregate over one number of each actor or session; `each` is an aggregate over its events. */
  | { readonly kind: "each"; readonly by: Expr; readonly each: Expr; readonly value: (each: Expr) => Expr }
  /** Actors, each in the bucket where it is first seen. */
  | { readonly kind: "new"; readonly actor: Expr }
  /** Actors seen within the last days. */
  | { readonly kind: "active"; readonly actor: Expr; readonly days: number }
  /** Actors by their first event ever: of that name and then matching, or the first that matches. */
  | { readonly kind: "first"; readonly actor: Expr; readonly matching: boolean };

export interface Calculation {
  readonly measure: Measure;
  /** Further conditions on the events. */
  readonly where: readonly Expr[];
  /** A sample of the events gives a share of it, so that it is scaled up. */
  readonly scales: boolean;
  /** How the values of a breakdown past its limit become one number. */
  readonly others: Others;
}

/** The settings of the whole insight on which a series' math depends. */
export interface MathPlace {
  readonly interval: Interval;
  readonly isTotal: boolean;
  readonly isCumulative: boolean;
  /** Actors are groups of this type instead of persons. */
  readonly groupTypeIndex: number | null;
}

/** The math of a series. Throws `QueryError` when what it needs is missing. */
export const readMath = (node: EventsNode, place: MathPlace, context: InsightContext): Calculation => {
  const actor = chooseActor(place.groupTypeIndex);
  switch (node.math) {
    case null:
    case "total":
      return summable(ofEvents(call("count")));
    case "dau":
      return unique(actor, place);
    case "weekly_active":
      return active(actor, WEEK_DAYS, AT_LEAST_WEEKS, place);
    case "monthly_active":
      return active(actor, MONTH_DAYS, AT_LEAST_MONTHS, place);
    case "unique_session":
      return { ...summable(ofEvents(countDistinct(SESSION))), where: [isSet(SESSION)] };
    case "first_time_for_user":
    case "first_matching_event_for_user":
      return { ...summable({ kind: "first", actor: actor.item, matching: node.math !== "first_time_for_user" }), where: actor.where };
    case "unique_group":
      return unique(chooseActor(groupIndex(node)), place);
    case "hogql":
      return summable(ofEvents(orZero(call("toFloat", context.expression(aggregateText(node))))));
    default:
      return node.math.endsWith(PER_ACTOR) ? perActor(node.math.slice(0, -PER_ACTOR.length), actor) : ofProperty(node, node.math);
  }
};

interface Actor {
  readonly item: Expr;
  /** Which events have one. */
  readonly where: readonly Expr[];
}

const WEEK_DAYS = 7;
const MONTH_DAYS = 30;
/** Intervals that hold a whole window: whoever is active in them is whoever is seen in them. */
const AT_LEAST_WEEKS: ReadonlySet<Interval> = new Set(["week", "month", "quarter", "year"]);
const AT_LEAST_MONTHS: ReadonlySet<Interval> = new Set(["month", "quarter", "year"]);

const SESSION = field("$session_id");
const PER_ACTOR = "_count_per_actor";

const summable = (measure: Measure): Calculation => ({ measure, where: [], scales: true, others: "sum" });
const ofEvents = (value: Expr, count: Expr = call("count")): Measure => ({ kind: "events", value, count });
const isSet = (item: Expr): Expr => compare("!=", item, constant(""));

const chooseActor = (groupTypeIndex: number | null): Actor => {
  if (groupTypeIndex === null) return { item: field("person_id"), where: [] };
  const item = field(`$group_${groupTypeIndex}`);
  return { item, where: [isSet(item)] };
};

/** A running total of actors counts each of them once. */
const unique = ({ item, where }: Actor, { isCumulative }: MathPlace): Calculation => ({
  ...summable(isCumulative ? { kind: "new", actor: item } : ofEvents(countDistinct(item))),
  where,
});

const active = (actor: Actor, days: number, holding: ReadonlySet<Interval>, place: MathPlace): Calculation => {
  if (holding.has(place.interval) && !place.isTotal) return unique(actor, place);
  return { ...summable({ kind: "active", actor: actor.item, days }), where: actor.where };
};

const groupIndex = ({ math_group_type_index: index }: EventsNode): number => {
  if (index !== null) return index;
  throw new QueryError("invalid_input", "The math `unique_group` needs a `math_group_type_index` from 0 to 4.");
};

const aggregateText = ({ math_hogql: text }: EventsNode): string => {
  if (text !== null && text.trim() !== "") return text;
  throw new QueryError("invalid_input", "The math `hogql` needs an aggregate such as `count()` in `math_hogql`.");
};

const perActor = (name: string, { item, where }: Actor): Calculation => ({
  measure: { kind: "each", by: item, each: call("count"), value: (each) => orZero(statistic(name, each)) },
  where,
  scales: false,
  others: othersRule(name),
});

const ofProperty = (node: EventsNode, name: string): Calculation => {
  const [scales, others] = [name === "sum", othersRule(name)];
  const number = (item: Expr): Expr => scale(call("toFloat", item), node.math_multiplier);
  const value = (item: Expr): Expr => orZero(statistic(name, number(item)));
  const { item, isOfSession } = readProperty(node, name);
  if (!isOfSession) return { measure: ofEvents(value(item), call("count", number(item))), where: [], scales, others };
  return { measure: { kind: "each", by: SESSION, each: call("any", item), value }, where: [isSet(SESSION)], scales, others };
};

/** Of percentiles this is near enough: no others are exact without looking at all numbers again. */
const othersRule = (name: string): Others => (name === "sum" || name === "min" || name === "max" ? name : "mean");

const scale = (item: Expr, by: number | null): Expr => (by === null ? item : arithmetic("*", item, constant(by)));

const LEVELS: ReadonlyMap<string, number> = new Map([
  ["median", 0.5],
  ["p75", 0.75],
  ["p90", 0.9],
  ["p95", 0.95],
  ["p99", 0.99],
]);

const statistic = (name: string, item: Expr): Expr => {
  const level = LEVELS.get(name);
  return level === undefined ? call(name, item) : { kind: "call", name: "quantile", params: [constant(level)], args: [item] };
};

const SESSION_DURATION = "$session_duration";

/** The property a math is about. Those of sessions count once for each session. */
const readProperty = (node: EventsNode, math: string): { readonly item: Expr; readonly isOfSession: boolean } => {
  const { math_property: name, math_property_type: type } = node;
  if (name === null || name === "") throw new QueryError("invalid_input", `The math \`${math}\` needs a property in \`math_property\`.`);
  if (node.math_property_revenue_currency !== null) {
    throw new QueryError("unsupported", "Currencies are not converted here: leave out `math_property_revenue_currency`.");
  }
  if (name === SESSION_DURATION || type === "session_properties") return { item: field("session", name), isOfSession: true };
  if (type === "person_properties") return { item: field("person", "properties", name), isOfSession: false };
  if (type?.startsWith("data_warehouse") === true) {
    throw new QueryError("unsupported", "Warehouse tables do not exist here: take a property of events, persons or sessions.");
  }
  return { item: field("properties", name), isOfSession: false };
};
