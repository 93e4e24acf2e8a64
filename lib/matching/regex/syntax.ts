import { type CharTest, classEscape, DOT, foldedLiteral, NOT_NEWLINE, posixClass, unicodeClass } from "./characters.ts";

/** A regular expression that is none, said as its author may read it. */
export class RegexError extends Error {
  override readonly name = "RegexError";
}

export type Assertion = "text-start" | "text-end" | "line-start" | "line-end" | "word" | "not-word";

export type Node =
  | { readonly kind: "empty" }
  /** `text` where only one character fits. */
  | { readonly kind: "char"; readonly test: CharTest; readonly text?: string }
  | { readonly kind: "assert"; readonly what: Assertion }
  | { readonly kind: "sequence" | "choice"; readonly of: readonly Node[] }
  | { readonly kind: "repeat"; readonly of: Node; readonly min: number; readonly max: number };

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

/** The most that a count may say, as in RE2. */
const MAX_COUNT = 1_000;
const MAX_DEPTH = 200;
const MAX_LENGTH = 10_000;

/**
 * Parses the syntax of RE2, where a dot matches a new line too. No look-around and no back-references: what is left can be matched in
 * one pass over the text, whatever the expression. Throws `RegexError`.
 */
export const parseRegex = (pattern: string): Node => {
  if (pattern.length > MAX_LENGTH) throw new RegexError(`A regular expression has at most ${MAX_LENGTH} characters.`);
  const points = Array.from(pattern, (character) => character.codePointAt(0) ?? 0);
  const reader = new Reader(points);
  const node = alternatives(reader, { ignoreCase: false, multiline: false, dotAll: true }, 0);
  if (!reader.atEnd()) throw new RegexError("A bracket is closed that was not opened.");
  return node;
};

class Reader {
  readonly #points: readonly number[];
  at = 0;
  constructor(points: readonly number[]) {
    this.#points = points;
  }
  atEnd(): boolean {
    return this.at >= this.#points.length;
  }
  peek(ahead = 0): string {
    const point = this.#points[this.at + ahead];
    return point === undefined ? "" : String.fromCodePoint(point);
  }
  next(): string {
    const character = this.peek();
    if (character === "") throw new RegexError("The expression ends too early.");
    this.at += 1;
    return character;
  }
  takes(text: string): boolean {
    for (const [index, character] of Array.from(text).entries()) if (this.peek(index) !== character) return false;
    this.at += text.length;
    return true;
  }
  /** The text before the next `end`, which is passed too. */
  until(end: string): string {
    let text = "";
    while (!this.takes(end)) text += this.next();
    return text;
  }
}

const alternatives = (reader: Reader, flags: Flags, depth: number): Node => {
  if (depth > MAX_DEPTH) throw new RegexError("The brackets of the expression are nested too deep.");
  const choices: Node[] = [];
  const scope = { flags };
  do choices.push(sequence(reader, scope, depth));
  while (reader.takes("|"));
  return choices.length === 1 ? (choices[0] ?? EMPTY) : { kind: "choice", of: choices };
};

const EMPTY: Node = { kind: "empty" };

const sequence = (reader: Reader, scope: { flags: Flags }, depth: number): Node => {
  const items: Node[] = [];
  while (!reader.atEnd() && reader.peek() !== "|" && reader.peek() !== ")") {
    if (reader.takes("\\Q")) {
      const literals = quoted(reader).map((character) => literal(character, scope.flags));
      const last = literals.pop();
      items.push(...literals, ...(last === undefined ? [] : [repeated(reader, last)]));
      continue;
    }
    const item = atom(reader, scope, depth);
    if (item !== null) items.push(repeated(reader, item));
  }
  return items.length === 1 ? (items[0] ?? EMPTY) : { kind: "sequence", of: items };
};

const quoted = (reader: Reader): readonly string[] => {
  const characters: string[] = [];
  while (!reader.atEnd() && !reader.takes("\\E")) characters.push(reader.next());
  return characters;
};

