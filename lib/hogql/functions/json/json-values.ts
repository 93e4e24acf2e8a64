import type { Run } from "../../analysis/run.ts";
import { defaultOf, type Type } from "../../analysis/types.ts";
import { jsonPath } from "../../sql/json-path.ts";
import { parsedStampSql } from "../../time/time-sql.ts";
import { typeOf } from "../casts/convert.ts";
import type { Wanted } from "../casts/type-names.ts";

/** What a JSON value is in a type: DuckDB text that is NULL when it is missing, or of a kind that the type cannot be read from. */
const readJson = (run: Run, json: string, wanted: Wanted): string => {
  const text = `json_extract_string(${json}, '$')`;
  const kind = `json_type(${json})`;
  switch (wanted.kind) {
    case "nullable":
      return readJson(run, json, wanted.of);
    case "text":
      return text;
    case "integer":
      return integer(kind, text, wanted);
    case "float":
      return `CASE WHEN ${kind} IN (${NUMBERS}, 'VARCHAR') THEN TRY_CAST(${text} AS DOUBLE) END`;
    case "decimal":
      return `CASE WHEN ${kind} IN (${NUMBERS}, 'VARCHAR') THEN TRY_CAST(${text} AS DECIMAL(38, ${wanted.scale})) END`;
    case "boolean":
      return `CASE ${kind} WHEN 'BOOLEAN' THEN ${text} = 'true' WHEN 'BIGINT' THEN ${text} <> '0' WHEN 'UBIGINT' THEN ${text} <> '0' END`;
    case "date":
      return `CASE WHEN ${kind} = 'VARCHAR' THEN TRY_CAST(left(${text}, 10) AS DATE) END`;
    case "datetime":
      return `CASE WHEN ${kind} = 'VARCHAR' THEN ${parsedStampSql(run, text, run.zone)} WHEN ${kind} IN (${NUMBERS}) THEN make_timestamptz(CAST(TRY_CAST(${text} AS DOUBLE) * 1000000 AS BIGINT)) END`;
    case "uuid":
      return `CASE WHEN ${kind} = 'VARCHAR' THEN TRY_CAST(${text} AS UUID) END`;
    case "array": {
      const item = run.fresh("j");
      return `list_transform(CAST(CASE WHEN ${kind} = 'ARRAY' THEN ${json} END AS JSON[]), lambda ${item}: ${readOrDefault(run, item, wanted.of)})`;
    }
    case "map": {
      const entry = run.fresh("j");
      const value = readOrDefault(run, `${entry}.value`, wanted.value);
      const key = wanted.key.kind === "text" ? `${entry}.key` : readOrDefault(run, `to_json(${entry}.key)`, wanted.key);
      return `map_from_entries(list_transform(map_entries(TRY_CAST(CASE WHEN ${kind} = 'OBJECT' THEN ${json} END AS MAP(VARCHAR, JSON))), lambda ${entry}: {'key': ${key}, 'value': ${value}}))`;
    }
    case "tuple":
      return tuple(run, json, wanted);
  }
};

const NUMBERS = "'BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT', 'DOUBLE'";

/** Fractions are cut off, also of a number in quotes; what the type cannot hold is none. */
const integer = (kind: string, text: string, { bits, signed }: Extract<Wanted, { kind: "integer" }>): string => {
  const written = `TRY_CAST(regexp_extract(${text}, '^([+-]?\\d+)(\\.\\d*)?$', 1) AS BIGINT)`;
  const read = `CASE ${kind} WHEN 'BIGINT' THEN TRY_CAST(${text} AS BIGINT) WHEN 'UBIGINT' THEN TRY_CAST(${text} AS BIGINT) WHEN 'DOUBLE' THEN TRY_CAST(trunc(TRY_CAST(${text} AS DOUBLE)) AS BIGINT) WHEN 'VARCHAR' THEN ${written} END`;
  if (bits === 64) return signed ? read : `(CASE WHEN ${read} >= 0 THEN ${read} END)`;
  const [least, most] = signed ? [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] : [0, 2 ** bits - 1];
  return `(CASE WHEN ${read} BETWEEN ${least} AND ${most} THEN ${read} END)`;
};

/** Elements by their names, or in the order in which they stand. */
const tuple = (run: Run, json: string, { of }: Extract<Wanted, { kind: "tuple" }>): string => {
  const list = run.fresh("j");
  const whole = `CASE json_type(${json}) WHEN 'ARRAY' THEN CAST(${json} AS JSON[]) WHEN 'OBJECT' THEN map_values(CAST(${json} AS MAP(VARCHAR, JSON))) END`;
  const items = of.map(({ name, type }, index) => {
    const placed = `list_extract(${list}, ${index + 1})`;
    const named =
      name === null
        ? placed
        : `CASE WHEN json_type(${json}) = 'OBJECT' THEN json_extract(${json}, ${run.bind(jsonPath([name]))}::VARCHAR) ELSE ${placed} END`;
    return `'${index + 1}': ${readOrDefault(run, named, type)}`;
  });
  return `list_extract(list_transform([${whole}], lambda ${list}: {${items.join(", ")}}), 1)`;
};

/** The same, with the type's default where there is no such value; `Nullable(…)` has NULL there. */
export const readOrDefault = (run: Run, json: string, wanted: Wanted): string => {
  const read = readJson(run, json, wanted);
  const fallback = wanted.kind === "nullable" ? "NULL" : defaultOf(typeOf(wanted));
  return fallback === "NULL" ? `(${read})` : `coalesce(${read}, ${fallback})`;
};

/** Whether values of the type can be NULL. */
export const mayBeNull = (wanted: Wanted): boolean => wanted.kind === "nullable" || noDefault(typeOf(wanted));

const noDefault = (type: Type): boolean => type.kind === "map" || type.kind === "tuple";
