import { type Expression, made } from "../../analysis/expression.ts";
import type { Run } from "../../analysis/run.ts";
import { isText, STRING, type Type } from "../../analysis/types.ts";
import { argument, lambda, numeral, type Sql, separated, sql } from "../../sql/fragment.ts";
import { naive } from "../../time/time-sql.ts";

/** A value as ClickHouse prints it by itself: NULL when it is NULL. */
export const toText = (run: Run, value: Expression): Expression => {
  if (isText(value.type)) return { ...value, type: STRING };
  if (typeof value.known === "bigint" && value.type.kind === "integer") return run.known(String(value.known), STRING);
  return made(textSql(run, value.tree, value.type), STRING, [value]);
};

const textSql = (run: Run, tree: Sql, type: Type): Sql => {
  switch (type.kind) {
    case "string":
    case "json":
      return tree;
    case "boolean":
      return sql`(CASE WHEN ${tree} THEN 'true' WHEN NOT ${tree} THEN 'false' END)`;
    case "datetime":
      return stampText(run, tree, type);
    case "float":
      return floatText(tree);
    case "decimal":
      return type.scale === 0 ? sql`CAST(${tree} AS VARCHAR)` : sql`rtrim(rtrim(CAST(${tree} AS VARCHAR), '0'), '.')`;
    case "array":
      return listText(run, tree, type.of);
    case "tuple":
      return tupleText(type.of.map((of, index) => quotedText(run, sql`struct_extract(${tree}, '${numeral(index + 1)}')`, of)));
    case "map":
      return mapText(run, tree, type, quotedText);
    default:
      return sql`CAST(${tree} AS VARCHAR)`;
  }
};

/** As ClickHouse prints a stamp: `2026-01-31 12:00:00`, with its digits of the second. */
const stampText = (run: Run, tree: Sql, type: Extract<Type, { kind: "datetime" }>): Sql => {
  const local = naive(run, { tree, type, nullable: true });
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
const quotedText = (run: Run, tree: Sql, type: Type): Sql => {
  if (type.kind === "null") return sql`'NULL'`;
  const text = textSql(run, tree, type);
  return sql`coalesce(${isQuoted(type) ? sql`'''' || ${escaped(text)} || ''''` : text}, 'NULL')`;
};

const isQuoted = ({ kind }: Type): boolean => ["string", "json", "date", "datetime", "uuid"].includes(kind);

const escaped = (text: Sql): Sql => sql`replace(replace(replace(${text}, '\\', '\\\\'), '''', '\\'''), chr(10), '\\n')`;

const listText = (run: Run, tree: Sql, of: Type): Sql => {
  const item = argument();
  return sql`('[' || array_to_string(list_transform(${tree}, ${lambda([item], quotedText(run, item, of))}), ',') || ']')`;
};

const tupleText = (items: readonly Sql[]): Sql => sql`('(' || ${separated(items, sql` || ',' || `)} || ')')`;

type Print = (run: Run, tree: Sql, type: Type) => Sql;

const mapText = (run: Run, tree: Sql, type: Extract<Type, { kind: "map" }>, print: Print): Sql => {
  const entry = argument();
  const pair = sql`${print(run, sql`${entry}.key`, type.key)} || ':' || ${print(run, sql`${entry}.value`, type.value)}`;
  return sql`('{' || array_to_string(list_transform(map_entries(${tree}), ${lambda([entry], pair)}), ',') || '}')`;
};

/** A value as ClickHouse writes it as JSON: the text `null` for a value that is NULL, and NULL for NULL itself. */
export const toJson = (run: Run, value: Expression): Expression =>
  value.type.kind === "null" ? run.known(null, STRING) : made(wholeJson(run, value), STRING, [value]);

/** By itself NULL is NULL; inside of others it is written out. */
const wholeJson = (run: Run, { tree, type, nullable }: Expression): Sql =>
  nullable ? sql`(CASE WHEN ${tree} IS NOT NULL THEN ${jsonSql(run, tree, type)} END)` : jsonSql(run, tree, type);

const jsonSql: Print = (run, tree, type) => {
  switch (type.kind) {
    case "null":
      return sql`'null'`;
    case "float":
      return sql`(CASE WHEN ${tree} IS NULL OR isnan(${tree}) OR isinf(${tree}) THEN 'null' ELSE ${floatText(tree)} END)`;
    case "date":
    case "datetime":
    case "uuid":
      return sql`coalesce('"' || ${textSql(run, tree, type)} || '"', 'null')`;
    case "array": {
      const item = argument();
      return sql`coalesce('[' || array_to_string(list_transform(${tree}, ${lambda([item], jsonSql(run, item, type.of))}), ',') || ']', 'null')`;
    }
    case "tuple":
      return sql`('[' || ${separated(
        type.of.map((of, index) => jsonSql(run, sql`struct_extract(${tree}, '${numeral(index + 1)}')`, of)),
        sql` || ',' || `,
      )} || ']')`;
    case "map":
      return sql`coalesce(${mapText(run, tree, type, (of, key, kind) => (kind.kind === "string" ? jsonSql(of, key, kind) : kind === type.key ? sql`'"' || ${textSql(of, key, kind)} || '"'` : jsonSql(of, key, kind)))}, 'null')`;
    case "string":
    case "json":
      return sql`coalesce(replace(CAST(to_json(${tree}) AS VARCHAR), '/', '\\/'), 'null')`;
    default:
      return sql`coalesce(${textSql(run, tree, type)}, 'null')`;
  }
};
