import type { Expression } from "../analysis/expression.ts";
import { made } from "../analysis/expression.ts";
import { FLOAT, INT64, type Type, UINT8, UINT64 } from "../analysis/types.ts";
import { arithmetic } from "../operators/arithmetic.ts";
import type { ArithmeticOp } from "../syntax/ast.ts";
import { type FunctionSpec, type Scalar, scalar } from "./spec.ts";

const operator = (name: string, op: ArithmeticOp): Scalar => ({
  kind: "scalar",
  name,
  takes: ["any", "any"],
  lower: ([left, right], run) => arithmetic(run, op, left ?? run.known(null, FLOAT), right ?? run.known(null, FLOAT)),
});

/** A function of floats with the same name and meaning in DuckDB, NaN where DuckDB has an error. */
const float = (name: string, sql: (x: string) => string, ...aliases: readonly string[]): Scalar =>
  scalar({ name, aliases, anyCase: true, takes: ["number"], type: FLOAT, sql: ([x = "NULL"]) => sql(`CAST(${x} AS DOUBLE)`) });

const logarithm = (name: string, body: string, ...aliases: readonly string[]): Scalar =>
  float(
    name,
    (x) => `(CASE WHEN ${x} > 0 THEN ${body}(${x}) WHEN ${x} = 0 THEN -'inf'::DOUBLE WHEN ${x} < 0 THEN 'nan'::DOUBLE END)`,
    ...aliases,
  );

const sameType = (args: readonly Expression[]): Type => {
  const type = args[0]?.type ?? FLOAT;
  return type.kind === "boolean" ? INT64 : type;
};

const integers = (name: string, sql: (a: string, b: string) => string): Scalar =>
  scalar({ name, takes: ["integer", "integer"], type: INT64, sql: ([a = "NULL", b = "NULL"]) => sql(a, b) });

/** Division that cuts off the fraction, also of floats. */
const intDiv = (name: string, zero: string): Scalar => ({
  kind: "scalar",
  name,
  takes: ["number", "number"],
  lower: ([a, b], run) => {
    const [left, right] = [a ?? run.known(null, INT64), b ?? run.known(null, INT64)];
    const whole = left.type.kind === "integer" && right.type.kind === "integer";
    const body = whole ? `(${left.sql} // ${right.sql})` : `CAST(trunc(${left.sql} / ${right.sql}) AS BIGINT)`;
    return made(`(CASE WHEN ${right.sql} = 0 THEN ${zero} ELSE ${body} END)`, INT64, [left, right], left.nullable || right.nullable);
  },
});

/** Rounds to `n` digits, or to tens and hundreds when negative. Floats half to even, integers half away from zero, as ClickHouse does. */
const rounding = (name: string, whole: (x: string) => string, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  anyCase: true,
  takes: ["number", "constant number"],
  optional: 1,
  lower: ([value, digits], run) => {
    const x = value ?? run.known(null, FLOAT);
    const n = Number(digits?.known ?? 0);
    if (x.type.kind === "integer" && n >= 0) return x;
    const scale = 10 ** Math.min(Math.abs(n), MAX_DIGITS);
    if (x.type.kind === "integer" && name === "round") {
      const half = scale / 2;
      return made(`((${x.sql} + CASE WHEN ${x.sql} < 0 THEN -${half} ELSE ${half} END) // ${scale} * ${scale})`, x.type, [x]);
    }
    const double = `CAST(${x.sql} AS DOUBLE)`;
    const type = x.type.kind === "integer" ? x.type : FLOAT;
    const sql =
      n === 0 ? whole(double) : n > 0 ? `(${whole(`${double} * ${scale}`)} / ${scale})` : `(${whole(`${double} / ${scale}`)} * ${scale})`;
    return made(type === FLOAT ? sql : `CAST(${sql} AS BIGINT)`, type, [x]);
  },
});

const MAX_DIGITS = 15;

const floats = (name: string, sql: (a: string, b: string) => string): Scalar =>
  scalar({
    name,
    anyCase: true,
    takes: ["number", "number"],
    type: FLOAT,
    sql: ([a, b]) => sql(`CAST(${a} AS DOUBLE)`, `CAST(${b} AS DOUBLE)`),
  });

/** Bits of an integer's type: of a small constant they are few, as in ClickHouse. */
const bitsOf = (type: Type | undefined): { readonly bits: number; readonly signed: boolean } => {
  const match = type?.kind === "integer" ? /^(U?)Int(\d+)$/.exec(type.name) : null;
  return match === null ? { bits: 64, signed: true } : { bits: Number(match[2]), signed: match[1] === "" };
};

const bitNot: Scalar = {
  kind: "scalar",
  name: "bitNot",
  takes: ["integer"],
  lower: (args) => {
    const [x] = args;
    const { bits, signed } = bitsOf(x?.type);
    return made(signed || bits === 64 ? `(~${x?.sql})` : `(${2 ** bits - 1} - ${x?.sql})`, x?.type ?? INT64, args);
  },
};

/** What is shifted beyond the type's bits is gone. */
const bitShiftLeft: Scalar = {
  kind: "scalar",
  name: "bitShiftLeft",
  takes: ["integer", "integer"],
  lower: (args) => {
    const [x, by] = args;
    const { bits, signed } = bitsOf(x?.type);
    const shifted = `(${x?.sql} << ${by?.sql})`;
    const kept = signed || bits === 64 ? shifted : `(${shifted} & ${2 ** bits - 1})`;
    return made(`(CASE WHEN ${by?.sql} >= ${bits} THEN 0 ELSE ${kept} END)`, x?.type ?? INT64, args);
  },
};