/** One item; null for flags, which only change what follows. */
const atom = (reader: Reader, scope: { flags: Flags }, depth: number): Node | null => {
  const character = reader.next();
  const { flags } = scope;
  switch (character) {
    case "(":
      return bracket(reader, scope, depth);
    case "[":
      return { kind: "char", test: readClass(reader, flags) };
    case ".":
      return { kind: "char", test: flags.dotAll ? DOT : NOT_NEWLINE };
    case "^":
      return { kind: "assert", what: flags.multiline ? "line-start" : "text-start" };
    case "$":
      return { kind: "assert", what: flags.multiline ? "line-end" : "text-end" };
    case "\\":
      return escaped(reader, flags);
    case "*":
    case "+":
    case "?":
      throw new RegexError(`There is nothing before \`${character}\` that it could repeat.`);
    default:
      return literal(character, flags);
  }
};

const literal = (character: string, { ignoreCase }: Flags): Node => {
  const point = character.codePointAt(0) ?? 0;
  return ignoreCase ? { kind: "char", test: foldedLiteral(point) } : { kind: "char", test: (each) => each === point, text: character };
};

const bracket = (reader: Reader, scope: { flags: Flags }, depth: number): Node | null => {
  let flags = scope.flags;
  if (reader.takes("?")) {
    if (reader.takes("P<") || (reader.peek() === "<" && reader.peek(1) !== "=" && reader.peek(1) !== "!" && reader.takes("<"))) {
      if (!/^\w+$/.test(reader.until(">"))) throw new RegexError("A group's name has letters, digits and underscores.");
    } else {
      flags = readFlags(reader, flags);
      if (reader.takes(")")) {
        scope.flags = flags;
        return null;
      }
      if (!reader.takes(":")) throw new RegexError("Look-around and other `(?` groups do not exist here.");
    }
  }
  const inner = alternatives(reader, flags, depth + 1);
  if (!reader.takes(")")) throw new RegexError("A bracket is not closed.");
  return inner;
};

const readFlags = (reader: Reader, flags: Flags): Flags => {
  let on = true;
  let read = flags;
  while (/[imsU-]/.test(reader.peek())) {
    const flag = reader.next();
    if (flag === "-") on = false;
    else if (flag === "i") read = { ...read, ignoreCase: on };
    else if (flag === "m") read = { ...read, multiline: on };
    else if (flag === "s") read = { ...read, dotAll: on };
  }
  return read;
};

const ASSERTIONS: ReadonlyMap<string, Assertion> = new Map([
  ["A", "text-start"],
  ["z", "text-end"],
  ["b", "word"],
  ["B", "not-word"],
]);

const escaped = (reader: Reader, flags: Flags): Node => {
  const what = ASSERTIONS.get(reader.peek());
  if (what !== undefined) {
    reader.next();
    return { kind: "assert", what };
  }
  const meant = readEscape(reader);
  return typeof meant === "number" ? literal(String.fromCodePoint(meant), flags) : { kind: "char", test: meant };
};

const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["n", 10],
  ["t", 9],
  ["r", 13],
  ["f", 12],
  ["v", 11],
  ["a", 7],
]);

/** What follows a backslash: a character, or a set of characters. */
const readEscape = (reader: Reader): number | CharTest => {
  const character = reader.next();
  const control = CONTROLS.get(character);
  if (control !== undefined) return control;
  const set = classEscape(character);
  if (set !== undefined) return set;
  if (character === "x") return hexadecimal(reader);
  if (character === "p" || character === "P") return unicode(reader, character === "P");
  if (/[0-7]/.test(character) && (character === "0" || /[0-7]/.test(reader.peek()))) return octal(reader, character);
  if (/[A-Za-z0-9]/.test(character)) throw new RegexError(`\`\\${character}\` does not exist here.`);
  return character.codePointAt(0) ?? 0;
};

const octal = (reader: Reader, first: string): number => {
  let digits = first;
  while (digits.length < 3 && /[0-7]/.test(reader.peek())) digits += reader.next();
  return Number.parseInt(digits, 8);
};

