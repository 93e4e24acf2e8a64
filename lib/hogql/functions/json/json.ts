import { derive, type Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { jsonPath } from "../../json-path.ts";
import { parameter, type Sql, sql } from "../../sql/fragment.ts";
import { arrayType, BOOLEAN, FLOAT, INT64, STRING, type Type, UINT64 } from "../../types.ts";
import { typeAfterCast } from "../casts/cast.ts";
import { type CastType, findType } from "../casts/type-names.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";
import { readOrDefault } from "./json-values.ts";

/** The path as DuckDB reads it: constant keys and places; places count from 1, from the end when negative. */
const constantPath = (steps: readonly Expression[], name: string): Sql => {
  const parts = steps.map((step) => {
    if (typeof step.known === "string") return step.known;
    if (typeof step.known === "bigint") return Number(step.known);
    throw new QueryError("illegal_type_of_argument", `\`${name}\` needs constant keys and places as its path.`);
  });
  return sql`${parameter(jsonPath(parts))}::VARCHAR`;
};

/** A function of a JSON text and a path into it. `sql` gets the text, and the path as DuckDB text. */
const reading = (name: string, type: Type, tree: (json: Sql, path: Sql) => Sql, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["text", "any"],
  optional: 1,
  rest: true,
  lower: ([json, ...steps], context) => {
    const value = json ?? context.known(null, STRING);
    const checked = sql`CASE WHEN json_valid(${value.tree}) THEN ${value.tree} END`;
    const found = tree(value.known === undefined && value.type.kind === "json" ? value.tree : sql`(${checked})`, constantPath(steps, name));
    // Of NULL the answer is NULL, but there are no NULL arrays, tuples and maps.
    const isNull = value.nullable && !["array", "tuple", "map"].includes(type.kind);
    return derive(isNull ? sql`(CASE WHEN ${value.tree} IS NOT NULL THEN ${found} END)` : found, type, [value], isNull);
  },
});

/** A value at a path, in a type: its default where there is no such value. */
const typedValue = (name: string, wanted: CastType, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["text", "any"],
  optional: 1,
  rest: true,
  lower: (args, context) => {
    const tree = (json: Sql, path: Sql): Sql => readOrDefault(context, sql`json_extract(${json}, ${path})`, wanted);
    const read = reading(name, typeAfterCast(wanted), tree).lower(args, context);
    return { ...read, nullable: read.nullable || wanted.kind === "nullable" };
  },
});

const NUMBERS = sql`('BIGINT', 'UBIGINT', 'DOUBLE')`;

const raw = (json: Sql, path: Sql): Sql => sql`coalesce(CAST(json_extract(${json}, ${path}) AS VARCHAR), '')`;

const items = (json: Sql, path: Sql): Sql =>
  sql`coalesce(list_transform(CAST(CASE WHEN json_type(${json}, ${path}) = 'ARRAY' THEN json_extract(${json}, ${path}) END AS JSON[]), lambda v: coalesce(CAST(v AS VARCHAR), 'null')), [])`;

const keys = (json: Sql, path: Sql): Sql => sql`coalesce(json_keys(${json}, ${path}), [])`;

const TYPE_NAMES = sql`WHEN 'OBJECT' THEN 'Object' WHEN 'ARRAY' THEN 'Array' WHEN 'VARCHAR' THEN 'String' WHEN 'BIGINT' THEN 'Int64' WHEN 'UBIGINT' THEN 'Int64' WHEN 'DOUBLE' THEN 'Double' WHEN 'BOOLEAN' THEN 'Bool' ELSE 'Null'`;

/** `JSONExtract(j, path…, 'type')`. */
const extract: Scalar = {
  kind: "scalar",
  name: "JSONExtract",
  takes: ["text", "any"],
  rest: true,
  lower: (args, context) => {
    const wanted = findType(String(args.at(-1)?.known ?? ""));
    if (wanted === undefined)
      throw new QueryError("unsupported", "`JSONExtract` needs a type such as 'String', 'Int64', 'Array(String)' or 'Nullable(Float64)'.");
    return typedValue("JSONExtract", wanted).lower(args.slice(0, -1), context);
  },
};

