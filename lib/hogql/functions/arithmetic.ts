import { known } from "../analysis/constants.ts";
import { derive, type Expression } from "../analysis/expression.ts";
import type { ArithmeticOp } from "../ast.ts";
import { arithmetic } from "../operators/arithmetic.ts";
import { numeral, type Sql, sql } from "../sql/fragment.ts";
import { FLOAT, INT64, type Type, UINT8, UINT64 } from "../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "./spec.ts";

const operator = (name: string, op: ArithmeticOp): Scalar => ({
  kind: "scalar",
  name,
  takes: ["any", "any"],
  lower: ([left, right], context) => arithmetic(context, op, left ?? context.known(null, FLOAT), right ?? context.known(null, FLOAT)),
});

/** A function of floats with the same name and meaning in DuckDB, NaN where DuckDB has an error. */
const float = (name: string, tree: (x: Sql) => Sql, ...aliases: readonly string[]): Scalar =>
  scalar({ name, aliases, anyCase: true, takes: ["number"], type: FLOAT, sql: (x) => tree(sql`CAST(${x} AS DOUBLE)`) });

const logarithm = (name: string, body: Sql, ...aliases: readonly string[]): Scalar =>
  float(
    name,
    (x) => sql`(CASE WHEN ${x} > 0 THEN ${body}(${x}) WHEN ${x} = 0 THEN -'inf'::DOUBLE WHEN ${x} < 0 THEN 'nan'::DOUBLE END)`,
    ...aliases,
  );

/** Of an angle, which an infinity is none of. */
const angular = (name: string, body: Sql): Scalar =>
  float(name, (x) => sql`(CASE WHEN isinf(${x}) THEN 'nan'::DOUBLE ELSE ${body}(${x}) END)`);

const sameType = (args: readonly Expression[]): Type => {
  const type = args[0]?.type ?? FLOAT;
  return type.kind === "boolean" ? INT64 : type;
};

const integers = (name: string, tree: (a: Sql, b: Sql) => Sql): Scalar =>
  scalar({ name, takes: ["integer", "integer"], type: INT64, sql: (a, b) => tree(a, b) });

/** The greater or the less of two numbers, as a float; NULL where one of them is. */
const ofTwo = (name: "max2" | "min2"): Scalar =>
  scalar({
    name,
    anyCase: true,
    takes: ["number", "number"],
    type: FLOAT,
    sql: (a, b) => {
      const [one, other] = [sql`CAST(${a} AS DOUBLE)`, sql`CAST(${b} AS DOUBLE)`];
      const chosen = name === "max2" ? sql`greatest(${one}, ${other})` : sql`least(${one}, ${other})`;
      return sql`(CASE WHEN ${a} IS NULL OR ${b} IS NULL THEN NULL ELSE ${chosen} END)`;
    },
  });

/** Division that cuts off the fraction, also of floats. */
const intDiv = (name: string, zero: Sql): Scalar => ({
  kind: "scalar",
  name,
  takes: ["number", "number"],
  lower: ([a, b], context) => {
    const [left, right] = [a ?? context.known(null, INT64), b ?? context.known(null, INT64)];
    const whole = left.type.kind === "integer" && right.type.kind === "integer";
    const body = whole ? sql`(${left.tree} // ${right.tree})` : sql`CAST(trunc(${left.tree} / ${right.tree}) AS BIGINT)`;
    return derive(sql`(CASE WHEN ${right.tree} = 0 THEN ${zero} ELSE ${body} END)`, INT64, [left, right], left.nullable || right.nullable);
  },
});

/** Rounds to `n` digits, or to tens and hundreds when negative. Floats half to even, integers half away from zero, as ClickHouse does. */
const rounding = (name: string, whole: (x: Sql) => Sql, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: ["number", "constant integer"],
  optional: 1,
  lower: ([value, digits], context) => {
    const x = value ?? context.known(null, FLOAT);
    const n = Number(digits?.known ?? 0);
    if (x.type.kind === "integer" && n >= 0) return x;
    const scale = 10 ** Math.min(Math.abs(n), MAX_DIGITS);
    if (x.type.kind === "integer" && name === "round") {
      const half = scale / 2;
      return derive(
        sql`((${x.tree} + CASE WHEN ${x.tree} < 0 THEN -${numeral(half)} ELSE ${numeral(half)} END) // ${numeral(scale)} * ${numeral(scale)})`,
        x.type,
        [x],
      );
    }
    const double = sql`CAST(${x.tree} AS DOUBLE)`;
    const type = x.type.kind === "integer" ? x.type : FLOAT;
    const tree =
      n === 0
        ? whole(double)
        : n > 0
          ? sql`(${whole(sql`${double} * ${numeral(scale)}`)} / ${numeral(scale)})`
          : sql`(${whole(sql`${double} / ${numeral(scale)}`)} * ${numeral(scale)})`;
    return derive(type === FLOAT ? tree : sql`CAST(${tree} AS BIGINT)`, type, [x]);
  },
});

