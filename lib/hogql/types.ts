/** The type of a value. Whether it may be NULL stands beside it, in `Expression.nullable`. */
export type Type =
  | { readonly kind: "string" }
  /** Physically BIGINT, or UBIGINT when `wide`. */
  | { readonly kind: "integer"; readonly name: string; readonly wide?: true }
  | { readonly kind: "float" }
  | { readonly kind: "decimal"; readonly scale: number }
  | { readonly kind: "boolean" }
  /** Physically DATE. */
  | { readonly kind: "date" }
  /** Physically TIMESTAMP WITH TIME ZONE; `digits` of the second are shown, in `zone` where it is not the project's. */
  | { readonly kind: "datetime"; readonly digits: 0 | 3 | 6; readonly zone?: string }
  | { readonly kind: "uuid" }
  /** Physically BIGINT: a number of units. */
  | { readonly kind: "interval"; readonly unit: Unit }
  | { readonly kind: "null" }
  /** The properties of an event, person or group: JSON text. */
  | { readonly kind: "json" }
  | { readonly kind: "array"; readonly of: Type; readonly nullable: boolean }
  /** Physically STRUCT with the fields "1", "2", …, so that DuckDB keeps them; `nullable` tells which of them are known to be NULL at times. */
  | { readonly kind: "tuple"; readonly of: readonly Type[]; readonly nullable?: readonly boolean[] }
  | { readonly kind: "map"; readonly key: Type; readonly value: Type }
  /** `untyped`: a property that reads as text until it gets a type. */
  | { readonly kind: "unknown"; readonly untyped?: true };

export const UNITS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"] as const;
export type Unit = (typeof UNITS)[number];

export const STRING: Type = { kind: "string" };
export const FLOAT: Type = { kind: "float" };
export const BOOLEAN: Type = { kind: "boolean" };
export const DATE: Type = { kind: "date" };
export const DATETIME: Type = { kind: "datetime", digits: 0 };
export const DATETIME64: Type = { kind: "datetime", digits: 6 };
export const UUID: Type = { kind: "uuid" };
export const NULL: Type = { kind: "null" };
export const JSON_TEXT: Type = { kind: "json" };
export const UNKNOWN: Type = { kind: "unknown" };
export const UNTYPED: Type = { kind: "unknown", untyped: true };
export const INT64: Type = { kind: "integer", name: "Int64" };
export const UINT64: Type = { kind: "integer", name: "UInt64" };
export const UINT8: Type = { kind: "integer", name: "UInt8" };
export const UINT16: Type = { kind: "integer", name: "UInt16" };
export const UINT32: Type = { kind: "integer", name: "UInt32" };
export const arrayType = (of: Type, nullable = false): Type => ({ kind: "array", of, nullable });
export const tupleType = (items: readonly { readonly type: Type; readonly nullable: boolean }[]): Type => ({
  kind: "tuple",
  of: items.map(({ type }) => type),
  nullable: items.map(({ nullable }) => nullable),
});

export const isNumeric = (type: Type): boolean =>
  type.kind === "integer" || type.kind === "float" || type.kind === "decimal" || type.kind === "boolean";
export const isTime = (type: Type): boolean => type.kind === "date" || type.kind === "datetime";
/** Text, or JSON text of which we know no more. */
export const isText = (type: Type): boolean => type.kind === "string" || type.kind === "json";

/** A hint for where an array is needed and a text is given, as a property that holds a list is. */
export const arrayHint = (type: Type): string => (isText(type) ? "; use JSONExtract(…, 'Array(String)')" : "");
/** Nothing is known that would let a mistake be named. */
export const isOpen = (type: Type): boolean => type.kind === "unknown" || type.kind === "null";

/** The name that clients of the language know. */
export const typeName = (type: Type, nullable = false): string => {
  const name = bareName(type);
  const wraps = nullable && type.kind !== "array" && type.kind !== "tuple" && type.kind !== "map" && type.kind !== "null";
  return wraps ? `Nullable(${name})` : name;
};