const INTEGER: CastType = { kind: "integer", bits: 64, signed: true };
const UNSIGNED: CastType = { kind: "integer", bits: 64, signed: false };

const INTEGERS = [
  { bits: 8, signed: sql`TINYINT`, unsigned: sql`UTINYINT` },
  { bits: 16, signed: sql`SMALLINT`, unsigned: sql`USMALLINT` },
  { bits: 32, signed: sql`INTEGER`, unsigned: sql`UINTEGER` },
  { bits: 64, signed: sql`BIGINT`, unsigned: sql`UBIGINT` },
];

interface PairReader {
  readonly type: Type;
  readonly tree: Sql;
}

/** How `JSONExtractKeysAndValues` reads a value of each type: NULL where the value is of another type, and its key is left out. */
const pairReaders = (): ReadonlyMap<string, PairReader> => {
  const textual = sql`json_type(e.value) = 'VARCHAR'`;
  const written = sql`json_extract_string(e.value, '$')`;
  const cast = (type: Sql): Sql =>
    sql`CASE WHEN json_type(e.value) IN ('BIGINT', 'UBIGINT') OR (${textual} AND regexp_full_match(${written}, '[+-]?[0-9]+')) THEN TRY_CAST(${written} AS ${type}) END`;
  const integers = INTEGERS.flatMap(({ bits, signed, unsigned }) => [
    [`Int${bits}`, { type: INT64, tree: sql`CAST(${cast(signed)} AS BIGINT)` }] as const,
    [`UInt${bits}`, { type: UINT64, tree: sql`TRY_CAST(${cast(unsigned)} AS BIGINT)` }] as const,
  ]);
  return new Map<string, PairReader>([
    [
      "String",
      { type: STRING, tree: sql`CASE WHEN ${textual} THEN ${written} WHEN json_type(e.value) <> 'NULL' THEN CAST(e.value AS VARCHAR) END` },
    ],
    [
      "Float64",
      { type: FLOAT, tree: sql`CASE WHEN json_type(e.value) IN ${NUMBERS} OR ${textual} THEN TRY_CAST(${written} AS DOUBLE) END` },
    ],
    ["Bool", { type: BOOLEAN, tree: sql`CASE WHEN json_type(e.value) = 'BOOLEAN' THEN ${written} = 'true' END` }],
    ...integers,
  ]);
};

const PAIR_READERS = pairReaders();

/** `JSONExtractKeysAndValues(j, path…, 'type')`: the pairs of an object whose values are of the type. */
const keysAndValues: Scalar = {
  kind: "scalar",
  name: "JSONExtractKeysAndValues",
  takes: ["text", "any"],
  rest: true,
  lower: (args, context) => {
    const found = PAIR_READERS.get(String(args.at(-1)?.known ?? ""));
    if (found === undefined)
      throw new QueryError("unsupported", "`JSONExtractKeysAndValues` needs a type such as 'String', 'Int64', 'Float64' or 'Bool'.");
    const entries = (json: Sql, path: Sql): Sql =>
      sql`map_entries(TRY_CAST(CASE WHEN json_type(${json}, ${path}) = 'OBJECT' THEN json_extract(${json}, ${path}) END AS MAP(VARCHAR, JSON)))`;
    const pairs = (json: Sql, path: Sql): Sql =>
      sql`coalesce(list_filter(list_transform(${entries(json, path)}, lambda e: {'1': e.key, '2': ${found.tree}}), lambda e: struct_extract(e, '2') IS NOT NULL), [])`;
    return reading("JSONExtractKeysAndValues", arrayType({ kind: "tuple", of: [STRING, found.type] }), pairs).lower(
      args.slice(0, -1),
      context,
    );
  },
};