const hexadecimal = (reader: Reader): number => {
  const digits = reader.takes("{") ? reader.until("}") : reader.next() + reader.next();
  const point = /^[0-9A-Fa-f]{1,6}$/.test(digits) ? Number.parseInt(digits, 16) : Number.POSITIVE_INFINITY;
  if (point > 0x10ffff) throw new RegexError("`\\x` takes the number of a character.");
  return point;
};

const unicode = (reader: Reader, negated: boolean): CharTest => {
  const name = reader.takes("{") ? reader.until("}") : reader.next();
  const inverted = name.startsWith("^");
  const test = unicodeClass(inverted ? name.slice(1) : name);
  if (test === undefined) throw new RegexError("There is no such class of characters.");
  return negated === inverted ? test : (point) => !test(point);
};

const readClass = (reader: Reader, { ignoreCase }: Flags): CharTest => {
  const negated = reader.takes("^");
  const tests: CharTest[] = [];
  for (let first = true; first || reader.peek() !== "]"; first = false) {
    const low = classItem(reader);
    if (typeof low !== "number") {
      tests.push(low);
      continue;
    }
    let high = low;
    if (reader.peek() === "-" && reader.peek(1) !== "]" && reader.peek(1) !== "") {
      reader.next();
      const end = classItem(reader);
      if (typeof end !== "number" || end < low) throw new RegexError("A range of characters begins after its end.");
      high = end;
    }
    tests.push(ignoreCase ? foldedRange(low, high) : (point) => point >= low && point <= high);
  }
  reader.next();
  const any: CharTest = (point) => tests.some((test) => test(point));
  return negated ? (point) => !any(point) : any;
};

const classItem = (reader: Reader): number | CharTest => {
  if (reader.takes("[:")) {
    const name = reader.until(":]");
    const test = posixClass(name);
    if (test === undefined) throw new RegexError("There is no such class of characters.");
    return test;
  }
  const character = reader.next();
  return character === "\\" ? readEscape(reader) : (character.codePointAt(0) ?? 0);
};

const foldedRange = (low: number, high: number): CharTest => {
  const within = (point: number): boolean => point >= low && point <= high;
  const one = (text: string): number => (Array.from(text).length === 1 ? (text.codePointAt(0) ?? 0) : -1);
  return (point) => {
    const text = String.fromCodePoint(point);
    return within(point) || within(one(text.toLowerCase())) || within(one(text.toUpperCase()));
  };
};

const repeated = (reader: Reader, item: Node): Node => {
  const count = readCount(reader);
  if (count === null) return item;
  // Whether as little or as much as possible is taken makes no difference to whether there is a match.
  reader.takes("?");
  if (/^[*+?]$/.test(reader.peek())) throw new RegexError("What is repeated cannot be repeated again without brackets.");
  return { kind: "repeat", of: item, ...count };
};

const readCount = (reader: Reader): { readonly min: number; readonly max: number } | null => {
  if (reader.takes("*")) return { min: 0, max: Number.POSITIVE_INFINITY };
  if (reader.takes("+")) return { min: 1, max: Number.POSITIVE_INFINITY };
  if (reader.takes("?")) return { min: 0, max: 1 };
  if (reader.peek() !== "{") return null;
  const from = reader.at;
  let text = "";
  while (text.length < 12 && /[{\d,]/.test(reader.peek())) text += reader.next();
  const match = /^\{(\d+)(,?)(\d*)$/.exec(text);
  if (match === null || !reader.takes("}")) {
    // Otherwise the brace stands for itself, and what follows is read again.
    reader.at = from;
    return null;
  }
  const [, least, comma, most] = match;
  const min = Number(least);
  const max = comma === "" ? min : most === "" ? Number.POSITIVE_INFINITY : Number(most);
  if (min > MAX_COUNT || (max > MAX_COUNT && max !== Number.POSITIVE_INFINITY) || max < min) {
    throw new RegexError(`A count goes from 0 to ${MAX_COUNT}.`);
  }
  return { min, max };
};