const bareName = (type: Type): string => {
  switch (type.kind) {
    case "integer":
      return type.name;
    case "datetime":
      return timestampName(type.digits, type.zone);
    case "decimal":
      return `Decimal(38, ${type.scale})`;
    case "interval":
      return `Interval${type.unit[0]?.toUpperCase()}${type.unit.slice(1)}`;
    case "array":
      return `Array(${typeName(type.of, type.nullable)})`;
    case "tuple":
      return `Tuple(${type.of.map((of) => typeName(of)).join(", ")})`;
    case "map":
      return `Map(${typeName(type.key)}, ${typeName(type.value)})`;
    case "null":
      return "Nullable(Nothing)";
    default:
      return SIMPLE_NAMES[type.kind];
  }
};

const timestampName = (digits: number, zone: string | undefined): string => {
  const arguments_ = [...(digits === 0 ? [] : [String(digits)]), ...(zone === undefined ? [] : [`'${zone}'`])];
  return `DateTime${digits === 0 ? "" : "64"}${arguments_.length === 0 ? "" : `(${arguments_.join(", ")})`}`;
};

const SIMPLE_NAMES = {
  string: "String",
  json: "String",
  float: "Float64",
  boolean: "Bool",
  date: "Date",
  uuid: "UUID",
  unknown: "String",
} as const;

/** The type of something that may be either; `unknown` when ClickHouse would find none either. */
export const commonType = (a: Type, b: Type): Type | null => {
  if (a.kind === "null") return b;
  if (b.kind === "null") return a;
  if (a.kind === "unknown" || b.kind === "unknown") return UNKNOWN;
  if (isText(a) && isText(b)) return STRING;
  if (a.kind === "array" && b.kind === "array") {
    if (a.of.kind === "unknown" || b.of.kind === "unknown")
      return arrayType(a.of.kind === "unknown" ? b.of : a.of, a.nullable || b.nullable);
    const of = commonType(a.of, b.of);
    return of === null ? null : arrayType(of, a.nullable || b.nullable);
  }
  if (a.kind === "tuple" && b.kind === "tuple" && a.of.length === b.of.length) return commonTuple(a, b);
  if (isNumeric(a) && isNumeric(b)) return commonNumber(a, b);
  if (a.kind === "datetime" && b.kind === "datetime") return a.digits >= b.digits ? a : b;
  if (isTime(a) && isTime(b)) return a.kind === "datetime" ? a : b;
  return a.kind === b.kind ? a : null;
};

const commonTuple = (a: TupleType, b: TupleType): Type | null => {
  const items: { readonly type: Type; readonly nullable: boolean }[] = [];
  for (const [index, left] of a.of.entries()) {
    const type = commonType(left, b.of[index] ?? NULL);
    if (type === null) return null;
    items.push({ type, nullable: [a, b].some(({ nullable }) => nullable?.[index] === true) });
  }
  return tupleType(items);
};

type TupleType = Extract<Type, { kind: "tuple" }>;

const commonNumber = (a: Type, b: Type): Type => {
  if (a.kind === "float" || b.kind === "float") return FLOAT;
  if (a.kind === "decimal") return b.kind === "decimal" && b.scale > a.scale ? b : a;
  if (b.kind === "decimal") return b;
  if (a.kind === "boolean") return b;
  if (b.kind === "boolean") return a;
  if (a.kind === "integer" && b.kind === "integer" && a.name === b.name) return a;
  const signed = [a, b].some((type) => type.kind === "integer" && type.name.startsWith("Int"));
  return signed ? INT64 : UINT64;
};

export type WireType = "integer" | "float" | "string" | "datetime" | "date" | "boolean" | "array" | "json" | "unknown";

/** The type of a result column as the `columns` of a saved query name it. */
export const wireType = (type: Type): WireType => {
  switch (type.kind) {
    case "integer":
    case "interval":
      return "integer";
    case "float":
    case "decimal":
      return "float";
    case "string":
    case "uuid":
      return "string";
    case "date":
    case "datetime":
    case "boolean":
    case "array":
    case "json":
      return type.kind;
    case "map":
      return "json";
    case "tuple":
      return "array";
    case "unknown":
      return type.untyped ? "string" : "unknown";
    default:
      return "unknown";
  }
};
