import type { LoweringContext } from "../../analysis/context.ts";
import { derive, type Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { numeral, parameter, type Sql, sql } from "../../sql/fragment.ts";
import { FLOAT, STRING, type Type, typeName } from "../../types.ts";
import type { FunctionSpec, Scalar } from "../spec.ts";
import { digestDigits, TEXT_OF_BYTES } from "../texts/hashes.ts";

/** Bytes of one value read as another one, the lowest byte first. Bytes are hexadecimal digits here, two for each. */

const turnedRound = (hex: Sql): Sql =>
  sql`array_to_string(list_transform(range(length(${hex}) // 2, 0, -1), lambda i: substring(${hex}, 2 * i - 1, 2)), '')`;

/** Bytes that a number of this type takes. */
const byteSize = (type: Type): number => (type.kind === "integer" ? Number(/\d+$/.exec(type.name)?.[0] ?? 64) / 8 : 1);

const rawBytes = (value: Expression, name: string): Sql => {
  const { type, tree, known } = value;
  const digits = digestDigits(tree);
  if (digits !== undefined) return digits;
  switch (type.kind) {
    case "string":
    case "json":
    case "null":
    case "unknown":
      return sql`hex(CAST(${tree} AS VARCHAR))`;
    case "integer":
    case "boolean": {
      const digits = sql`lpad(hex(CAST(${tree} AS ${type.kind === "integer" && type.wide ? sql`UBIGINT` : sql`BIGINT`})), 16, '0')`;
      return turnedRound(sql`right(${digits}, ${numeral(2 * byteSize(type))})`);
    }
    default:
      if (type.kind === "float" && typeof known === "number") return sql`${parameter(floatBytes(known))}::VARCHAR`;
      throw new QueryError(
        "illegal_type_of_argument",
        `\`${name}\` takes a text, an integer or a number that is written out, not ${typeName(type, value.nullable)}.`,
      );
  }
};

const FLOAT_BYTES = 8;

const floatBytes = (value: number): string => {
  const bytes = new DataView(new ArrayBuffer(FLOAT_BYTES));
  bytes.setFloat64(0, value, true);
  return Array.from({ length: FLOAT_BYTES }, (_, at) => bytes.getUint8(at).toString(16).padStart(2, "0").toUpperCase()).join("");
};

/** The whole number without a sign that the first bytes make; bytes that are missing are 0. */
const unsigned = (bytes: Sql, size: number): Sql =>
  sql`CAST('0x' || ${turnedRound(sql`rpad(left(${bytes}, ${numeral(2 * size)}), ${numeral(2 * size)}, '0')`)} AS UBIGINT)`;

const reading = (name: string, type: Type, tree: (bytes: Sql) => Sql): Scalar => ({
  kind: "scalar",
  name,
  takes: ["any"],
  lower: (args, context: LoweringContext) => {
    const [value = context.known(null, STRING)] = args;
    return derive(tree(rawBytes(value, name)), type, [value]);
  },
});

const integer = (sign: "" | "U", bits: 8 | 16 | 32 | 64): Scalar => {
  const name = `${sign}Int${bits}`;
  const wide = sign === "U" && bits === 64;
  const type: Type = { kind: "integer", name, ...(wide ? { wide } : {}) };
  return reading(`reinterpretAs${name}`, type, (bytes) => {
    const number = unsigned(bytes, bits / 8);
    if (sign === "U") return wide ? number : sql`CAST(${number} AS BIGINT)`;
    const huge = sql`CAST(${number} AS HUGEINT)`;
    const half = sql`CAST(${numeral(2n ** BigInt(bits - 1))} AS HUGEINT)`;
    return sql`CAST((${huge} + ${half}) % (2 * ${half}) - ${half} AS BIGINT)`;
  });
};

/** Sign, exponent and fraction of a float of so many bits each, put together again. */
const float = (bits: 32 | 64): Scalar => {
  const fraction = bits === 64 ? 52 : 23;
  const exponent = bits - 1 - fraction;
  const most = 2 ** exponent - 1;
  const bias = 2 ** (exponent - 1) - 1;
  return reading(`reinterpretAsFloat${bits}`, FLOAT, (bytes) => {
    const number = unsigned(bytes, bits / 8);
    const part = (shift: number, width: number): Sql =>
      sql`((${number} >> ${numeral(shift)}) & ${numeral(2n ** BigInt(width) - 1n)}::UBIGINT)`;
    const [e, f] = [
      sql`CAST(${part(fraction, exponent)} AS BIGINT)`,
      sql`(CAST(${part(0, fraction)} AS DOUBLE) / ${numeral(2 ** fraction)}::DOUBLE)`,
    ];
    const size = sql`CASE ${e} WHEN ${numeral(most)} THEN CASE WHEN ${f} = 0 THEN 'inf'::DOUBLE ELSE 'nan'::DOUBLE END WHEN 0 THEN ${f} * pow(2::DOUBLE, ${numeral(1 - bias)}) ELSE (1 + ${f}) * pow(2::DOUBLE, ${e} - ${numeral(bias)}) END`;
    return sql`((${size}) * (1 - 2 * CAST(${part(bits - 1, 1)} AS DOUBLE)))`;
  });
};

const text: Scalar = {
  kind: "scalar",
  name: "reinterpretAsString",
  takes: ["any"],
  lower: (args, context) => {
    const [value = context.known(null, STRING)] = args;
    const hex = sql`regexp_replace(${rawBytes(value, "reinterpretAsString")}, '(00)+$', '')`;
    return derive(TEXT_OF_BYTES.of(hex), STRING, [value]);
  },
};

export const REINTERPRET: readonly FunctionSpec[] = [
  ...([8, 16, 32, 64] as const).flatMap((bits) => [integer("", bits), integer("U", bits)]),
  float(32),
  float(64),
  text,
];
