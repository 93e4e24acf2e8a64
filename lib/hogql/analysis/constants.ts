import { NULL_SQL, parameter, type Sql, sql } from "../sql/fragment.ts";
import { BOOLEAN, FLOAT, NULL, STRING, type Type, UINT8, UINT16, UINT32, UINT64 } from "../types.ts";
import type { ConstantValue, Expression } from "./expression.ts";

/** A constant of a query. */
export const known = (value: ConstantValue, type: Type): Expression => ({
  tree: constantSql(value, type),
  type,
  nullable: value === null,
  known: value,
});

const constantSql = (value: ConstantValue, type: Type): Sql => {
  if (value === null) return NULL_SQL;
  if (typeof value === "boolean") return value ? sql`true` : sql`false`;
  switch (type.kind) {
    case "date":
      return sql`(DATE '1970-01-01' + ${parameter(value)}::INTEGER)`;
    case "datetime":
      return sql`make_timestamptz(${parameter(value)}::BIGINT)`;
    case "float":
      return sql`${parameter(value)}::DOUBLE`;
    case "integer":
      return type.wide ? sql`${parameter(value)}::UBIGINT` : sql`${parameter(value)}::BIGINT`;
    case "interval":
      return sql`${parameter(value)}::BIGINT`;
    case "uuid":
      return sql`${parameter(value)}::UUID`;
    default:
      return sql`${parameter(value)}::VARCHAR`;
  }
};

/** The constant that a literal of the text, or a plain JSON value, stands for. */
export const literal = (value: string | number | boolean | null): Expression => {
  if (value === null) return known(null, NULL);
  if (typeof value === "string") return known(value, STRING);
  if (typeof value === "boolean") return known(value, BOOLEAN);
  if (!Number.isSafeInteger(value)) return known(value, FLOAT);
  return known(BigInt(value), integerType(BigInt(value)));
};

/** The narrowest type of ClickHouse that holds the integer. */
export const integerType = (value: bigint): Type => {
  if (value < 0n) {
    const bits = value >= -128n ? 8 : value >= -32768n ? 16 : value >= -2147483648n ? 32 : 64;
    return { kind: "integer", name: `Int${bits}` };
  }
  if (value < 256n) return UINT8;
  if (value < 65536n) return UINT16;
  if (value < 4294967296n) return UINT32;
  return value > 9223372036854775807n ? { ...UINT64, kind: "integer", name: "UInt64", wide: true } : UINT64;
};
