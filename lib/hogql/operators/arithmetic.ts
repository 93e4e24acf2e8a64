import { integerType } from "../analysis/constants.ts";
import type { LoweringContext } from "../analysis/context.ts";
import { derive, type Expression } from "../analysis/expression.ts";
import type { ArithmeticOp } from "../ast.ts";
import { addToDay, addToTimestamp } from "../calendar.ts";
import { QueryError } from "../errors.ts";
import { fitArgument } from "../functions/take.ts";
import { NOTHING, numeral, type Sql, sql } from "../sql/fragment.ts";
import { asTimestamp, fromLocal, fromMicros, localMicros, micros, zoneFor } from "../time/time-sql.ts";
import { DATE, FLOAT, INT64, isNumeric, isOpen, isText, isTime, type Type, typeName, UINT64, type Unit } from "../types.ts";

const NAMES = { "+": "plus", "-": "minus", "*": "multiply", "/": "divide", "%": "modulo" } as const;

/** `left op right`, with dates, timestamps and intervals. */
export const arithmetic = (context: LoweringContext, op: ArithmeticOp, left: Expression, right: Expression): Expression => {
  if (left.known === null || right.known === null) return { ...context.known(null, FLOAT), known: null };
  if (right.type.kind === "interval" && (op === "+" || op === "-")) return shift(context, left, right, op);
  if (left.type.kind === "interval" && op === "+") return shift(context, right, left, op);
  if (isTime(left.type) || isTime(right.type)) return timeArithmetic(context, op, left, right);
  const name = NAMES[op];
  const a = fitArgument(context, "number", left, name, 0);
  const b = fitArgument(context, "number", right, name, 1);
  const folded = fold(context, op, a, b);
  return (
    folded ??
    derive(numberSql(op, a, b), resultType(op, a.type, b.type), [a, b], a.nullable || b.nullable || (op === "%" && b.known === undefined))
  );
};

const numberSql = (op: ArithmeticOp, a: Expression, b: Expression): Sql => {
  if (op === "/") return sql`(${asDouble(a)} / ${asDouble(b)})`;
  return sql`(${a.tree} ${SQL_OF[op]} ${b.tree})`;
};

const SQL_OF = { "+": sql`+`, "-": sql`-`, "*": sql`*`, "%": sql`%` } as const;

const asDouble = (value: Expression): Sql => (value.type.kind === "decimal" ? sql`CAST(${value.tree} AS DOUBLE)` : value.tree);

const resultType = (op: ArithmeticOp, a: Type, b: Type): Type => {
  if (op === "/" || a.kind === "float" || b.kind === "float") return FLOAT;
  if (a.kind === "decimal" || b.kind === "decimal") return { kind: "decimal", scale: Math.max(scale(a), scale(b)) };
  const unsigned = [a, b].every((type) => type.kind === "integer" && type.name.startsWith("U"));
  return unsigned && op !== "-" ? UINT64 : INT64;
};

const scale = (type: Type): number => (type.kind === "decimal" ? type.scale : 0);

const MAX_FOLDED = 9_007_199_254_740_991n;

const fold = (context: LoweringContext, op: ArithmeticOp, a: Expression, b: Expression): Expression | undefined => {
  if (typeof a.known !== "bigint" || typeof b.known !== "bigint" || op === "/") return undefined;
  if (op === "%" && b.known === 0n) return undefined;
  const value = op === "+" ? a.known + b.known : op === "-" ? a.known - b.known : op === "*" ? a.known * b.known : a.known % b.known;
  return value > MAX_FOLDED || value < -MAX_FOLDED ? undefined : context.known(value, integerType(value));
};

