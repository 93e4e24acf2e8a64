import type { LoweringContext } from "../../analysis/context.ts";
import { derive, type Expression } from "../../analysis/expression.ts";
import { isLong } from "../../operators/exact.ts";
import { argument, lambda, numeral, type Sql, separated, sql } from "../../sql/fragment.ts";
import { naive } from "../../time/time-sql.ts";
import { isText, STRING, type Type } from "../../types.ts";

/** A value as ClickHouse prints it by itself: NULL when it is NULL. */
export const toText = (context: LoweringContext, value: Expression): Expression => {
  if (isText(value.type)) return { ...value, type: STRING };
  if (typeof value.known === "bigint" && value.type.kind === "integer") return context.known(String(value.known), STRING);
  const text = textSql(context, value.tree, value.type);
  const { written } = value;
  return derive(written === undefined ? text : sql`(CASE WHEN ${isLong(written)} THEN ${written} ELSE ${text} END)`, STRING, [value]);
};

const textSql = (context: LoweringContext, tree: Sql, type: Type): Sql => {
  switch (type.kind) {
    case "string":
    case "json":
      return tree;
    case "boolean":
      return sql`(CASE WHEN ${tree} THEN 'true' WHEN NOT ${tree} THEN 'false' END)`;
    case "datetime":
      return timestampText(context, tree, type);
    case "float":
      return floatText(tree);
    case "decimal":
      return type.scale === 0 ? sql`CAST(${tree} AS VARCHAR)` : sql`rtrim(rtrim(CAST(${tree} AS VARCHAR), '0'), '.')`;
    case "array":
      return listText(context, tree, type.of);
    case "tuple":
      return tupleText(type.of.map((of, index) => quotedText(context, sql`struct_extract(${tree}, '${numeral(index + 1)}')`, of)));
    case "map":
      return mapText(context, tree, type, quotedText);
    default:
      return sql`CAST(${tree} AS VARCHAR)`;
  }
};

/** As ClickHouse prints a timestamp: `2026-01-31 12:00:00`, with its digits of the second. */
const timestampText = (context: LoweringContext, tree: Sql, type: Extract<Type, { kind: "datetime" }>): Sql => {
  const local = naive(context, { tree, type, nullable: true });
  switch (type.digits) {
    case 0:
      return sql`strftime(${local}, '%Y-%m-%d %H:%M:%S')`;
    case 3:
      return sql`strftime(${local}, '%Y-%m-%d %H:%M:%S.%g')`;
    case 6:
      return sql`strftime(${local}, '%Y-%m-%d %H:%M:%S.%f')`;
  }
};

/**
 * ClickHouse prints whole floats without a fraction, infinities in short, and those between 1e-6 and 1e21 without an exponent;
 * DuckDB writes an exponent below 1e-4 and from 1e16 on.
 */
const floatText = (tree: Sql): Sql => {
  const written = sql`CAST(${tree} AS VARCHAR)`;
  const digits = sql`replace(split_part(ltrim(${written}, '-'), 'e', 1), '.', '')`;
  const exponent = sql`CAST(split_part(${written}, 'e', 2) AS INTEGER)`;
  const sign = sql`CASE WHEN ${tree} < 0 THEN '-' ELSE '' END`;
  return sql`(CASE WHEN isinf(${tree}) THEN CASE WHEN ${tree} > 0 THEN 'inf' ELSE '-inf' END WHEN isnan(${tree}) THEN 'nan' WHEN NOT contains(${written}, 'e') THEN regexp_replace(${written}, '\\.0$', '') WHEN abs(${tree}) >= 1e21 OR abs(${tree}) < 1e-6 THEN regexp_replace(${written}, 'e\\+?(-?)0*', 'e\\1') WHEN abs(${tree}) < 1 THEN ${sign} || '0.' || repeat('0', -${exponent} - 1) || ${digits} ELSE ${sign} || rpad(${digits}, ${exponent} + 1, '0') END)`;
};

/** A value inside an array, tuple or map: texts and times in quotes, NULL by name. */
const quotedText = (context: LoweringContext, tree: Sql, type: Type): Sql => {
  if (type.kind === "null") return sql`'NULL'`;
  const text = textSql(context, tree, type);
  return sql`coalesce(${isQuoted(type) ? sql`'''' || ${escaped(text)} || ''''` : text}, 'NULL')`;
};

const isQuoted = ({ kind }: Type): boolean => ["string", "json", "date", "datetime", "uuid"].includes(kind);

const escaped = (text: Sql): Sql => sql`replace(replace(replace(${text}, '\\', '\\\\'), '''', '\\'''), chr(10), '\\n')`;

const listText = (context: LoweringContext, tree: Sql, of: Type): Sql => {
  const item = argument();
  return sql`('[' || array_to_string(list_transform(${tree}, ${lambda([item], quotedText(context, item, of))}), ',') || ']')`;
};

const tupleText = (items: readonly Sql[]): Sql => sql`('(' || ${separated(items, sql` || ',' || `)} || ')')`;

type Print = (context: LoweringContext, tree: Sql, type: Type) => Sql;

const mapText = (context: LoweringContext, tree: Sql, type: Extract<Type, { kind: "map" }>, print: Print): Sql => {
  const entry = argument();
  const pair = sql`${print(context, sql`${entry}.key`, type.key)} || ':' || ${print(context, sql`${entry}.value`, type.value)}`;
  return sql`('{' || array_to_string(list_transform(map_entries(${tree}), ${lambda([entry], pair)}), ',') || '}')`;
};

/** A value as ClickHouse writes it as JSON: the text `null` for a value that is NULL, and NULL for NULL itself. */
export const toJson = (context: LoweringContext, value: Expression): Expression =>
  value.type.kind === "null" ? context.known(null, STRING) : derive(wholeJson(context, value), STRING, [value]);

/** By itself NULL is NULL; inside of others it is written out. */
const wholeJson = (context: LoweringContext, { tree, type, nullable }: Expression): Sql =>
  nullable ? sql`(CASE WHEN ${tree} IS NOT NULL THEN ${jsonSql(context, tree, type)} END)` : jsonSql(context, tree, type);

const jsonSql: Print = (context, tree, type) => {
  switch (type.kind) {
    case "null":
      return sql`'null'`;
    case "float":
      return sql`(CASE WHEN ${tree} IS NULL OR isnan(${tree}) OR isinf(${tree}) THEN 'null' ELSE ${floatText(tree)} END)`;
    case "date":
    case "datetime":
    case "uuid":
      return sql`coalesce('"' || ${textSql(context, tree, type)} || '"', 'null')`;
    case "array": {
      const item = argument();
      return sql`coalesce('[' || array_to_string(list_transform(${tree}, ${lambda([item], jsonSql(context, item, type.of))}), ',') || ']', 'null')`;
    }
    case "tuple":
      return sql`('[' || ${separated(
        type.of.map((of, index) => jsonSql(context, sql`struct_extract(${tree}, '${numeral(index + 1)}')`, of)),
        sql` || ',' || `,
      )} || ']')`;
    case "map":
      return sql`coalesce(${mapText(context, tree, type, (of, key, kind) => (kind.kind === "string" ? jsonSql(of, key, kind) : kind === type.key ? sql`'"' || ${textSql(of, key, kind)} || '"'` : jsonSql(of, key, kind)))}, 'null')`;
    case "string":
    case "json":
      return sql`coalesce(replace(CAST(to_json(${tree}) AS VARCHAR), '/', '\\/'), 'null')`;
    default:
      return sql`coalesce(${textSql(context, tree, type)}, 'null')`;
  }
};