const MAX_DIGITS = 15;

const floats = (name: string, tree: (a: Sql, b: Sql) => Sql): Scalar =>
  scalar({
    name,
    anyCase: true,
    takes: ["number", "number"],
    type: FLOAT,
    sql: (a, b) => tree(sql`CAST(${a} AS DOUBLE)`, sql`CAST(${b} AS DOUBLE)`),
  });

/** Bits of an integer's type: of a small constant they are few, as in ClickHouse. */
const integerBits = (type: Type | undefined): { readonly bits: number; readonly signed: boolean } => {
  const match = type?.kind === "integer" ? /^(U?)Int(\d+)$/.exec(type.name) : null;
  return match === null ? { bits: 64, signed: true } : { bits: Number(match[2]), signed: match[1] === "" };
};

const bitNot: Scalar = {
  kind: "scalar",
  name: "bitNot",
  takes: ["integer"],
  lower: (args) => {
    const [x = known(null, INT64)] = args;
    const { bits, signed } = integerBits(x.type);
    return derive(signed || bits === 64 ? sql`(~${x.tree})` : sql`(${numeral(2 ** bits - 1)} - ${x.tree})`, x.type, args);
  },
};

/** Bits that are shifted beyond the type's width are gone. */
const bitShiftLeft: Scalar = {
  kind: "scalar",
  name: "bitShiftLeft",
  takes: ["integer", "integer"],
  lower: (args) => {
    const [x = known(null, INT64), by = known(null, INT64)] = args;
    const { bits, signed } = integerBits(x.type);
    const shifted = signed
      ? sql`(CASE WHEN ${x.tree} < 0 THEN ${x.tree} * (1::BIGINT << ${by.tree}) ELSE ${x.tree} << ${by.tree} END)`
      : sql`(${x.tree} << ${by.tree})`;
    const kept = signed || bits === 64 ? shifted : sql`(${shifted} & ${numeral(2 ** bits - 1)})`;
    return derive(sql`(CASE WHEN ${by.tree} >= ${numeral(bits)} THEN ${x.tree} & 0 ELSE ${kept} END)`, x.type, args);
  },
};

/** Down to a power of two, towards zero: whole numbers below 1 are 0, fractions have powers of their own. */
const roundToExp2: Scalar = {
  kind: "scalar",
  name: "roundToExp2",
  takes: ["number"],
  lower: (args) => {
    const [x = known(null, INT64)] = args;
    if (x.type.kind === "integer" || x.type.kind === "boolean")
      return derive(sql`(CASE WHEN ${x.tree} < 1 THEN 0 ELSE CAST(pow(2, floor(log2(${x.tree}))) AS BIGINT) END)`, UINT64, args);
    const value = sql`CAST(${x.tree} AS DOUBLE)`;
    return derive(sql`(CASE WHEN ${x.tree} = 0 THEN 0 ELSE sign(${value}) * pow(2, floor(log2(abs(${value})))) END)`, FLOAT, args);
  },
};

