import { wholeNumber } from "../../core/exact-json.ts";
import { DAY_US } from "../../core/time.ts";
import type { ResultColumn } from "../../hogql/lowered-query.ts";
import type { Cell } from "../engine.ts";
import type { Native, NativeRow } from "../native.ts";
import { isoDate, isoTimestamp } from "./timestamps.ts";

/** Turns rows of native values into JSON-ready ones, by the result columns' types. */
export const rowWriter = (columns: readonly ResultColumn[], timezone: string): ((row: NativeRow) => readonly Cell[]) => {
  const writers = columns.map((column) => cellWriter(column.type, timezone));
  return (row) => row.map((value, at) => (writers[at] ?? plain)(value));
};

type CellWriter = (value: Native) => Cell;

const ZONE = /DateTime(?:64)?\([^)']*'([^']+)'/;

const cellWriter = (type: string, timezone: string): CellWriter => {
  const zone = ZONE.exec(type)?.[1] ?? timezone;
  const dates = /^(Nullable\()?Date(32)?\b(?!Time)/.test(type);
  return (value) => cell(value, zone, dates);
};

const plain: CellWriter = (value) => cell(value, "UTC", false);

/** `dates`: the column is a Date, so a time is cut to its day. */
const cell = (value: Native, zone: string, dates: boolean): Cell => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return wholeNumber(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if ("days" in value) return isoDate(value.days);
  if ("micros" in value) return dates ? isoDate(Number(floorDivide(value.micros, DAY_US))) : isoTimestamp(value.micros, zone);
  if ("items" in value) return value.items.map((item) => cell(item, zone, dates));
  if ("entries" in value)
    return Object.fromEntries(value.entries.map(([key, item]) => [String(cell(key, zone, dates)), cell(item, zone, dates)]));
  const isTuple = value.fields.every(([name], at) => name === String(at + 1));
  const cells = value.fields.map(([name, field]) => [name, cell(field, zone, dates)] as const);
  return isTuple ? cells.map(([, item]) => item) : Object.fromEntries(cells);
};

const floorDivide = (value: bigint, by: bigint): bigint => {
  const quotient = value / by;
  return value < 0n && quotient * by !== value ? quotient - 1n : quotient;
};