const timeArithmetic = (context: LoweringContext, op: ArithmeticOp, left: Expression, right: Expression): Expression => {
  if (op === "-" && isTime(left.type) && isTime(right.type)) {
    if (left.type.kind === "date" && right.type.kind === "date") return derive(sql`(${left.tree} - ${right.tree})`, INT64, [left, right]);
    const span = sql`(${micros(asTimestamp(context, left))} - ${micros(asTimestamp(context, right))})`;
    const whole = [left, right].every(({ type }) => type.kind === "date" || (type.kind === "datetime" && type.digits === 0));
    return whole ? derive(sql`(${span} // 1000000)`, INT64, [left, right]) : derive(sql`(${span} / 1000000)`, FLOAT, [left, right]);
  }
  const [time, amount] = isTime(left.type) ? [left, right] : [right, left];
  if ((op === "+" || (op === "-" && time === left)) && isNumeric(amount.type) && !isTime(amount.type)) {
    return shiftByInterval(
      context,
      time,
      { ...amount, type: { kind: "interval", unit: time.type.kind === "date" ? "day" : "second" } },
      op,
    );
  }
  throw new QueryError(
    "illegal_type_of_argument",
    `Cannot compute ${typeName(left.type, left.nullable)} ${op} ${typeName(right.type, right.nullable)}: use dateDiff, or an interval such as \`INTERVAL 1 DAY\`.`,
  );
};

const shift = (context: LoweringContext, value: Expression, interval: Expression, op: "+" | "-"): Expression => {
  if (value.type.kind === "interval") {
    const tree = sql`(${value.tree} ${SQL_OF[op]} ${interval.tree})`;
    if (value.type.unit === (interval.type.kind === "interval" ? interval.type.unit : null))
      return derive(tree, value.type, [value, interval]);
  }
  if (isText(value.type) || isOpen(value.type))
    return shiftByInterval(context, fitArgument(context, "timestamp", value, op === "+" ? "plus" : "minus", 0), interval, op);
  if (!isTime(value.type)) {
    throw new QueryError(
      "illegal_type_of_argument",
      `Cannot move ${typeName(value.type, value.nullable)} by an interval: convert it with toDateTime.`,
    );
  }
  return shiftByInterval(context, value, interval, op);
};

const FIXED: Partial<Record<Unit, bigint>> = { second: 1_000_000n, minute: 60_000_000n, hour: 3_600_000_000n };
const MONTHS: Partial<Record<Unit, number>> = { month: 1, quarter: 3, year: 12 };

/** A date or timestamp moved by an interval. Days and longer follow the wall clock; a date moved by hours becomes a timestamp. */
export const shiftByInterval = (context: LoweringContext, value: Expression, interval: Expression, op: "+" | "-"): Expression => {
  const unit = interval.type.kind === "interval" ? interval.type.unit : "day";
  const fixed = FIXED[unit];
  if (value.type.kind === "date" && fixed !== undefined) return shiftByInterval(context, asTimestamp(context, value), interval, op);
  if (typeof value.known === "bigint" && typeof interval.known === "bigint") {
    const amount = op === "+" ? interval.known : -interval.known;
    if (value.type.kind === "date") return context.known(addToDay(value.known, amount, unit), DATE);
    return context.known(addToTimestamp(value.known, amount, unit, zoneFor(context, value.type)), value.type);
  }
  const parts = [value, interval];
  const amount = sql`${op === "-" ? sql`-` : NOTHING}CAST(${interval.tree} AS INTEGER)`;
  const months = MONTHS[unit];
  if (value.type.kind === "date") {
    if (months !== undefined) return derive(sql`CAST(${value.tree} + to_months(${amount} * ${numeral(months)}) AS DATE)`, DATE, parts);
    return derive(sql`(${value.tree} + ${amount} * ${numeral(unit === "week" ? 7 : 1)})`, DATE, parts);
  }
  if (fixed !== undefined)
    return derive(fromMicros(sql`${micros(value)} ${SQL_OF[op]} CAST(${interval.tree} AS BIGINT) * ${numeral(fixed)}`), value.type, parts);
  const zone = zoneFor(context, value.type);
  const local = localMicros(context, value);
  if (months === undefined) {
    const days = sql`CAST(${interval.tree} AS BIGINT) * ${numeral(unit === "week" ? 7 : 1)}`;
    return derive(fromLocal(context, zone, sql`(${local} ${SQL_OF[op]} ${days} * 86400000000)`), value.type, parts);
  }
  return derive(
    fromLocal(context, zone, sql`epoch_us(make_timestamp(${local}) + to_months(${amount} * ${numeral(months)}))`),
    value.type,
    parts,
  );
};
