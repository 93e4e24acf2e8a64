import { HOUR_US } from "../../core/time.ts";
import type { Alias, Expr, Select } from "../../hogql/ast.ts";
import { alias, arithmetic, call, compare, constant, every, field, from, select, some, tuple } from "../../hogql/build.ts";
import { QueryError } from "../../hogql/errors.ts";
import { readBreakdowns } from "../breakdowns/breakdowns.ts";
import { dayText } from "../dates/labels.ts";
import { within } from "../dates.ts";
import { propertiesCondition, propertySubject } from "../filters/filters.ts";
import type { InsightContext } from "../plan.ts";
import type { RetentionEntity, RetentionQuery } from "../query.ts";
import { NULL_VALUE } from "../rows.ts";
import type { Column, Period, Settings, Timeline } from "./settings.ts";

/** Names of the columns that the queries of a retention hand on to each other. */
export const ACTOR = "actor_id";
export const VALUE = "breakdown_value";
export const PERIOD = "period_number";
export const STARTS = "starts";
export const RETURNS = "returns";
/** Times of an actor's first event of the start's name, and of its first start. */
export const FIRST = "first_of_event";
export const FIRST_START = "first_start";
export const AMOUNT = "amount";
export const AMOUNT_AFTER = "amount_after_start";
export const COHORT = "cohort";
export const COLUMN = "column_number";
export const AFTER = "periods_after";
export const ACTORS = "actors";
export const TOTAL = "total";

/** The two kinds of events of a retention, as conditions. */
export interface Roles {
  readonly start: Expr;
  readonly returning: Expr;
  /** A start by its event alone, whatever its properties. */
  readonly anyStart: Expr;
  /** Both are the same events. */
  readonly same: boolean;
  /** Names of the events, null where it is every event. */
  readonly startName: string | null;
  readonly returningName: string | null;
}

/** Everything that the scans of one retention share. */
export interface Source {
  readonly query: RetentionQuery;
  readonly settings: Settings;
  readonly context: InsightContext;
  readonly roles: Roles;
  readonly actor: Expr;
  /** The breakdown's value as text; null when there is none. */
  readonly value: Expr | null;
  /** Conditions on the value of an actor's first event: it is one that the run asks for. */
  readonly firstConditions: readonly Expr[];
  /** Conditions on all events. */
  readonly conditions: readonly Expr[];
}

export const readSource = (query: RetentionQuery, settings: Settings, context: InsightContext): Source => {
  const slot = query.aggregation_group_type_index;
  const actor = slot === null ? field("person_id") : field(`$group_${slot}`);
  const { dimensions } = readBreakdowns(query.breakdownFilter, context);
  if (dimensions.some(({ bins }) => bins !== null)) {
    throw new QueryError("unsupported", "A retention has no histogram: leave out `histogram_bin_count`.");
  }
  const texts = dimensions.map(({ keys, text }) => call("coalesce", text(keys), constant(NULL_VALUE)));
  const narrowing = dimensions.flatMap(({ only }) => (only === null ? [] : [only]));
  const isEver = settings.type === "retention_first_ever_occurrence";
  const value = texts.length > 1 ? call("concat", ...texts.flatMap((text, at) => (at === 0 ? [text] : [constant("::"), text]))) : texts[0];
  // A first-ever retention has the values of first events: one that the run asks for is a condition on these, and not on returns.
  const isNarrowed = isEver && narrowing.length > 0;
  return {
    query,
    settings,
    context,
    roles: readRoles(query, context),
    actor,
    value: value === undefined ? null : isNarrowed ? call("if", every(narrowing), value, constant(NOT_ASKED)) : value,
    firstConditions: isNarrowed ? [compare("!=", field(VALUE), constant(NOT_ASKED))] : [],
    conditions: [
      ...(query.properties === null ? [] : [propertiesCondition(query.properties, context)]),
      ...(isEver ? [] : narrowing),
      ...(slot === null ? [] : [compare("!=", actor, constant(""))]),
    ],
  };
};

/** Stands for every value but those that the run asks for: of events of one moment, the one that gives the value decides this, too. */
const NOT_ASKED = "$$_not_asked_$$";

const DEFAULT_EVENT = "$pageview";

const readRoles = ({ retentionFilter }: RetentionQuery, context: InsightContext): Roles => {
  const { targetEntity, returningEntity } = retentionFilter;
  const [startName, returningName] = [eventName(targetEntity), eventName(returningEntity)];
  const entityCondition = (name: string | null, entity: RetentionEntity | null): Expr =>
    every([...hasName(name), ...(entity?.properties?.length ? [propertiesCondition(entity.properties, context)] : [])]);
  return {
    start: entityCondition(startName, targetEntity),
    returning: entityCondition(returningName, returningEntity),
    anyStart: every(hasName(startName)),
    same:
      startName === returningName && JSON.stringify(targetEntity?.properties ?? []) === JSON.stringify(returningEntity?.properties ?? []),
    startName,
    returningName,
  };
};

