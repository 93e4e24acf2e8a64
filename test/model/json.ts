/** A number as a client wrote it, where a double is another number: its digits are its value. */
export class Exact {
  readonly digits: string;
  constructor(digits: string) {
    this.digits = digits;
  }
}

/** A JSON object. */
export type Json = { readonly [name: string]: unknown };

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Exact);

export const objectOr = (value: unknown): Json => (isObject(value) ? value : {});

/** JSON with sorted keys: equal values have equal text. */
export const sorted = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(sorted).join(",")}]`;
  if (value instanceof Exact) return value.digits;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value).toSorted();
  return `{${members.map((name) => `${JSON.stringify(name)}:${sorted(value[name])}`).join(",")}}`;
};

/** JSON with the keys as they stand, which is how properties are stored. */
export const written = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  if (value instanceof Exact) return value.digits;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`).join(",")}}`;
};

/** Reads JSON. A number that a double cannot hold becomes `Exact`. */
export const readJson = (text: string): unknown => {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  const marked = text.replace(STRING_OR_NUMBER, (token) => (isExact(token) ? `{${JSON.stringify(MARK)}:"${token}"}` : token));
  return unmarked(JSON.parse(marked));
};

/** Only so many digits can be more than a double holds. */
const MANY_DIGITS = /\d(?:\.?\d){15}/;
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
/** The one member of what stands for such a number; no client sends it. */
const MARK = "\u0000exact";

const isExact = (token: string): boolean =>
  token[0] !== '"' && MANY_DIGITS.test(token) && decimalOf(token) !== decimalOf(String(Number(token)));

/** The value of a number, however it is written: its digits without zeros at either end, and the power of ten of the last. */
const decimalOf = (token: string): string => {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(token) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
};

const unmarked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isObject(value)) return value;
  const digits = value[MARK];
  if (typeof digits === "string") return new Exact(digits);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unmarked(member)]));
};
