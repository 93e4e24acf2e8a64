/** Where a text stops being JSON: line and column from 1, columns in UTF-16 units. */
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
 * What to say of a text that `JSON.parse` refused, as the end of a sentence: where it stops being JSON, and nothing of what it holds.
 * The parser's own message quotes the text and rarely tells the place.
 */
export const notJson = (text: string): string => {
  const fault = text.length > MAX_SCANNED ? undefined : jsonFault(text);
  if (fault === undefined) return "is not valid JSON";
  return `is not valid JSON${fault.isEnd ? ", it ends too early" : ""} (line ${fault.line}, column ${fault.column})`;
};

/** What may come next. What comes first in an object or a list may also be its end. */
type Expected = "value" | "first value" | "name" | "first name" | "colon" | "comma or end";

/** Where a text stops being JSON; undefined where it is JSON. One pass, without recursion. */
export const jsonFault = (text: string): JsonFault | undefined => {
  /** What ends each object and list that is open. */
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
