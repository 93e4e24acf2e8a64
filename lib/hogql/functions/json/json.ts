import { type Expression, made } from "../../analysis/expression.ts";
import type { Run } from "../../analysis/run.ts";
import { arrayOf, BOOLEAN, FLOAT, INT64, STRING, type Type, UINT64 } from "../../analysis/types.ts";
import { QueryError } from "../../errors.ts";
import { jsonPath } from "../../sql/json-path.ts";
import { typeOf } from "../casts/convert.ts";
import { typeNamed, type Wanted } from "../casts/type-names.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";
import { mayBeNull, readOrDefault } from "./json-values.ts";

/** The path as DuckDB reads it: constant keys and places; places count from 1, from the end when negative. */
const pathOf = (run: Run, steps: readonly Expression[], name: string): string => {
  const parts = steps.map((step) => {
    if (typeof step.known === "string") return step.known;
    if (typeof step.known === "bigint") return Number(step.known);
    throw new QueryError("illegal_type_of_argument", `\`${name}\` needs constant keys and places as its path.`);
  });
  return `${run.bind(jsonPath(parts))}::VARCHAR`;
};

/** A function of a JSON text and a path into it. `sql` gets the text, and the path as DuckDB text. */
const reading = (name: string, type: Type, sql: (json: string, path: string) => string, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["text", "any"],
  optional: 1,
  rest: true,
  lower: ([json, ...steps], run) => {
    const value = json ?? run.known(null, STRING);
    const checked = `CASE WHEN json_valid(${value.sql}) THEN ${value.sql} END`;
    const found = sql(value.known === undefined && value.type.kind === "json" ? value.sql : `(${checked})`, pathOf(run, steps, name));
    // Of NULL the answer is NULL, but there are no NULL arrays, tuples and maps.
    const isNull = value.nullable && !["array", "tuple", "map"].includes(type.kind);
    return made(isNull ? `(CASE WHEN ${value.sql} IS NOT NULL THEN ${found} END)` : found, type, [value], isNull);
  },
});

/** A value at a path, in a type: its default where there is no such value. */
const typedValue = (name: string, wanted: Wanted, ...aliases: readonly string[]): Scalar => ({
  kind: "scalar",
  name,
  aliases,
  takes: ["text", "any"],
  optional: 1,
  rest: true,
  lower: (args, run) => {
    const sql = (json: string, path: string): string => readOrDefault(run, `json_extract(${json}, ${path})`, wanted);
    const read = reading(name, typeOf(wanted), sql).lower(args, run);
    return { ...read, nullable: read.nullable || mayBeNull(wanted) };
  },
});

const NUMBERS = "('BIGINT', 'UBIGINT', 'DOUBLE')";

const raw = (json: string, path: string): string => `coalesce(CAST(json_extract(${json}, ${path}) AS VARCHAR), '')`;

const items = (json: string, path: string): string =>
  `coalesce(list_transform(CAST(CASE WHEN json_type(${json}, ${path}) = 'ARRAY' THEN json_extract(${json}, ${path}) END AS JSON[]), lambda v: coalesce(CAST(v AS VARCHAR), 'null')), [])`;

const keys = (json: string, path: string): string => `coalesce(json_keys(${json}, ${path}), [])`;

const TYPE_NAMES =
  "WHEN 'OBJECT' THEN 'Object' WHEN 'ARRAY' THEN 'Array' WHEN 'VARCHAR' THEN 'String' WHEN 'BIGINT' THEN 'Int64' WHEN 'UBIGINT' THEN 'Int64' WHEN 'DOUBLE' THEN 'Double' WHEN 'BOOLEAN' THEN 'Bool' ELSE 'Null'";

/** `JSONExtract(j, path…, 'type')`. */
const extract: Scalar = {
  kind: "scalar",
  name: "JSONExtract",
  takes: ["text", "any"],
  rest: true,
  lower: (args, run) => {
    const wanted = typeNamed(String(args.at(-1)?.known ?? ""));
    if (wanted === undefined)
      throw new QueryError("unsupported", "`JSONExtract` needs a type such as 'String', 'Int64', 'Array(String)' or 'Nullable(Float64)'.");
    return typedValue("JSONExtract", wanted).lower(args.slice(0, -1), run);
  },
};

const INTEGER: Wanted = { kind: "integer", bits: 64, signed: true };
const UNSIGNED: Wanted = { kind: "integer", bits: 64, signed: false };

