import { DAY_US } from "../../../core/time.ts";
import type { Expr, Select } from "../../../hogql/ast.ts";
import { alias, arithmetic, array, call, constant, field, from, select } from "../../../hogql/build.ts";
import { addToTimestamp } from "../../../hogql/calendar.ts";
import { timeZone } from "../../../hogql/time-zone.ts";
import { type Clock, nextStart } from "../../dates.ts";
import type { Interval } from "../../query.ts";
import { bucketAt, bucketExpr, type Timeline, timeline } from "../timeline.ts";
import { BUCKET, fields, grouped, keyNames, VALUE } from "./columns.ts";

/**
 * Who was active within a window of days that ends with each bucket (with its first day, for buckets longer than a day). A window
 * slides by units: days, or the interval when that is shorter.
 */
export interface Sliding {
  readonly units: Timeline;
  /** Units of one window. */
  readonly width: number;
  /** When the events of any window are: `from` inclusive, `to` exclusive. */
  readonly range: { readonly from: bigint; readonly to: bigint };
}

const UNITS_OF_DAY: Partial<Record<Interval, number>> = { second: 86_400, minute: 1_440, hour: 24 };

/** Windows of these days for buckets of which the first and the last start at `first` and `last`; nothing from `end` on counts. */
export const sliding = (
  days: number,
  { first, last, end }: { readonly first: bigint; readonly last: bigint; readonly end: bigint },
  interval: Interval,
  clock: Clock,
): Sliding => {
  const perDay = UNITS_OF_DAY[interval];
  const unit = perDay === undefined ? "day" : interval;
  const width = days * (perDay ?? 1);
  const from =
    perDay === undefined
      ? addToTimestamp(first, BigInt(1 - width), "day", timeZone(clock.timezone))
      : first - (BigInt(width - 1) * DAY_US) / BigInt(perDay);
  const lastEnd = nextStart(last, unit, clock);
  const to = lastEnd < end ? lastEnd : end;
  return { units: timeline(from, to, unit, clock), width, range: { from, to } };
};

const ACTOR = "__a";
const UNIT = "__u";
const END = "__end";
const ACTORS = "__c";
const PLACE = "__place";
const CHANGE = "__change";

/** Beyond every unit. */
const NEVER = 2_000_000_000_000;

/**
 * Changes of how many are active, by unit. Each unit in which an actor is seen makes it active for a window, but no longer than
 * until it is seen again, so that it never counts twice; counting where these stretches begin and end needs no row per window.
 * `events` is a SELECT of events that its keys, then the actor and the unit are added to.
 */
export const activeChanges = (
  events: (columns: readonly Expr[], groupBy: readonly string[]) => Select,
  keys: number,
  actor: Expr,
  { units, width }: Sliding,
): Select => {
  const names = keyNames(keys);
  const seen = events([alias(ACTOR, actor), alias(UNIT, bucketExpr(units))], [ACTOR, UNIT]);
  const next: Expr = {
    kind: "window",
    name: "leadInFrame",
    args: [field(UNIT), constant(1), constant(NEVER)],
    over: {
      partitionBy: fields([...names, ACTOR]),
      orderBy: [{ expr: field(UNIT), descending: false, nulls: "last" }],
      frame: { unit: "rows", start: { kind: "preceding", rows: null }, end: { kind: "following", rows: null } },
    },
  };
  const end = call("least", arithmetic("+", field(UNIT), constant(width)), next);
  const stretches = select([...fields(names), field(UNIT), alias(END, end)], { from: from(seen) });
  const counted = grouped(stretches, [...names, UNIT, END], [alias(ACTORS, call("count"))]);
  const changes = select([...fields(names), alias(BUCKET, field(PLACE)), field(CHANGE)], {
    from: from(counted),
    arrayJoin: {
      left: false,
      items: [
        alias(PLACE, array([field(UNIT), field(END)])),
        alias(CHANGE, array([call("toInt", field(ACTORS)), call("negate", call("toInt", field(ACTORS)))])),
      ],
    },
  });
  return grouped(changes, [...names, BUCKET], [alias(VALUE, call("sum", field(CHANGE)))]);
};

/** Units in which the windows of these buckets end. */
export const windowEnds = ({ units }: Sliding, starts: readonly bigint[]): readonly number[] =>
  starts.map((start) => bucketAt(units, start));

/** A change counts once for each window that ends with its unit or later; those ends are `step` apart. */
export const windowsFrom =
  (first: number, step: number, count: number) =>
  (unit: Expr): Expr => {
    const before = call(
      "intDiv",
      arithmetic("+", call("greatest", arithmetic("-", unit, constant(first)), constant(0)), constant(step - 1)),
      constant(step),
    );
    return arithmetic("-", constant(count), call("least", before, constant(count)));
  };

/** How many are active at each window's end. */
export const activeAt = (ends: readonly number[], units: readonly number[], changes: readonly number[]): readonly number[] => {
  const sorted = units.map((unit, index) => ({ unit, change: changes[index] ?? 0 })).sort((a, b) => a.unit - b.unit);
  let active = 0;
  let at = 0;
  return ends.map((end) => {
    for (let next = sorted[at]; next !== undefined && next.unit <= end; next = sorted[at]) {
      active += next.change;
      at += 1;
    }
    return active;
  });
};
