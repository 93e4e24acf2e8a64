declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes as this text. */
    rawJSON(text: string): ExactNumber;
    isRawJSON(value: unknown): value is ExactNumber;
  }
}

/** A number of a JSON text that a double would round: its digits as they were sent. `JSON.stringify` writes them again. */
export interface ExactNumber {
  readonly rawJSON: string;
}

export const isExactNumber = (value: unknown): value is ExactNumber => JSON.isRawJSON(value);

/**
 * Reads JSON text as `JSON.parse` does, but for numbers that a double would round: those become an `ExactNumber`. Throws a
 * `SyntaxError` for what is no JSON. Takes time in proportion to the text, and no more than `JSON.parse` where no number is long.
 */
export const exactJson = (text: string): unknown => {
  const rounded: unknown = JSON.parse(text);
  return mayHoldRounded(text) ? withDigits(rounded, JSON.parse(inQuotes(text, isRounded))) : rounded;
};

/**
 * JSON text with the whole numbers that a double would round as texts of their digits, so that a reader that takes texts loses nothing and
 * one that takes numbers alone can refuse them. What is no JSON may become JSON: parse it before.
 */
export const longNumbersAsText = (json: string): string =>
  mayHoldRounded(json) ? inQuotes(json, (number) => WHOLE.test(number) && isRounded(number)) : json;

/**
 * Whether JSON text has a whole number, however deep, that neither a signed nor an unsigned integer of 64 bits holds. Takes next to nothing
 * where no digits run together that could be one.
 */
export const holdsBigInteger = (json: string): boolean =>
  mayHold(json, FEWEST_BIG_DIGITS, isBigInteger) && inQuotes(json, isBigInteger) !== json;

/** A whole number as JSON says it: as a number where one holds it. */
export const wholeNumber = (value: bigint): number | ExactNumber => {
  const number = Number(value);
  return Number.isSafeInteger(number) || String(number) === String(value) ? number : JSON.rawJSON(String(value));
};

/** The double of a JSON number, as near as one is; undefined for what is none. */
export const toDouble = (value: unknown): number | undefined => {
  if (typeof value === "number") return value;
  return isExactNumber(value) ? Number(value.rawJSON) : undefined;
};

/** The first of two readings of one text with the numbers that only the second has as texts. The language's own reviver takes ten times as long. */
const withDigits = (rounded: unknown, quoted: unknown): unknown => {
  if (typeof rounded === "number") return typeof quoted === "string" ? JSON.rawJSON(quoted) : rounded;
  if (isContainer(rounded) && isContainer(quoted)) {
    for (const key of Object.keys(rounded)) rounded[key] = withDigits(rounded[key], quoted[key]);
  }
  return rounded;
};

/** An object or a list, by its names or places. */
const isContainer = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** JSON with quotes around some of its long numbers. */
const inQuotes = (json: string, isQuoted: (number: string) => boolean): string => {
  const quoted = (number: string): string => (isQuoted(number) ? QUOTE + number + QUOTE : number);
  const parts: string[] = [];
  let copied = 0;
  for (let from = 0; from < json.length; ) {
    const quote = json.indexOf(QUOTE, from);
    const to = quote === -1 ? json.length : quote;
    if (to - from >= FEWEST_DIGITS) {
      parts.push(json.slice(copied, from), json.slice(from, to).replace(LONG_NUMBER, quoted));
      copied = to;
    }
    from = endOfText(json, to) + 1;
  }
  parts.push(json.slice(copied));
  return parts.join("");
};

/** Outside of texts. */
const LONG_NUMBER = /(?<![\d.eE+-])-?\d[\d.]{15,}(?:[eE][+-]?\d+)?/g;

const QUOTE = '"';
const BACKSLASH = 0x5c;