export const ARITHMETIC: readonly FunctionSpec[] = [
  operator("plus", "+"),
  operator("minus", "-"),
  operator("multiply", "*"),
  operator("divide", "/"),
  operator("modulo", "%"),
  intDiv("intDiv", "error('Division by zero')"),
  intDiv("intDivOrZero", "0"),
  integers("positiveModulo", (a, b) => `(((${a} % ${b}) + ${b}) % ${b})`),
  integers("moduloOrZero", (a, b) => `(CASE WHEN ${b} = 0 THEN 0 ELSE ${a} % ${b} END)`),
  scalar({
    name: "negate",
    takes: ["number"],
    type: (args) => (args[0]?.type.kind === "integer" ? INT64 : sameType(args)),
    sql: ([x]) => `(-${x})`,
  }),
  scalar({ name: "abs", anyCase: true, takes: ["number"], type: sameType, sql: ([x]) => `abs(${x})` }),
  integers("gcd", (a, b) => `gcd(${a}, ${b})`),
  integers("lcm", (a, b) => `lcm(${a}, ${b})`),
  float("exp", (x) => `exp(${x})`),
  logarithm("log", "ln", "ln"),
  logarithm("log2", "log2"),
  logarithm("log10", "log10"),
  float("sqrt", (x) => `(CASE WHEN ${x} < 0 THEN 'nan'::DOUBLE ELSE sqrt(${x}) END)`),
  scalar({
    name: "pow",
    aliases: ["power"],
    anyCase: true,
    takes: ["number", "number"],
    type: FLOAT,
    sql: ([x, y]) => `pow(CAST(${x} AS DOUBLE), CAST(${y} AS DOUBLE))`,
  }),
  scalar({
    name: "sign",
    anyCase: true,
    takes: ["number"],
    type: { kind: "integer", name: "Int8" },
    sql: ([x]) => `CAST(sign(${x}) AS BIGINT)`,
  }),
  float("sin", (x) => `sin(${x})`),
  float("cos", (x) => `cos(${x})`),
  float("tan", (x) => `tan(${x})`),
  float("asin", (x) => `(CASE WHEN abs(${x}) > 1 THEN 'nan'::DOUBLE ELSE asin(${x}) END)`),
  float("acos", (x) => `(CASE WHEN abs(${x}) > 1 THEN 'nan'::DOUBLE ELSE acos(${x}) END)`),
  float("atan", (x) => `atan(${x})`),
  float("sinh", (x) => `sinh(${x})`),
  float("cosh", (x) => `cosh(${x})`),
  float("tanh", (x) => `tanh(${x})`),
  float("cbrt", (x) => `cbrt(${x})`),
  float("exp2", (x) => `pow(2, ${x})`),
  float("exp10", (x) => `pow(10, ${x})`),
  float("degrees", (x) => `degrees(${x})`),
  float("radians", (x) => `radians(${x})`),
  floats("atan2", (y, x) => `atan2(${y}, ${x})`),
  floats("hypot", (a, b) => `sqrt(${a} * ${a} + ${b} * ${b})`),
  scalar({ name: "pi", anyCase: true, takes: [], type: FLOAT, sql: () => "pi()" }),
  scalar({ name: "e", takes: [], type: FLOAT, sql: () => "exp(1)" }),
  scalar({
    name: "rand",
    aliases: ["rand32"],
    takes: [],
    type: { kind: "integer", name: "UInt32" },
    sql: () => "CAST(floor(random() * 4294967296) AS BIGINT)",
  }),
  integers("bitAnd", (a, b) => `(${a} & ${b})`),
  integers("bitOr", (a, b) => `(${a} | ${b})`),
  integers("bitXor", (a, b) => `xor(${a}, ${b})`),
  bitNot,
  bitShiftLeft,
  integers("bitShiftRight", (a, b) => `(CASE WHEN ${b} > 63 THEN 0 ELSE ${a} >> ${b} END)`),
  integers("bitTest", (a, b) => `((${a} >> ${b}) & 1)`),
  scalar({ name: "bitCount", takes: ["integer"], type: UINT8, sql: ([x]) => `CAST(bit_count(${x}) AS BIGINT)` }),
  rounding("round", (x) => `round_even(${x}, 0)`),
  rounding("roundBankers", (x) => `round_even(${x}, 0)`),
  rounding("floor", (x) => `floor(${x})`),
  rounding("ceil", (x) => `ceil(${x})`, "ceiling"),
  rounding("trunc", (x) => `trunc(${x})`, "truncate"),
  scalar({
    name: "roundToExp2",
    takes: ["number"],
    type: UINT64,
    sql: ([x]) => `(CASE WHEN ${x} < 1 THEN 0 ELSE CAST(pow(2, floor(log2(${x}))) AS BIGINT) END)`,
  }),
  scalar({
    name: "roundDown",
    takes: ["number", "array"],
    type: sameType,
    sql: ([x, list]) => `coalesce(list_max(list_filter(${list}, lambda v: v <= ${x})), list_min(${list}))`,
  }),
  scalar({ name: "isFinite", takes: ["number"], type: UINT8, sql: ([x]) => `CAST(isfinite(CAST(${x} AS DOUBLE)) AS BIGINT)` }),
  scalar({ name: "isNaN", takes: ["number"], type: UINT8, sql: ([x]) => `CAST(isnan(CAST(${x} AS DOUBLE)) AS BIGINT)` }),
  scalar({ name: "isInfinite", takes: ["number"], type: UINT8, sql: ([x]) => `CAST(isinf(CAST(${x} AS DOUBLE)) AS BIGINT)` }),
];
