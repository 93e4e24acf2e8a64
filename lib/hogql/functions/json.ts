import { QueryError } from "../errors.ts";
import { type Expression, made } from "../expression.ts";
import { jsonPath } from "../json-path.ts";
import type { Run } from "../run.ts";
import { arrayOf, BOOLEAN, FLOAT, INT64, STRING, type Type, UINT64 } from "../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "./spec.ts";

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
    return made(
      sql(value.known === undefined && value.type.kind === "json" ? value.sql : `(${checked})`, pathOf(run, steps, name)),
      type,
      [value],
      false,
    );
  },
});

const NUMBERS = "('BIGINT', 'UBIGINT', 'DOUBLE')";

const number = (json: string, path: string, type: string): string =>
  `coalesce(CASE WHEN json_type(${json}, ${path}) IN ${NUMBERS} THEN TRY_CAST(json_extract_string(${json}, ${path}) AS ${type}) WHEN json_type(${json}, ${path}) = 'VARCHAR' THEN TRY_CAST(json_extract_string(${json}, ${path}) AS ${type}) WHEN json_type(${json}, ${path}) = 'BOOLEAN' THEN CASE json_extract_string(${json}, ${path}) WHEN 'true' THEN 1 ELSE 0 END END, 0)`;

const text = (json: string, path: string): string =>
  `coalesce(CASE WHEN json_type(${json}, ${path}) = 'VARCHAR' THEN json_extract_string(${json}, ${path}) END, '')`;

const raw = (json: string, path: string): string => `coalesce(CAST(json_extract(${json}, ${path}) AS VARCHAR), '')`;

const bool = (json: string, path: string): string =>
  `coalesce(json_extract_string(${json}, ${path}) = 'true' AND json_type(${json}, ${path}) = 'BOOLEAN', false)`;

const items = (json: string, path: string): string =>
  `coalesce(list_transform(CAST(CASE WHEN json_type(${json}, ${path}) = 'ARRAY' THEN json_extract(${json}, ${path}) END AS JSON[]), lambda v: CAST(v AS VARCHAR)), [])`;

const keys = (json: string, path: string): string => `coalesce(json_keys(${json}, ${path}), [])`;

const TYPE_NAMES =
  "WHEN 'OBJECT' THEN 'Object' WHEN 'ARRAY' THEN 'Array' WHEN 'VARCHAR' THEN 'String' WHEN 'BIGINT' THEN 'Int64' WHEN 'UBIGINT' THEN 'UInt64' WHEN 'DOUBLE' THEN 'Double' WHEN 'BOOLEAN' THEN 'Bool' ELSE 'Null'";

/** `JSONExtract(j, path…, 'type')`. */
const extract: Scalar = {
  kind: "scalar",
  name: "JSONExtract",
  takes: ["text", "any"],
  rest: true,
  lower: (args, run) => {
    const wanted = String(args.at(-1)?.known ?? "").replace(/^Nullable\((.*)\)$/, "$1");
    const reader = EXTRACTED.get(wanted);
    if (reader === undefined)
      throw new QueryError("unsupported", "`JSONExtract` needs a type such as 'String', 'Int64', 'Float64', 'Bool' or 'Array(String)'.");
    return reader.lower(args.slice(0, -1), run);
  },
};

const STRINGS_IN = (json: string, path: string): string =>
  `coalesce(list_transform(CAST(CASE WHEN json_type(${json}, ${path}) = 'ARRAY' THEN json_extract(${json}, ${path}) END AS JSON[]), lambda v: coalesce(json_extract_string(v, '$'), '')), [])`;

const NUMBERS_IN =
  (type: string) =>
  (json: string, path: string): string =>
    `coalesce(list_transform(CAST(CASE WHEN json_type(${json}, ${path}) = 'ARRAY' THEN json_extract(${json}, ${path}) END AS JSON[]), lambda v: coalesce(TRY_CAST(json_extract_string(v, '$') AS ${type}), 0)), [])`;

const STRING_READER = reading("JSONExtractString", STRING, text);
const INT_READER = reading("JSONExtractInt", INT64, (json, path) => number(json, path, "BIGINT"));
const FLOAT_READER = reading("JSONExtractFloat", FLOAT, (json, path) => number(json, path, "DOUBLE"));
const BOOL_READER = reading("JSONExtractBool", BOOLEAN, bool);

const EXTRACTED: ReadonlyMap<string, Scalar> = new Map([
  ["String", STRING_READER],
  ...["Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"].map((name) => [name, INT_READER] as const),
  ["Float32", FLOAT_READER],
  ["Float64", FLOAT_READER],
  ["Bool", BOOL_READER],
  ["Array(String)", reading("JSONExtract", arrayOf(STRING), STRINGS_IN)],
  ["Array(Int64)", reading("JSONExtract", arrayOf(INT64), NUMBERS_IN("BIGINT"))],
  ["Array(UInt64)", reading("JSONExtract", arrayOf(UINT64), NUMBERS_IN("BIGINT"))],
  ["Array(Float64)", reading("JSONExtract", arrayOf(FLOAT), NUMBERS_IN("DOUBLE"))],
]);

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

export const JSON_FUNCTIONS: readonly FunctionSpec[] = [
  STRING_READER,
  INT_READER,
  reading("JSONExtractUInt", UINT64, (json, path) => `greatest(${number(json, path, "BIGINT")}, 0)`),
  FLOAT_READER,
  BOOL_READER,
  reading("JSONExtractRaw", STRING, raw),
  extract,
  reading("JSONExtractArrayRaw", arrayOf(STRING), items),
  keysAndValues,
  reading("JSONExtractKeys", arrayOf(STRING), keys),
  reading("JSONHas", BOOLEAN, (json, path) => `coalesce(json_exists(${json}, ${path}), false)`),
  reading(
    "JSONLength",
    UINT64,
    (json, path) =>
      `coalesce(CASE json_type(${json}, ${path}) WHEN 'ARRAY' THEN json_array_length(${json}, ${path}) WHEN 'OBJECT' THEN len(json_keys(${json}, ${path})) END, 0)`,
  ),
  reading("JSONType", STRING, (json, path) => `(CASE json_type(${json}, ${path}) ${TYPE_NAMES} END)`),
  scalar({ name: "isValidJSON", takes: ["text"], type: BOOLEAN, sql: ([json]) => `json_valid(${json})` }),
  scalar({
    name: "JSON_VALUE",
    takes: ["text", "constant text"],
    type: STRING,
    nulls: "never",
    sql: ([json, path]) => `coalesce(json_extract_string(${json}, ${path}), '')`,
  }),
];