export const ARITHMETIC: readonly FunctionSpec[] = [
  ofTwo("max2"),
  ofTwo("min2"),
  operator("plus", "+"),
  operator("minus", "-"),
  operator("multiply", "*"),
  operator("divide", "/"),
  operator("modulo", "%"),
  intDiv("intDiv", sql`error('Division by zero')`),
  intDiv("intDivOrZero", sql`0`),
  integers("positiveModulo", (a, b) => sql`(((${a} % ${b}) + abs(${b})) % abs(${b}))`),
  integers("moduloOrZero", (a, b) => sql`(CASE WHEN ${b} = 0 THEN 0 ELSE ${a} % ${b} END)`),
  scalar({
    name: "negate",
    takes: ["number"],
    type: (args) => (args[0]?.type.kind === "integer" ? INT64 : sameType(args)),
    sql: (x) => sql`(-${x})`,
  }),
  scalar({ name: "abs", anyCase: true, takes: ["number"], type: sameType, sql: (x) => sql`abs(${x})` }),
  integers("gcd", (a, b) => sql`gcd(${a}, ${b})`),
  integers("lcm", (a, b) => sql`lcm(${a}, ${b})`),
  float("exp", (x) => sql`exp(${x})`),
  logarithm("log", sql`ln`, "ln"),
  logarithm("log2", sql`log2`),
  logarithm("log10", sql`log10`),
  float("sqrt", (x) => sql`(CASE WHEN ${x} < 0 THEN 'nan'::DOUBLE ELSE sqrt(${x}) END)`),
  scalar({
    name: "pow",
    aliases: ["power"],
    anyCase: true,
    takes: ["number", "number"],
    type: FLOAT,
    sql: (x, y) => sql`pow(CAST(${x} AS DOUBLE), CAST(${y} AS DOUBLE))`,
  }),
  scalar({
    name: "sign",
    anyCase: true,
    takes: ["number"],
    type: { kind: "integer", name: "Int8" },
    sql: (x) => sql`CAST(sign(${x}) AS BIGINT)`,
  }),
  angular("sin", sql`sin`),
  angular("cos", sql`cos`),
  angular("tan", sql`tan`),
  float("asin", (x) => sql`(CASE WHEN abs(${x}) > 1 THEN 'nan'::DOUBLE ELSE asin(${x}) END)`),
  float("acos", (x) => sql`(CASE WHEN abs(${x}) > 1 THEN 'nan'::DOUBLE ELSE acos(${x}) END)`),
  float("atan", (x) => sql`atan(${x})`),
  float("sinh", (x) => sql`sinh(${x})`),
  float("cosh", (x) => sql`cosh(${x})`),
  float("tanh", (x) => sql`tanh(${x})`),
  float("cbrt", (x) => sql`cbrt(${x})`),
  float("exp2", (x) => sql`pow(2, ${x})`),
  float("exp10", (x) => sql`pow(10, ${x})`),
  float("degrees", (x) => sql`degrees(${x})`),
  float("radians", (x) => sql`radians(${x})`),
  floats("atan2", (y, x) => sql`atan2(${y}, ${x})`),
  floats("hypot", (a, b) => sql`sqrt(${a} * ${a} + ${b} * ${b})`),
  scalar({ name: "pi", anyCase: true, takes: [], type: FLOAT, sql: () => sql`pi()` }),
  scalar({ name: "e", takes: [], type: FLOAT, sql: () => sql`exp(1)` }),
  scalar({
    name: "rand",
    aliases: ["rand32"],
    takes: [],
    type: { kind: "integer", name: "UInt32" },
    sql: () => sql`CAST(floor(random() * 4294967296) AS BIGINT)`,
  }),
  integers("bitAnd", (a, b) => sql`(${a} & ${b})`),
  integers("bitOr", (a, b) => sql`(${a} | ${b})`),
  integers("bitXor", (a, b) => sql`xor(${a}, ${b})`),
  bitNot,
  bitShiftLeft,
  integers("bitShiftRight", (a, b) => sql`(CASE WHEN ${b} > 63 THEN ${a} & 0 ELSE ${a} >> ${b} END)`),
  integers("bitTest", (a, b) => sql`((${a} >> ${b}) & 1)`),
  scalar({ name: "bitCount", takes: ["integer"], type: UINT8, sql: (x) => sql`CAST(bit_count(${x}) AS BIGINT)` }),
  rounding("round", (x) => sql`round_even(${x}, 0)`),
  rounding("roundBankers", (x) => sql`round_even(${x}, 0)`),
  rounding("floor", (x) => sql`floor(${x})`),
  rounding("ceil", (x) => sql`ceil(${x})`, "ceiling"),
  rounding("trunc", (x) => sql`trunc(${x})`, "truncate"),
  roundToExp2,
  scalar({
    name: "roundDown",
    takes: ["number", "array"],
    type: sameType,
    sql: (x, list) => sql`coalesce(list_max(list_filter(${list}, lambda v: v <= ${x})), list_min(${list}))`,
  }),
  scalar({ name: "isFinite", takes: ["number"], type: UINT8, sql: (x) => sql`CAST(isfinite(CAST(${x} AS DOUBLE)) AS BIGINT)` }),
  scalar({ name: "isNaN", takes: ["number"], type: UINT8, sql: (x) => sql`CAST(isnan(CAST(${x} AS DOUBLE)) AS BIGINT)` }),
  scalar({ name: "isInfinite", takes: ["number"], type: UINT8, sql: (x) => sql`CAST(isinf(CAST(${x} AS DOUBLE)) AS BIGINT)` }),
];
