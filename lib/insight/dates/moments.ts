import { toDouble } from "../../core/exact-json.ts";
import type { Ast, Expr } from "../../hogql/ast.ts";
import { call, compare, constant, field, from, select } from "../../hogql/build.ts";
import type { PlanCell } from "../plan.ts";

/** A moment, in microseconds since 1970, as a constant of a query. */
export const moment = (micros: bigint): Expr => call("toDateTime64", constant(utcText(micros)), constant(6), constant("UTC"));

/** Conditions that events lie from `from` to before `to`; a null bound is none: plain comparisons with constants, so that only its files are read. */
export const within = ({ from: first, to }: { readonly from: bigint | null; readonly to: bigint | null }): readonly Expr[] => [
  ...(first === null ? [] : [compare(">=", field("timestamp"), moment(first))]),
  ...(to === null ? [] : [compare("<", field("timestamp"), moment(to))]),
];

/** The time of the project's earliest event: what a plan asks beside its own queries when its range has no start. */
export const EARLIEST: Ast = select([call("toUnixTimestamp64Micro", call("min", field("timestamp"))), call("count")], {
  from: from("events"),
});

/** What `EARLIEST` found; null when there are no events. */
export const earliestOf = (rows: readonly (readonly PlanCell[])[]): bigint | null => {
  const [at, count] = rows[0] ?? [];
  const micros = toDouble(at);
  return micros !== undefined && typeof count === "number" && count > 0 ? BigInt(micros) : null;
};

/** "2026-01-31 12:00:00.000000" of the moment in UTC. */
const utcText = (micros: bigint): string => {
  const millis = micros / 1000n - (micros % 1000n < 0n ? 1n : 0n);
  const rest = micros - millis * 1000n;
  return `${new Date(Number(millis)).toISOString().slice(0, -1).replace("T", " ")}${String(rest).padStart(3, "0")}`;
};
