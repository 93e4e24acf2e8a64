/** A type to convert to, as a query names it. */
export type CastType =
  | { readonly kind: "integer"; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }
  | { readonly kind: "text" | "float" | "boolean" | "date" | "uuid" }
  | { readonly kind: "decimal"; readonly scale: number }
  | { readonly kind: "datetime"; readonly digits: 0 | 3 | 6; readonly zone?: string }
  | { readonly kind: "array"; readonly of: CastType }
  | { readonly kind: "map"; readonly key: CastType; readonly value: CastType }
  | { readonly kind: "tuple"; readonly of: readonly { readonly name: string | null; readonly type: CastType }[] }
  | { readonly kind: "nullable"; readonly of: CastType };

/** Digits of the second that are kept here, of those that a type names. */
export const subsecondDigits = (digits: number): 0 | 3 | 6 => (digits === 0 ? 0 : digits <= 3 ? 3 : 6);

const integer = (bits: 8 | 16 | 32 | 64, signed: boolean): CastType => ({ kind: "integer", bits, signed });

const PLAIN: ReadonlyMap<string, CastType> = new Map<string, CastType>([
  ["int8", integer(8, true)],
  ["tinyint", integer(8, true)],
  ["int16", integer(16, true)],
  ["smallint", integer(16, true)],
  ["int32", integer(32, true)],
  ["int", integer(64, true)],
  ["integer", integer(64, true)],
  ["int64", integer(64, true)],
  ["bigint", integer(64, true)],
  ["uint8", integer(8, false)],
  ["uint16", integer(16, false)],
  ["uint32", integer(32, false)],
  ["uint64", integer(64, false)],
  ...["float", "double", "float32", "float64", "real"].map((name): [string, CastType] => [name, { kind: "float" }]),
  ...["string", "text", "varchar", "char"].map((name): [string, CastType] => [name, { kind: "text" }]),
  ["bool", { kind: "boolean" }],
  ["boolean", { kind: "boolean" }],
  ["date", { kind: "date" }],
  ["date32", { kind: "date" }],
  ["datetime", { kind: "datetime", digits: 0 }],
  ["datetime64", { kind: "datetime", digits: 3 }],
  ["timestamp", { kind: "datetime", digits: 6 }],
  ["uuid", { kind: "uuid" }],
  ["decimal", { kind: "decimal", scale: 0 }],
  ["numeric", { kind: "decimal", scale: 0 }],
]);

/** Names that a cast takes, for suggestions. */
export const TYPE_NAMES: readonly string[] = [...PLAIN.keys(), "nullable", "array", "tuple", "map"];

/** The type of that name, whatever the case of its letters: `Nullable(DateTime64(3, 'UTC'))`; undefined when there is none. */
export const findType = (name: string): CastType | undefined => {
  if (name.length > MAX_NAME) return undefined;
  const match = /^\s*([a-z]\w*)\s*(?:\((.*)\))?\s*$/is.exec(name);
  if (match === null) return undefined;
  const [, word = "", inner] = match;
  const plain = PLAIN.get(word.toLowerCase());
  return inner === undefined ? plain : parametric(word.toLowerCase(), splitParameters(inner), plain);
};

/** Longest name of a type, in characters: what is nested in it and surrounds it included. */
const MAX_NAME = 1_000;
const MAX_SCALE = 38;

const parametric = (word: string, parts: readonly string[], plain: CastType | undefined): CastType | undefined => {
  const [first = "", second] = parts;
  switch (word) {
    case "nullable":
    case "lowcardinality": {
      const of = parts.length === 1 ? findType(first) : undefined;
      return of === undefined || word === "lowcardinality" ? of : { kind: "nullable", of };
    }
    case "array": {
      const of = parts.length === 1 ? findType(first) : undefined;
      return of && { kind: "array", of };
    }
    case "map": {
      const [key, value] = [findType(first), findType(second ?? "")];
      return key && value && parts.length === 2 ? { kind: "map", key, value } : undefined;
    }
    case "tuple":
      return tuple(parts);
    case "datetime":
      return { kind: "datetime", digits: 0, ...quotedZone(first) };
    case "datetime64":
      return { kind: "datetime", digits: subsecondDigits(Number(first)), ...quotedZone(second) };
    case "decimal":
    case "numeric":
      return decimal(Number(second ?? 0));
    case "decimal32":
    case "decimal64":
    case "decimal128":
      return decimal(Number(first));
    case "fixedstring":
    case "varchar":
    case "char":
      return { kind: "text" };
    default:
      return parts.length === 0 ? plain : undefined;
  }
};

const decimal = (scale: number): CastType | undefined =>
  Number.isInteger(scale) && scale >= 0 && scale <= MAX_SCALE ? { kind: "decimal", scale } : undefined;

const quotedZone = (part: string | undefined): { readonly zone?: string } => {
  const zone = /^'([^']+)'$/.exec(part ?? "")?.[1];
  return zone === undefined ? {} : { zone };
};

/** `Tuple(Int64, String)`, or with names: `Tuple(a Int64, b String)`. */
const tuple = (parts: readonly string[]): CastType | undefined => {
  const of = parts.map((part) => {
    const named = /^([a-z_]\w*)\s+(.+)$/is.exec(part);
    const type = findType(part) ?? findType(named?.[2] ?? "");
    return type && { name: findType(part) === undefined ? (named?.[1] ?? null) : null, type };
  });
  const known = of.filter((part) => part !== undefined);
  return known.length === of.length ? { kind: "tuple", of: known } : undefined;
};

/** The parts between commas that stand in no further brackets. */
const splitParameters = (inner: string): readonly string[] => {
  const parts: string[] = [];
  let depth = 0;
  let part = "";
  for (const sign of inner) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (sign === "," && depth === 0) {
      parts.push(part.trim());
      part = "";
    } else part += sign;
  }
  return part.trim() === "" && parts.length === 0 ? [] : [...parts, part.trim()];
};