const eventName = (entity: RetentionEntity | null): string | null => {
  if (entity === null) return DEFAULT_EVENT;
  const { id, type, kind } = entity;
  if (type === "data_warehouse") throw new QueryError("unsupported", "Warehouse tables do not exist here: name an event as the entity.");
  if (type === "actions" || kind === "ActionsNode" || typeof id === "number") {
    throw new QueryError(
      "unsupported",
      "Actions do not exist here: name an event as the entity, and put the action's filters in its `properties`.",
    );
  }
  return id;
};

const hasName = (name: string | null): readonly Expr[] => (name === null ? [] : [compare("==", field("event"), constant(name))]);

/** Events in a span that have one of the names; null is any name. */
export interface Scan {
  readonly span: { readonly from: bigint | null; readonly to: bigint };
  readonly names: readonly (string | null)[];
  readonly where: readonly Expr[];
}

/** A SELECT over a scan's events, grouped by the columns that are named. */
export const eventsIn = (source: Source, { span, names, where }: Scan, columns: readonly Expr[], by: readonly string[]): Select =>
  select(columns, {
    from: { ...from("events"), sample: source.query.samplingFactor },
    where: every([...within(span), ...hasAnyName(names), ...where, ...source.conditions]),
    groupBy: by.length === 0 ? null : by.map((name) => field(name)),
  });

const hasAnyName = (names: readonly (string | null)[]): readonly Expr[] => {
  const known = names.filter((name) => name !== null);
  if (known.length < names.length) return [];
  const [only, ...more] = new Set(known);
  if (only === undefined) return [];
  if (more.length === 0) return [compare("==", field("event"), constant(only))];
  return [compare("in", field("event"), tuple([only, ...more].map((name) => constant(name))))];
};

export const isFirstEver = ({ settings }: Source): boolean => settings.type === "retention_first_ever_occurrence";

/** That an event is a start or a return; a first-ever retention looks at starts whatever their properties. */
export const eitherRole = (source: Source): readonly Expr[] => {
  const { roles } = source;
  const start = isFirstEver(source) ? roles.anyStart : roles.start;
  return roles.same && start === roles.start ? [start] : [some([start, roles.returning])];
};

/** The columns that tell actors apart: with a breakdown, each value of an actor counts by itself. */
export const keyColumns = ({ actor, value }: Source): readonly Alias[] => [
  alias(ACTOR, actor),
  ...(value === null ? [] : [alias(VALUE, value)]),
];
export const actorKeys = ({ value }: Source): readonly string[] => (value === null ? [ACTOR] : [ACTOR, VALUE]);
export const valueNames = ({ value }: Source): readonly string[] => (value === null ? [] : [VALUE]);

/** The number of the period that a time is in. */
export const periodExpr = ({ origin }: Timeline, period: Period, context: InsightContext, time: Expr = field("timestamp")): Expr => {
  if (period === "hour") {
    const passed = arithmetic("-", call("toUnixTimestamp64Micro", time), constant(Number(origin)));
    return call("intDiv", passed, constant(Number(HOUR_US)));
  }
  const passed = (unit: string): Expr =>
    call("dateDiff", constant(unit), call("toDate32", constant(dayText(origin, "day", context.timezone))), call("toDate32", time));
  return period === "week" ? call("intDiv", passed("day"), constant(7)) : passed(period);
};

/** Each period after the cohort's is a column of its own. */
export const dense = (columns: readonly Column[]): boolean =>
  columns.every(({ from: first, to }, index) => first === index && to === index);

/** The number of the column that holds a period after the cohort's, which is within the last column. */
export const columnExpr = (columns: readonly Column[], after: Expr): Expr =>
  call(
    "multiIf",
    ...columns.slice(0, -1).flatMap(({ to }, index) => [compare("<=", after, constant(to)), constant(index)]),
    constant(columns.length - 1),
  );

/** The property that is summed, as a number. */
export const amountExpr = ({ query }: Source): Expr | null => {
  const { aggregationType, aggregationProperty, aggregationPropertyType } = query.retentionFilter;
  if (aggregationType === null || aggregationType === "count") return null;
  if (aggregationProperty === null) {
    throw new QueryError("invalid_input", `\`aggregationType\` ${aggregationType} needs an \`aggregationProperty\`.`);
  }
  const { item } = propertySubject({ key: aggregationProperty, type: aggregationPropertyType, group_type_index: null });
  return call("coalesce", call("toFloat", item), constant(0));
};