/** The place of the quote that ends the text which one begins, or the end of the JSON. */
const endOfText = (json: string, open: number): number => {
  for (let close = json.indexOf(QUOTE, open + 1); close !== -1; close = json.indexOf(QUOTE, close + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(close - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return close;
  }
  return json.length;
};

/** Every decimal of up to 15 digits comes back from a double as it was. */
const FEWEST_DIGITS = 16;

const [POINT, ZERO, NINE, MINUS] = [0x2e, 0x30, 0x39, 0x2d];

/** Whether there is a number that a double would round, or what looks like one in a text. */
export const mayHoldRounded = (json: string): boolean => mayHold(json, FEWEST_DIGITS, isRounded);

/**
 * Whether there is such a number, or what looks like one in a text, which has `fewest` digits in a row, with a point among them or not. Of
 * these one stands at every place that is a multiple of `fewest`, so only those are looked at.
 */
const mayHold = (json: string, fewest: number, isSuch: (number: string) => boolean): boolean => {
  for (let at = fewest - 1; at < json.length; at += fewest) {
    if (!isDigitOrPoint(json.charCodeAt(at))) continue;
    let start = at;
    while (isDigitOrPoint(json.charCodeAt(start - 1))) start -= 1;
    let end = at + 1;
    while (isDigitOrPoint(json.charCodeAt(end))) end += 1;
    if (end - start >= fewest) {
      if (json.charCodeAt(start - 1) === MINUS) start -= 1;
      if (isValueAt(json, start) && isSuch(numberAt(json, start))) return true;
    }
    at = end;
  }
  return false;
};

const isDigitOrPoint = (code: number): boolean => (code >= ZERO && code <= NINE) || code === POINT;

/** Whether what begins at a place stands where a value does, if it is not within a string. */
const isValueAt = (json: string, start: number): boolean => start === 0 || BEFORE_VALUES.includes(json.charAt(start - 1));

const BEFORE_VALUES = ":,[ \n\r\t";

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

const numberAt = (json: string, start: number): string => {
  NUMBER.lastIndex = start;
  return NUMBER.exec(json)?.[0] ?? "";
};

const WHOLE = /^-?\d+$/;

/** The least integer of 64 bits, and the greatest without a sign. */
const [LEAST, GREATEST] = [-(2n ** 63n), 2n ** 64n - 1n];
const FEWEST_BIG_DIGITS = 19;

const isBigInteger = (number: string): boolean =>
  number.length >= FEWEST_BIG_DIGITS && WHOLE.test(number) && (BigInt(number) < LEAST || BigInt(number) > GREATEST);

/** Digits of a whole number that the language writes without an exponent. */
const MOST_PLAIN_DIGITS = 21;

/** Significant digits that are enough to tell all doubles apart. */
const MOST_DIGITS = 17;

/**
 * Whether a number, as JSON writes numbers, is another one than the double next to it as the language writes that: in the fewest digits
 * that name it. A fraction may be written in 17 digits, too: to many programs `0.10000000000000001` is the double 0.1. Beyond all doubles
 * a number is infinite, however it is written.
 */
const isRounded = (source: string): boolean => {
  if (source.length < FEWEST_DIGITS) return false;
  const double = Number(source);
  if (String(double) === source || !Number.isFinite(double)) return false;
  const isWhole = WHOLE.test(source);
  if (isWhole && source.length <= MOST_PLAIN_DIGITS) return true;
  const { written, digits, power } = parseDecimal(source);
  if (written < FEWEST_DIGITS || digits === "") return false;
  if (digits.length > MOST_DIGITS || double === 0) return true;
  const isWritten = (text: string): boolean => {
    const decimal = parseDecimal(text);
    return decimal.digits === digits && decimal.power === power;
  };
  return !isWritten(String(double)) && (isWhole || !isWritten(double.toPrecision(MOST_DIGITS)));
};

interface Decimal {
  /** Digits before the exponent, all of them. */
  readonly written: number;
  /** Those from the first to the last that is not 0. */
  readonly digits: string;
  /** The power of ten of the last of these. */
  readonly power: number;
}

const parseDecimal = (text: string): Decimal => {
  const mark = text.search(/[eE]/);
  const mantissa = mark === -1 ? text : text.slice(0, mark);
  const exponent = mark === -1 ? 0 : Number(text.slice(mark + 1));
  const point = mantissa.indexOf(".");
  const whole = mantissa.slice(mantissa.charCodeAt(0) === MINUS ? 1 : 0, point === -1 ? undefined : point);
  const fraction = point === -1 ? "" : mantissa.slice(point + 1);
  const all = whole + fraction;
  let end = all.length;
  while (end > 0 && all.charCodeAt(end - 1) === ZERO) end -= 1;
  let start = 0;
  while (start < end && all.charCodeAt(start) === ZERO) start += 1;
  return { written: all.length, digits: all.slice(start, end), power: exponent - fraction.length + all.length - end };
};

/** Whether a value, number or text, is a whole number of which a double may lose digits. */
export const isLongWholeNumber = (value: unknown): boolean => {
  const written = String(value);
  return LONG.test(written) && isBeyondExact(Number(written));
};

const isBeyondExact = (double: number): boolean => Number.isFinite(double) && !Number.isSafeInteger(double);

const LONG = /^-?[1-9]\d{15,}$/;
