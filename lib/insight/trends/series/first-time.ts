import type { Expr, Join, Select } from "../../../hogql/syntax/ast.ts";
import { alias, call, compare, constant, every, field, from, select, tuple } from "../../../hogql/syntax/build.ts";
import { moment } from "../../dates.ts";
import { bucketExpr, type Timeline } from "../timeline.ts";
import { BUCKET, keyNames, named, VALUE } from "./columns.ts";

/** What tells an actor's first event, of all time, from others. */
export interface FirstEvents {
  readonly actor: Expr;
  /** What the first event is sought among. */
  readonly among: readonly Expr[];
  /** What the first event must be, or the actor does not count. */
  readonly fulfilling: readonly Expr[];
  /** Actors count whose first event is not earlier. */
  readonly from: bigint;
  readonly sample: number | null;
  /** What the keys need besides events. */
  readonly joins: readonly Join[];
}

/** The time that the earliest of no events has. */
const NONE_US = 0n;

const FIRST = "__t";
const KEYS = "__ks";
const TIME = field("timestamp");

/** How many actors have their first event in each bucket, by the keys of that event; `line` null: in the whole range. */
export const firstTimes = (
  { actor, among, fulfilling, from: start, sample, joins }: FirstEvents,
  keys: readonly Expr[],
  line: Timeline | null,
): Select => {
  const earliest = call("min", TIME);
  const condition = every(fulfilling);
  const narrow = fulfilling.length > 0;
  const keysOfFirst = narrow ? call("argMinIf", tuple(keys), TIME, condition) : call("argMin", tuple(keys), TIME);
  const firsts = select([alias(FIRST, earliest), ...(keys.length === 0 ? [] : [alias(KEYS, keysOfFirst)])], {
    from: { ...from("events"), sample },
    joins,
    where: every(among),
    groupBy: [actor],
    having: every([
      compare(">=", earliest, moment(start)),
      ...(narrow ? [compare("==", earliest, call("minIf", TIME, condition))] : []),
      ...(narrow && start <= NONE_US ? [compare(">", call("countIf", condition), constant(0))] : []),
    ]),
  });
  const names = keyNames(keys.length);
  const items = names.map((_, index): Expr => ({ kind: "tuple-element", of: field(KEYS), index: index + 1 }));
  const bucket = line === null ? [] : [alias(BUCKET, bucketExpr(line, field(FIRST)))];
  const groups = [...names, ...bucket.map(({ name }) => name)].map((name) => field(name));
  return select([...named(names, items), ...bucket, alias(VALUE, call("count"))], {
    from: from(firsts),
    ...(groups.length === 0 ? {} : { groupBy: groups }),
  });
};
