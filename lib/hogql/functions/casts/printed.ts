import { type Expression, made } from "../../analysis/expression.ts";
import type { Run } from "../../analysis/run.ts";
import { isText, STRING, type Type } from "../../analysis/types.ts";
import { naive } from "../../time/time-sql.ts";

/** A value as ClickHouse prints it by itself: NULL when it is NULL. */
export const toText = (run: Run, value: Expression): Expression => {
  if (isText(value.type)) return { ...value, type: STRING };
  if (typeof value.known === "bigint" && value.type.kind === "integer") return run.known(String(value.known), STRING);
  return made(textSql(run, value.sql, value.type), STRING, [value]);
};

const textSql = (run: Run, sql: string, type: Type): string => {
  switch (type.kind) {
    case "string":
    case "json":
      return sql;
    case "boolean":
      return `(CASE WHEN ${sql} THEN 'true' WHEN NOT ${sql} THEN 'false' END)`;
    case "datetime":
      return stampText(run, sql, type);
    case "float":
      return floatText(sql);
    case "decimal":
      return type.scale === 0 ? `CAST(${sql} AS VARCHAR)` : `rtrim(rtrim(CAST(${sql} AS VARCHAR), '0'), '.')`;
    case "array":
      return listText(run, sql, type.of);
    case "tuple":
      return tupleText(type.of.map((of, index) => quotedText(run, `struct_extract(${sql}, '${index + 1}')`, of)));
    case "map":
      return mapText(run, sql, type, quotedText);
    default:
      return `CAST(${sql} AS VARCHAR)`;
  }
};

/** As ClickHouse prints a stamp: `2026-01-31 12:00:00`, with its digits of the second. */
const stampText = (run: Run, sql: string, type: Extract<Type, { kind: "datetime" }>): string => {
  const { digits } = type;
  const format = digits === 0 ? "%Y-%m-%d %H:%M:%S" : `%Y-%m-%d %H:%M:%S.${digits === 3 ? "%g" : "%f"}`;
  return `strftime(${naive(run, { sql, type, nullable: true })}, '${format}')`;
};

/**
 * ClickHouse prints whole floats without a fraction, infinities in short, and those between 1e-6 and 1e21 without an exponent;
 * DuckDB writes an exponent below 1e-4 and from 1e16 on.
 */
const floatText = (sql: string): string => {
  const written = `CAST(${sql} AS VARCHAR)`;
  const digits = `replace(split_part(ltrim(${written}, '-'), 'e', 1), '.', '')`;
  const exponent = `CAST(split_part(${written}, 'e', 2) AS INTEGER)`;
  const sign = `CASE WHEN ${sql} < 0 THEN '-' ELSE '' END`;
  return `(CASE WHEN isinf(${sql}) THEN CASE WHEN ${sql} > 0 THEN 'inf' ELSE '-inf' END WHEN isnan(${sql}) THEN 'nan' WHEN NOT contains(${written}, 'e') THEN regexp_replace(${written}, '\\.0$', '') WHEN abs(${sql}) >= 1e21 OR abs(${sql}) < 1e-6 THEN regexp_replace(${written}, 'e\\+?(-?)0*', 'e\\1') WHEN abs(${sql}) < 1 THEN ${sign} || '0.' || repeat('0', -${exponent} - 1) || ${digits} ELSE ${sign} || rpad(${digits}, ${exponent} + 1, '0') END)`;
};

/** A value inside an array, tuple or map: texts and times in quotes, NULL by name. */
const quotedText = (run: Run, sql: string, type: Type): string => {
  if (type.kind === "null") return "'NULL'";
  const text = textSql(run, sql, type);
  return `coalesce(${isQuoted(type) ? `'''' || ${escaped(text)} || ''''` : text}, 'NULL')`;
};

const isQuoted = ({ kind }: Type): boolean => ["string", "json", "date", "datetime", "uuid"].includes(kind);

const escaped = (text: string): string => `replace(replace(replace(${text}, '\\', '\\\\'), '''', '\\'''), chr(10), '\\n')`;

const listText = (run: Run, sql: string, of: Type): string => {
  const item = run.fresh("x");
  return `('[' || array_to_string(list_transform(${sql}, lambda ${item}: ${quotedText(run, item, of)}), ',') || ']')`;
};

const tupleText = (items: readonly string[]): string => `('(' || ${items.join(" || ',' || ")} || ')')`;

type Print = (run: Run, sql: string, type: Type) => string;

const mapText = (run: Run, sql: string, type: Extract<Type, { kind: "map" }>, print: Print): string => {
  const entry = run.fresh("x");
  const pair = `${print(run, `${entry}.key`, type.key)} || ':' || ${print(run, `${entry}.value`, type.value)}`;
  return `('{' || array_to_string(list_transform(map_entries(${sql}), lambda ${entry}: ${pair}), ',') || '}')`;
};

/** A value as ClickHouse writes it as JSON: the text `null` for a value that is NULL, and NULL for NULL itself. */
export const toJson = (run: Run, value: Expression): Expression =>
  value.type.kind === "null" ? run.known(null, STRING) : made(wholeJson(run, value), STRING, [value]);

/** By itself NULL is NULL; inside of others it is written out. */
const wholeJson = (run: Run, { sql, type, nullable }: Expression): string =>
  nullable ? `(CASE WHEN ${sql} IS NOT NULL THEN ${jsonSql(run, sql, type)} END)` : jsonSql(run, sql, type);

const jsonSql: Print = (run, sql, type) => {
  switch (type.kind) {
    case "null":
      return "'null'";
    case "float":
      return `(CASE WHEN ${sql} IS NULL OR isnan(${sql}) OR isinf(${sql}) THEN 'null' ELSE ${floatText(sql)} END)`;
    case "date":
    case "datetime":
    case "uuid":
      return `coalesce('"' || ${textSql(run, sql, type)} || '"', 'null')`;
    case "array": {
      const item = run.fresh("x");
      return `coalesce('[' || array_to_string(list_transform(${sql}, lambda ${item}: ${jsonSql(run, item, type.of)}), ',') || ']', 'null')`;
    }
    case "tuple":
      return `('[' || ${type.of.map((of, index) => jsonSql(run, `struct_extract(${sql}, '${index + 1}')`, of)).join(" || ',' || ")} || ']')`;
    case "map":
      return `coalesce(${mapText(run, sql, type, (of, key, kind) => (kind.kind === "string" ? jsonSql(of, key, kind) : kind === type.key ? `'"' || ${textSql(of, key, kind)} || '"'` : jsonSql(of, key, kind)))}, 'null')`;
    case "string":
    case "json":
      return `coalesce(replace(CAST(to_json(${sql}) AS VARCHAR), '/', '\\/'), 'null')`;
    default:
      return `coalesce(${textSql(run, sql, type)}, 'null')`;
  }
};