/** How `JSONExtractKeysAndValues` reads a value of each type: NULL where the value is of another type, and its key is left out. */
const pairReaders = (): ReadonlyMap<string, { readonly type: Type; readonly sql: string }> => {
  const textual = "json_type(e.value) = 'VARCHAR'";
  const written = "json_extract_string(e.value, '$')";
  const cast = (type: string): string =>
    `CASE WHEN json_type(e.value) IN ('BIGINT', 'UBIGINT') OR (${textual} AND regexp_full_match(${written}, '[+-]?[0-9]+')) THEN TRY_CAST(${written} AS ${type}) END`;
  const integers = [8, 16, 32, 64].flatMap((bits) => {
    const name = { 8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT" }[bits] ?? "BIGINT";
    const signed = { type: INT64, sql: `CAST(${cast(name)} AS BIGINT)` };
    const unsigned = { type: UINT64, sql: `TRY_CAST(${cast(`U${name}`)} AS BIGINT)` };
    return [[`Int${bits}`, signed] as const, [`UInt${bits}`, unsigned] as const];
  });
  return new Map([
    [
      "String",
      { type: STRING, sql: `CASE WHEN ${textual} THEN ${written} WHEN json_type(e.value) <> 'NULL' THEN CAST(e.value AS VARCHAR) END` },
    ],
    ["Float64", { type: FLOAT, sql: `CASE WHEN json_type(e.value) IN ${NUMBERS} OR ${textual} THEN TRY_CAST(${written} AS DOUBLE) END` }],
    ["Bool", { type: BOOLEAN, sql: `CASE WHEN json_type(e.value) = 'BOOLEAN' THEN ${written} = 'true' END` }],
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
  lower: (args, run) => {
    const found = PAIR_READERS.get(String(args.at(-1)?.known ?? ""));
    if (found === undefined)
      throw new QueryError("unsupported", "`JSONExtractKeysAndValues` needs a type such as 'String', 'Int64', 'Float64' or 'Bool'.");
    const entries = (json: string, path: string): string =>
      `map_entries(TRY_CAST(CASE WHEN json_type(${json}, ${path}) = 'OBJECT' THEN json_extract(${json}, ${path}) END AS MAP(VARCHAR, JSON)))`;
    const pairs = (json: string, path: string): string =>
      `coalesce(list_filter(list_transform(${entries(json, path)}, lambda e: {'1': e.key, '2': ${found.sql}}), lambda e: struct_extract(e, '2') IS NOT NULL), [])`;
    return reading("JSONExtractKeysAndValues", arrayOf({ kind: "tuple", of: [STRING, found.type] }), pairs).lower(args.slice(0, -1), run);
  },
};

/** The pairs of an object, their values as they are written. */
const rawPairs = (json: string, path: string): string =>
  `coalesce(list_transform(map_entries(TRY_CAST(CASE WHEN json_type(${json}, ${path}) = 'OBJECT' THEN json_extract(${json}, ${path}) END AS MAP(VARCHAR, JSON))), lambda e: {'1': e.key, '2': CAST(e.value AS VARCHAR)}), [])`;

/** A function of a JSON text and a path in the notation of JSONPath. */
const withPath = (name: string, type: Type, sql: (json: string, path: string) => string): Scalar =>
  scalar({
    name,
    takes: ["text", "constant text"],
    type,
    nulls: "never",
    sql: ([json = "", path = ""]) => sql(`(CASE WHEN json_valid(${json}) THEN ${json} END)`, path),
  });

export const JSON_FUNCTIONS: readonly FunctionSpec[] = [
  reading(
    "JSONExtractString",
    STRING,
    (json, path) => `coalesce(json_extract_string(${json}, ${path}), '')`,
    "simpleJSONExtractString",
    "visitParamExtractString",
  ),
  typedValue("JSONExtractInt", INTEGER, "simpleJSONExtractInt", "visitParamExtractInt"),
  typedValue("JSONExtractUInt", UNSIGNED, "simpleJSONExtractUInt", "visitParamExtractUInt"),
  typedValue("JSONExtractFloat", { kind: "float" }, "simpleJSONExtractFloat", "visitParamExtractFloat"),
  typedValue("JSONExtractBool", { kind: "boolean" }, "simpleJSONExtractBool", "visitParamExtractBool"),
  reading("JSONExtractRaw", STRING, raw, "simpleJSONExtractRaw", "visitParamExtractRaw"),
  extract,
  reading("JSONExtractArrayRaw", arrayOf(STRING), items),
  keysAndValues,
  reading("JSONExtractKeysAndValuesRaw", arrayOf({ kind: "tuple", of: [STRING, STRING] }), rawPairs),
  reading("JSONExtractKeys", arrayOf(STRING), keys),
  reading("JSONHas", BOOLEAN, (json, path) => `coalesce(json_exists(${json}, ${path}), false)`, "simpleJSONHas", "visitParamHas"),
  reading(
    "JSONLength",
    UINT64,
    (json, path) =>
      `coalesce(CASE json_type(${json}, ${path}) WHEN 'ARRAY' THEN json_array_length(${json}, ${path}) WHEN 'OBJECT' THEN len(json_keys(${json}, ${path})) END, 0)`,
  ),
  reading("JSONType", STRING, (json, path) => `(CASE json_type(${json}, ${path}) ${TYPE_NAMES} END)`),
  scalar({ name: "isValidJSON", takes: ["text"], type: BOOLEAN, sql: ([json]) => `json_valid(${json})` }),
  scalar({
    name: "JSONArrayLength",
    aliases: ["JSON_ARRAY_LENGTH"],
    takes: ["text"],
    type: UINT64,
    nulls: "always",
    sql: ([json]) => `(CASE WHEN json_valid(${json}) AND json_type(${json}) = 'ARRAY' THEN json_array_length(${json}) END)`,
  }),
  withPath(
    "JSON_VALUE",
    STRING,
    (json, path) =>
      `coalesce(CASE WHEN json_type(${json}, ${path}) NOT IN ('OBJECT', 'ARRAY') THEN json_extract_string(${json}, ${path}) END, '')`,
  ),
  withPath("JSON_QUERY", STRING, (json, path) => `coalesce('[' || CAST(json_extract(${json}, ${path}) AS VARCHAR) || ']', '')`),
  withPath("JSON_EXISTS", BOOLEAN, (json, path) => `coalesce(json_exists(${json}, ${path}), false)`),
];