/** The pairs of an object, their values as they are written. */
const rawPairs = (json: Sql, path: Sql): Sql =>
  sql`coalesce(list_transform(map_entries(TRY_CAST(CASE WHEN json_type(${json}, ${path}) = 'OBJECT' THEN json_extract(${json}, ${path}) END AS MAP(VARCHAR, JSON))), lambda e: {'1': e.key, '2': coalesce(CAST(e.value AS VARCHAR), 'null')}), [])`;

/** A function of a JSON text and a path in the notation of JSONPath. */
const withPath = (name: string, type: Type, tree: (json: Sql, path: Sql) => Sql): Scalar =>
  scalar({
    name,
    takes: ["text", "constant text"],
    type,
    sql: (json, path) => {
      const found = tree(sql`(CASE WHEN json_valid(${json}) THEN ${json} END)`, path);
      return sql`(CASE WHEN ${json} IS NOT NULL THEN ${found} END)`;
    },
  });

export const JSON_FUNCTIONS: readonly FunctionSpec[] = [
  reading(
    "JSONExtractString",
    STRING,
    (json, path) => sql`coalesce(json_extract_string(${json}, ${path}), '')`,
    "simpleJSONExtractString",
    "visitParamExtractString",
  ),
  typedValue("JSONExtractInt", INTEGER, "simpleJSONExtractInt", "visitParamExtractInt"),
  typedValue("JSONExtractUInt", UNSIGNED, "simpleJSONExtractUInt", "visitParamExtractUInt"),
  typedValue("JSONExtractFloat", { kind: "float" }, "simpleJSONExtractFloat", "visitParamExtractFloat"),
  typedValue("JSONExtractBool", { kind: "boolean" }, "simpleJSONExtractBool", "visitParamExtractBool"),
  reading("JSONExtractRaw", STRING, raw, "simpleJSONExtractRaw", "visitParamExtractRaw"),
  extract,
  reading("JSONExtractArrayRaw", arrayType(STRING), items),
  keysAndValues,
  reading("JSONExtractKeysAndValuesRaw", arrayType({ kind: "tuple", of: [STRING, STRING] }), rawPairs),
  reading("JSONExtractKeys", arrayType(STRING), keys),
  reading("JSONHas", BOOLEAN, (json, path) => sql`coalesce(json_exists(${json}, ${path}), false)`, "simpleJSONHas", "visitParamHas"),
  reading(
    "JSONLength",
    UINT64,
    (json, path) =>
      sql`coalesce(CASE json_type(${json}, ${path}) WHEN 'ARRAY' THEN json_array_length(${json}, ${path}) WHEN 'OBJECT' THEN len(json_keys(${json}, ${path})) END, 0)`,
  ),
  reading("JSONType", STRING, (json, path) => sql`(CASE json_type(${json}, ${path}) ${TYPE_NAMES} END)`),
  scalar({ name: "isValidJSON", takes: ["text"], type: BOOLEAN, sql: (json) => sql`json_valid(${json})` }),
  scalar({
    name: "JSONArrayLength",
    aliases: ["JSON_ARRAY_LENGTH"],
    takes: ["text"],
    type: UINT64,
    nulls: "always",
    sql: (json) => sql`(CASE WHEN json_valid(${json}) AND json_type(${json}) = 'ARRAY' THEN json_array_length(${json}) END)`,
  }),
  withPath(
    "JSON_VALUE",
    STRING,
    (json, path) =>
      sql`coalesce(CASE WHEN json_type(${json}, ${path}) NOT IN ('OBJECT', 'ARRAY') THEN json_extract_string(${json}, ${path}) END, '')`,
  ),
  withPath("JSON_QUERY", STRING, (json, path) => sql`coalesce('[' || CAST(json_extract(${json}, ${path}) AS VARCHAR) || ']', '')`),
  withPath("JSON_EXISTS", BOOLEAN, (json, path) => sql`coalesce(json_exists(${json}, ${path}), false)`),
];
