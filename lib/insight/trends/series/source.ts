import type { Expr, Join, Select } from "../../../hogql/ast.ts";
import { compare, constant, every, field, from, select } from "../../../hogql/build.ts";
import type { Dimension } from "../../breakdowns/breakdowns.ts";
import { boundsJoin } from "../../breakdowns/histogram.ts";
import { within } from "../../dates.ts";
import { propertiesCondition } from "../../filters/filters.ts";
import type { Properties } from "../../filters/property-filter.ts";
import type { InsightContext } from "../../plan.ts";
import type { EventsNode, Interval } from "../../query.ts";
import type { Timeline } from "../timeline.ts";
import { fields, keyNames, named } from "./columns.ts";
import type { Calculation } from "./math.ts";

/** One series over one range. */
export interface SeriesQuery {
  readonly node: EventsNode;
  readonly math: Calculation;
  readonly dimensions: readonly Dimension[];
  /** Conditions of the whole insight. */
  readonly properties: Properties | null;
  readonly sample: number | null;
  /** The events' times: `from` inclusive, `to` exclusive. */
  readonly range: { readonly from: bigint; readonly to: bigint };
  readonly line: Timeline;
  readonly interval: Interval;
  /** One number for the whole range. */
  readonly isTotal: boolean;
}

/** Keys by which the rows of a series are grouped beside the bucket. */
export const breakdownKeys = ({ dimensions }: SeriesQuery): readonly Expr[] => dimensions.flatMap(({ keys }) => keys);

/** SELECT of the keys and more columns from the events that count, grouped by the keys and those that are named. */
export const selectEvents = (counted: SeriesQuery, range: SeriesQuery["range"], context: InsightContext) => {
  const keys = breakdownKeys(counted);
  const names = keyNames(keys.length);
  const where = everyEvent(counted, range, context);
  return (columns: readonly Expr[], groupBy: readonly string[]): Select =>
    select([...named(names, keys), ...columns], {
      from: { ...from("events"), sample: counted.sample },
      joins: binJoins(counted, where),
      where,
      ...(names.length + groupBy.length === 0 ? {} : { groupBy: fields([...names, ...groupBy]) }),
    });
};

/** The condition on events that count in a range. */
export const everyEvent = (counted: SeriesQuery, range: SeriesQuery["range"], context: InsightContext): Expr =>
  every([
    ...within(range),
    ...eventCondition(counted.node),
    ...counted.math.where,
    ...filterConditions(counted, context),
    ...valueConditions(counted),
  ]);

/** The bounds of histograms, which keys of theirs need beside each event. */
export const binJoins = ({ dimensions }: SeriesQuery, where: Expr): readonly Join[] => {
  const bins = dimensions.flatMap((dimension) => (dimension.bins === null ? [] : [dimension.bins]));
  return bins.length === 0 ? [] : [boundsJoin(bins, where)];
};

/** The event that a series is of, unless it is of all. */
export const eventCondition = ({ event }: EventsNode): readonly Expr[] =>
  event === null ? [] : [compare("==", field("event"), constant(event))];

/** Conditions of series and insight. */
export const filterConditions = ({ node, properties }: SeriesQuery, context: InsightContext): readonly Expr[] =>
  [node.properties, node.fixedProperties, properties].flatMap((given) => (isEmpty(given) ? [] : [propertiesCondition(given, context)]));

/** The values of breakdowns that the run asks for. */
export const valueConditions = ({ dimensions }: SeriesQuery): readonly Expr[] =>
  dimensions.flatMap(({ only }) => (only === null ? [] : [only]));

const isEmpty = (given: Properties | null): given is null => given === null || (Array.isArray(given) ? given : given.values).length === 0;
