import { isExactNumber } from "../core/exact-json.ts";
import { DAY_MS } from "../core/time.ts";
import type { Native, NativeRow } from "../engine/native.ts";
import type { ResultColumn } from "../hogql/lowered-query.ts";

/** How values of ClickHouse are to be written in its JSON: numbers with all their digits, times in UTC, tuples as lists. */
export const JSON_SETTINGS = {
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_64bit_floats: 0,
  output_format_json_quote_decimals: 0,
  // NaN and infinities are null.
  output_format_json_quote_denormals: 0,
  output_format_json_named_tuples_as_objects: 0,
  output_format_json_map_as_array_of_tuples: 0,
  date_time_output_format: "iso",
  // Bytes that are no text become U+FFFD, as they do where the other engine's are read.
  output_format_json_validate_utf8: 1,
} as const;

/**
 * Reads rows of ClickHouse's JSON as the embedded engine hands over its own, so that one writer makes the cells of either: by ClickHouse's
 * types, and by those of the query's columns where ClickHouse has a type less, as for conditions.
 */
export const rowReader = (types: readonly string[], columns: readonly ResultColumn[]): ((row: readonly unknown[]) => NativeRow) => {
  const readers = types.map((type, at) => valueReader(readType(type), readType(columns[at]?.type ?? "")));
  return (row) => row.map((value, at) => readers[at]?.(value) ?? null);
};

type ValueReader = (value: unknown) => Native;

interface Type {
  readonly name: string;
  readonly args: readonly Type[];
}

const NO_TYPE: Type = { name: "", args: [] };

/** A type without what wraps it: what may be NULL, or is stored in another way. */
const bare = (type: Type): Type => (type.name === "Nullable" || type.name === "LowCardinality" ? bare(type.args[0] ?? NO_TYPE) : type);

const valueReader = (theirs: Type, ours: Type): ValueReader => {
  const read = presentReader(bare(theirs), bare(ours));
  return (value) => (value === null || value === undefined ? null : read(value));
};

const presentReader = (theirs: Type, ours: Type): ValueReader => {
  switch (theirs.name) {
    case "Array": {
      const item = valueReader(theirs.args[0] ?? NO_TYPE, ours.args[0] ?? NO_TYPE);
      return (value) => ({ items: list(value).map(item) });
    }
    case "Tuple": {
      const items = theirs.args.map((type, at) => valueReader(type, ours.args[at] ?? NO_TYPE));
      return (value) => ({ fields: list(value).map((field, at) => [String(at + 1), items[at]?.(field) ?? null] as const) });
    }
    case "Map": {
      const [key = NO_TYPE, item = NO_TYPE] = theirs.args;
      const [keys, items] = [valueReader(key, ours.args[0] ?? NO_TYPE), valueReader(item, ours.args[1] ?? NO_TYPE)];
      return (value) => ({ entries: entries(value).map(([name, one]) => [keys(name), items(one)] as const) });
    }
    case "DateTime":
    case "DateTime64":
      return (value) => ({ micros: readMicros(String(value)) });
    case "Date":
    case "Date32":
      return (value) => ({ days: Date.parse(`${String(value)}T00:00:00Z`) / DAY_MS });
    case "Bool":
      return NUMBER_NAMES.test(ours.name) ? (value) => Number(value === true) : boolean;
    default:
      if (NUMBER_NAMES.test(theirs.name)) return ours.name === "Bool" ? (value) => value !== 0 : numberReader(theirs.name);
      return scalar;
  }
};

const NUMBER_NAMES = /^(U?Int\d+|Float\d+|BFloat16|Decimal|Interval\w+)/;
const WHOLE_NAMES = /^(U?Int\d+|Interval\w+)/;

/** What a double would round is a number with its digits where it is whole, else the nearest double. */
const numberReader = (name: string): ValueReader => {
  const isWhole = WHOLE_NAMES.test(name);
  return (value) => {
    if (typeof value === "number") return value;
    const digits = isExactNumber(value) ? value.rawJSON : String(value);
    return isWhole ? BigInt(digits) : Number(digits);
  };
};

const boolean: ValueReader = (value) => value === true;
const scalar: ValueReader = (value) => (typeof value === "number" || typeof value === "boolean" ? value : String(value));

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const entries = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

const STAMP = /^(.*?)(?:\.(\d+))?Z$/;

/** Microseconds since 1970 of ISO text in UTC; digits behind them are cut off. */
const readMicros = (iso: string): bigint => {
  const [, second = "", fraction = ""] = STAMP.exec(iso) ?? [];
  return BigInt(Date.parse(`${second}Z`)) * 1_000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
};

/** `Map(String, Array(DateTime('UTC')))` as a tree; texts and numbers in brackets are types without arguments. */
const readType = (type: string): Type => {
  const open = type.indexOf("(");
  if (open < 0 || type.startsWith("'")) return { name: type, args: [] };
  const name = type.slice(0, open);
  const args = listed(type.slice(open + 1, -1));
  return { name, args: args.map((arg) => readType(name === "Tuple" ? arg.replace(FIELD_NAME, "") : arg)) };
};

/** The name of a field before its type. */
const FIELD_NAME = /^(\w+|`[^`]*`) (?=\w)/;

const listed = (types: string): readonly string[] => {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < types.length; at++) {
    if (types[at] === "(") depth += 1;
    if (types[at] === ")") depth -= 1;
    if (types[at] !== "," || depth > 0) continue;
    parts.push(types.slice(from, at));
    from = at + 1;
  }
  return [...parts, types.slice(from)].map((part) => part.trim()).filter((part) => part !== "");
};
