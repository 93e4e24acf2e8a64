import { DAY_US } from "../../core/time.ts";
import { numeral, type Sql, sql } from "../sql/fragment.ts";
import { localEdge, type Transition, type Zone } from "../time-zone.ts";

/** Microseconds since 1970, `to` exclusive; null when nothing is known. */
export interface Range {
  readonly from: bigint | null;
  readonly to: bigint | null;
  /** Milliseconds since 1970: the moment of the run. */
  readonly now: number;
}

/** Where nothing bounds the rows, offsets come from a CASE from this year on until the year after next, else from ICU, row by row. */
const KNOWN_FROM = BigInt(Date.UTC(2005, 0, 1)) * 1000n;
/** A range that reaches further back, or on beyond the year after next, is not listed either: years cost a millisecond each. */
const FIRST = 0n;
const greater = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const yearAfterNext = (now: number): bigint => BigInt(Date.UTC(new Date(now).getUTCFullYear() + 2, 0, 1)) * 1000n;

/**
 * The zone's offset, in microseconds, at the UTC moment `micros` (a BIGINT): a CASE over the few changes inside the range, which
 * costs a twentieth of ICU per row.
 */
export const offsetSql = (zone: Zone, range: Range, micros: Sql, icu: (micros: Sql) => Sql): Sql =>
  choose(zone, range, micros, (transition) => transition.at, icu);

/** The offset that a reading of the zone's wall clock, `local`, has: the earlier moment where a clock reads it twice. */
export const offsetOfLocalSql = (zone: Zone, range: Range, local: Sql, icu: (local: Sql) => Sql): Sql =>
  choose(zone, range, local, localEdge, icu);

const choose = (zone: Zone, range: Range, value: Sql, edge: (transition: Transition) => bigint, icu: (value: Sql) => Sql): Sql => {
  if (zone.name === "UTC") return sql`0`;
  const last = yearAfterNext(range.now);
  const from = range.from === null ? KNOWN_FROM : greater(range.from, FIRST);
  const to = range.to === null ? last : -greater(-range.to, -last);
  const bounded = range.from === from && range.to === to;
  if (from >= to) return bounded ? numeral(zone.offsetAt(from)) : icu(value);
  const transitions = zone.transitions(from - DAY_US, to + DAY_US);
  const first = transitions[0]?.before ?? zone.offsetAt(from);
  const tree = branch(transitions, first, value, edge);
  if (bounded) return tree;
  return sql`(CASE WHEN ${value} >= ${numeral(from)} AND ${value} < ${numeral(to)} THEN ${tree} ELSE ${icu(value)} END)`;
};

/** A balanced tree, so that a century of changes costs seven comparisons a row. */
const branch = (transitions: readonly Transition[], first: bigint, value: Sql, edge: (transition: Transition) => bigint): Sql => {
  const middle = transitions.length >> 1;
  const pivot = transitions[middle];
  if (pivot === undefined) return numeral(first);
  const earlier = branch(transitions.slice(0, middle), first, value, edge);
  const later = branch(transitions.slice(middle + 1), pivot.after, value, edge);
  return sql`(CASE WHEN ${value} < ${numeral(edge(pivot))} THEN ${earlier} ELSE ${later} END)`;
};
