const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d];

export interface JsonBounds {
  readonly maxDepth: number;
  /** Commas and openers outside strings: a little more than the number of values. */
  readonly maxValues: number;
}

/**
 * Whether a JSON text nests too deep or holds too many values, found in one pass and no memory, before a parser spends a hundred bytes
 * on each value. Says nothing about whether the text is JSON.
 */
export const beyondBounds = (bytes: Uint8Array, { maxDepth, maxValues }: JsonBounds): "depth" | "values" | undefined => {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at);
        break;
      case COMMA:
        values += 1;
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        values += 1;
        depth += 1;
        if (depth > maxDepth) return "depth";
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth -= 1;
        break;
    }
    if (values > maxValues) return "values";
  }
  return undefined;
};

/**
 * The place of the quote that ends the string which begins at `open`, or the end of the text. Byte by byte, because a call that searches
 * costs more than the strings of a hostile text are long.
 */
const endOfString = (bytes: Uint8Array, open: number): number => {
  for (let at = open + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at += 1;
  }
  return bytes.length;
};

/**
 * The text that a JSON object has under a name, the last one, found in one pass and without reading anything else of it. A name that
 * is written with escapes is not found. Of a text of more than `most` bytes as many of them are returned as they stand there. Says
 * nothing about whether the rest is JSON.
 */
export const textField = (bytes: Uint8Array, name: string, most: number): string | undefined => {
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let depth = 0;
  let found: string | undefined;
  /** The role of the next string at the top: a name, the value of the wanted one, or that of another. */
  let next: "name" | "wanted" | "other" = "other";
  let isNamed = false;
  for (let at = 0; at < json.length; at += 1) {
    switch (json[at]) {
      case QUOTE: {
        const end = endOfString(json, at);
        if (depth === 1 && next === "name") isNamed = end - at - 1 === name.length && json.toString("latin1", at + 1, end) === name;
        if (depth === 1 && next === "wanted") found = textIn(json.subarray(at, end + 1), most);
        at = end;
        break;
      }
      case COLON:
        if (depth === 1) next = isNamed ? "wanted" : "other";
        break;
      case COMMA:
        if (depth === 1) next = "name";
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        next = depth === 1 && json[at] === OPEN_BRACE ? "name" : "other";
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        break;
    }
  }
  return found;
};

const textIn = (json: Buffer, most: number): string | undefined => {
  if (json.length > most + 2) return json.toString("latin1", 1, most + 1);
  try {
    const value: unknown = JSON.parse(json.toString());
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
};

/** The place where a text stops being JSON: line and column from 1, columns in UTF-16 units. */
export interface JsonFault {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
  /** Nothing is wrong with what is there, but something is missing. */
  readonly isEnd: boolean;
}

/** Longer texts are not looked through: whoever sends megabytes that are no JSON is told so without the place. */
const MAX_SCANNED = 1_000_000;

/**
 * The end of a sentence about a text that `JSON.parse` refused: where it stops being JSON, and nothing of what it holds.
 * The parser's own message quotes the text and rarely tells the place.
 */
export const notJson = (text: string): string => {
  const fault = text.length > MAX_SCANNED ? undefined : jsonFault(text);
  if (fault === undefined) return "is not valid JSON";
  return `is not valid JSON${fault.isEnd ? ", it ends too early" : ""} (line ${fault.line}, column ${fault.column})`;
};

/** The token that may come next. In place of the first one of an object or a list its end may stand. */
type Expected = "value" | "first value" | "name" | "first name" | "colon" | "comma or end";

/** Where a text stops being JSON; undefined where it is JSON. One pass, without recursion. */
export const jsonFault = (text: string): JsonFault | undefined => {
  /** The closing bracket of each object and list that is open. */
  const closers: string[] = [];
  let expected: Expected = "value";
  for (let at = afterSpace(text, 0); at < text.length; at = afterSpace(text, at)) {
    const char = text[at];
    const closer = closers.at(-1);
    const isName: boolean = expected === "name" || expected === "first name";
    if (char === closer && (expected === "comma or end" || expected === "first value" || expected === "first name")) {
      closers.pop();
      expected = "comma or end";
      at += 1;
    } else if (expected === "comma or end") {
      if (char !== "," || closer === undefined) return faultAt(text, at);
      expected = closer === "}" ? "name" : "value";
      at += 1;
    } else if (expected === "colon") {
      if (char !== ":") return faultAt(text, at);
      expected = "value";
      at += 1;
    } else if (!isName && (char === "{" || char === "[")) {
      closers.push(char === "{" ? "}" : "]");
      expected = char === "{" ? "first name" : "first value";
      at += 1;
    } else {
      const { end, isWhole } = char === '"' ? stringAt(text, at) : { end: isName ? at : wordEnd(text, at), isWhole: true };
      if (end === at || !isWhole) return faultAt(text, end);
      expected = isName ? "colon" : "comma or end";
      at = end;
    }
  }
  return expected === "comma or end" && closers.length === 0 ? undefined : faultAt(text, text.length);
};

const afterSpace = (text: string, from: number): number => {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at += 1;
  return at;
};

const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Where a number or a name of the language ends that begins at a place; the place itself where none does. */
const wordEnd = (text: string, from: number): number => {
  WORD.lastIndex = from;
  return WORD.test(text) ? WORD.lastIndex : from;
};

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** Where the string ends whose quote stands at a place, or what in it cannot be part of a string. */
const stringAt = (text: string, open: number): { readonly end: number; readonly isWhole: boolean } => {
  for (let at = open + 1; at < text.length; ) {
    const char = text[at] ?? "";
    if (char === '"') return { end: at + 1, isWhole: true };
    if (char < " ") return { end: at, isWhole: false };
    if (char === "\\") {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) return { end: at, isWhole: false };
      at = ESCAPE.lastIndex;
    } else at += 1;
  }
  return { end: text.length, isWhole: false };
};

const faultAt = (text: string, offset: number): JsonFault => {
  const before = text.slice(0, offset);
  return {
    offset,
    line: before.split("\n").length,
    column: offset - before.lastIndexOf("\n"),
    isEnd: offset === text.length,
  };
};
