import type { LoweringContext } from "../../analysis/context.ts";
import { defaultSql } from "../../analysis/duckdb-types.ts";
import { jsonPath } from "../../json-path.ts";
import { argument, lambda, numeral, parameter, type Sql, separated, sql } from "../../sql/fragment.ts";
import { readTimestampSql } from "../../time/time-sql.ts";
import { typeAfterCast } from "../casts/cast.ts";
import type { CastType } from "../casts/type-names.ts";

/** A JSON value as a value of a type: SQL that is NULL when it is missing, or of a kind that the type cannot be read from. */
const readJson = (context: LoweringContext, json: Sql, wanted: CastType): Sql => {
  const text = sql`json_extract_string(${json}, '$')`;
  const kind = sql`json_type(${json})`;
  switch (wanted.kind) {
    case "nullable":
      return readJson(context, json, wanted.of);
    case "text":
      return text;
    case "integer":
      return integer(kind, text, wanted);
    case "float":
      return sql`CASE WHEN ${kind} IN (${NUMBERS}, 'VARCHAR') THEN TRY_CAST(${text} AS DOUBLE) END`;
    case "decimal":
      return sql`CASE WHEN ${kind} IN (${NUMBERS}, 'VARCHAR') THEN TRY_CAST(${text} AS DECIMAL(38, ${numeral(wanted.scale)})) END`;
    case "boolean":
      return sql`CASE ${kind} WHEN 'BOOLEAN' THEN ${text} = 'true' WHEN 'BIGINT' THEN ${text} <> '0' WHEN 'UBIGINT' THEN ${text} <> '0' END`;
    case "date":
      return sql`CASE WHEN ${kind} = 'VARCHAR' THEN TRY_CAST(left(${text}, 10) AS DATE) END`;
    case "datetime":
      return sql`CASE WHEN ${kind} = 'VARCHAR' THEN ${readTimestampSql(context, text, context.zone)} WHEN ${kind} IN (${NUMBERS}) THEN make_timestamptz(CAST(TRY_CAST(${text} AS DOUBLE) * 1000000 AS BIGINT)) END`;
    case "uuid":
      return sql`CASE WHEN ${kind} = 'VARCHAR' THEN TRY_CAST(${text} AS UUID) END`;
    case "array": {
      const item = argument();
      const read = lambda([item], readOrDefault(context, item, wanted.of));
      return sql`list_transform(CAST(CASE WHEN ${kind} = 'ARRAY' THEN ${json} END AS JSON[]), ${read})`;
    }
    case "map": {
      const entry = argument();
      const value = readOrDefault(context, sql`${entry}.value`, wanted.value);
      const key = wanted.key.kind === "text" ? sql`${entry}.key` : readOrDefault(context, sql`to_json(${entry}.key)`, wanted.key);
      const read = lambda([entry], sql`{'key': ${key}, 'value': ${value}}`);
      return sql`map_from_entries(list_transform(map_entries(TRY_CAST(CASE WHEN ${kind} = 'OBJECT' THEN ${json} END AS MAP(VARCHAR, JSON))), ${read}))`;
    }
    case "tuple":
      return tuple(context, json, wanted);
  }
};

const NUMBERS = sql`'BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT', 'DOUBLE'`;

/** Fractions are cut off, also of a number in quotes; what the type cannot hold is none. */
const integer = (kind: Sql, text: Sql, { bits, signed }: Extract<CastType, { kind: "integer" }>): Sql => {
  const written = sql`TRY_CAST(regexp_extract(${text}, '^([+-]?\\d+)(\\.\\d*)?$', 1) AS BIGINT)`;
  const read = sql`CASE ${kind} WHEN 'BIGINT' THEN TRY_CAST(${text} AS BIGINT) WHEN 'UBIGINT' THEN TRY_CAST(${text} AS BIGINT) WHEN 'DOUBLE' THEN TRY_CAST(trunc(TRY_CAST(${text} AS DOUBLE)) AS BIGINT) WHEN 'VARCHAR' THEN ${written} END`;
  if (bits === 64) return signed ? read : sql`(CASE WHEN ${read} >= 0 THEN ${read} END)`;
  const [least, most] = signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  return sql`(CASE WHEN ${read} BETWEEN ${numeral(least)} AND ${numeral(most)} THEN ${read} END)`;
};

/** Elements by their names, or in the order in which they stand. */
const tuple = (context: LoweringContext, json: Sql, { of }: Extract<CastType, { kind: "tuple" }>): Sql => {
  const list = argument();
  const whole = sql`CASE json_type(${json}) WHEN 'ARRAY' THEN CAST(${json} AS JSON[]) WHEN 'OBJECT' THEN map_values(CAST(${json} AS MAP(VARCHAR, JSON))) END`;
  const items = of.map(({ name, type }, index) => {
    const placed = sql`list_extract(${list}, ${numeral(index + 1)})`;
    const named = (key: string): Sql =>
      sql`CASE WHEN json_type(${json}) = 'OBJECT' THEN json_extract(${json}, ${parameter(jsonPath([key]))}::VARCHAR) ELSE ${placed} END`;
    return sql`'${numeral(index + 1)}': ${readOrDefault(context, name === null ? placed : named(name), type)}`;
  });
  return sql`list_extract(list_transform([${whole}], ${lambda([list], sql`{${separated(items)}}`)}), 1)`;
};

/** The same, with the type's default where there is no such value; `Nullable(…)` has NULL there. */
export const readOrDefault = (context: LoweringContext, json: Sql, wanted: CastType): Sql => {
  const read = readJson(context, json, wanted);
  const fallback = wanted.kind === "nullable" ? null : defaultSql(typeAfterCast(wanted));
  return fallback === null ? sql`(${read})` : sql`coalesce(${read}, ${fallback})`;
};
