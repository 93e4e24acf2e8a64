import { between, type CharacterClass, folded, RegexFault } from "./classes.ts";
import { bracketed, character, escapedClass, peek, type Reader, skipped, upTo } from "./reader.ts";

export type Edge = "start" | "end" | "line start" | "line end" | "word" | "no word";

/** A pattern in RE2's syntax. `most` null is without end. */
export type Regex =
  | { readonly kind: "one"; readonly of: CharacterClass }
  | { readonly kind: "edge"; readonly edge: Edge }
  | { readonly kind: "all"; readonly parts: readonly Regex[] }
  | { readonly kind: "either"; readonly parts: readonly Regex[] }
  | { readonly kind: "repeat"; readonly item: Regex; readonly least: number; readonly most: number | null };

export interface ParsedRegex {
  readonly regex: Regex;
  /** Groups that capture. */
  readonly groups: number;
  /** How many steps its program has; repetitions count as often as they are written out. */
  readonly size: number;
}

/** Longest pattern, in characters, and the most steps of its program. */
const MAX_LENGTH = 10_000;
const MAX_SIZE = 20_000;
/** Brackets in brackets, and how often something may be repeated by numbers, as in RE2. */
const MAX_NESTING = 1_000;
const MAX_REPEAT = 1_000;

interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
}

/** A bracket that is open: what stands in it so far. */
interface Open {
  readonly flags: Flags;
  readonly branches: Sized[];
  items: Sized[];
}

/** `repeats`: how often what is innermost in it is repeated by numbers. */
interface Sized {
  readonly regex: Regex;
  readonly size: number;
  readonly repeats: number;
}

/** Reads a pattern as RE2 does, in linear time. Throws `RegexFault` for what RE2 refuses, and for what is too large. */
export const parseRegex = (pattern: string): ParsedRegex => {
  if (pattern.length > MAX_LENGTH) throw new RegexFault(`it is longer than ${MAX_LENGTH} characters`);
  const reader: Reader = { at: 0, characters: [...pattern] };
  const open: Open[] = [];
  let flags: Flags = { i: false, m: false, s: true };
  let groups = 0;
  let inner: Open = { flags, branches: [], items: [] };
  let repeated = false;
  while (peek(reader) !== "") {
    if (peek(reader) === "(") {
      const group = opening(reader, flags);
      if (group.opens) {
        open.push(inner);
        if (open.length > MAX_NESTING) throw new RegexFault("its brackets are nested too deeply");
        inner = { flags, branches: [], items: [] };
        groups += group.captures ? 1 : 0;
      }
      flags = group.flags;
      repeated = false;
    } else if (skipped(reader, ")")) {
      const outer = open.pop();
      if (outer === undefined) throw new RegexFault("a `)` has no `(`");
      outer.items.push(closed(inner));
      flags = inner.flags;
      inner = outer;
      repeated = false;
    } else if (skipped(reader, "|")) {
      inner.branches.push(joined(inner.items));
      inner.items = [];
      repeated = false;
    } else {
      const times = repetition(reader);
      if (times === undefined) inner.items.push(...single(reader, flags));
      else if (repeated) throw new RegexFault("a repetition is repeated");
      else inner.items.push(repeat(inner.items.pop(), times));
      repeated = times !== undefined;
    }
  }
  if (open.length > 0) throw new RegexFault("a `(` has no `)`");
  const { regex, size } = closed(inner);
  return { regex, groups, size };
};

const closed = ({ branches, items }: Open): Sized => {
  const last = joined(items);
  return branches.length === 0
    ? last
    : sized({ kind: "either", parts: [...branches, last].map(({ regex }) => regex) }, [...branches, last]);
};

const joined = (items: readonly Sized[]): Sized => sized({ kind: "all", parts: items.map(({ regex }) => regex) }, items);

const sized = (regex: Regex, parts: readonly Sized[]): Sized => ({
  regex,
  size: bounded(parts.reduce((sum, { size }) => sum + size, 1)),
  repeats: parts.reduce((most, { repeats }) => Math.max(most, repeats), 1),
});

const bounded = (size: number): number => {
  if (size > MAX_SIZE) throw new RegexFault("it is too large once its repetitions are written out");
  return size;
};

/** What a `(` begins: a group, or flags for what follows. */
const opening = (reader: Reader, flags: Flags): { readonly opens: boolean; readonly captures: boolean; readonly flags: Flags } => {
  reader.at += 1;
  if (!skipped(reader, "?")) return { opens: true, captures: true, flags };
  if (skipped(reader, "P<")) {
    const name = upTo(reader, ">", MAX_LENGTH);
    if (name === undefined || !/^\w+$/.test(name)) throw new RegexFault("a group has no proper name");
    return { opens: true, captures: true, flags };
  }
  const written = /^([imsU]*)(-[imsU]+)?([:)])/.exec(reader.characters.slice(reader.at, reader.at + 20).join(""));
  if (written === null) throw new RegexFault("what stands behind `(?` is not known, or cannot be matched in linear time");
  reader.at += written[0].length;
  const [, on = "", off = "", end] = written;
  const flag = (name: keyof Flags): boolean => (flags[name] || on.includes(name)) && !off.includes(name);
  return { opens: end === ":", captures: false, flags: { i: flag("i"), m: flag("m"), s: flag("s") } };
};

interface Times {
  readonly least: number;
  readonly most: number | null;
}

/** The repetition that stands here, read; undefined where there is none. */
const repetition = (reader: Reader): Times | undefined => {
  const sign = SIGNS.get(peek(reader));
  if (sign !== undefined) reader.at += 1;
  const times = sign ?? counted(reader);
  if (times !== undefined) skipped(reader, "?");
  return times;
};

const SIGNS: ReadonlyMap<string, Times> = new Map([
  ["*", { least: 0, most: null }],
  ["+", { least: 1, most: null }],
  ["?", { least: 0, most: 1 }],
]);

const counted = (reader: Reader): Times | undefined => {
  if (peek(reader) !== "{") return undefined;
  const written = /^\{(\d+)(,(\d*))?\}/.exec(reader.characters.slice(reader.at, reader.at + 20).join(""));
  if (written === null) return undefined;
  reader.at += written[0].length;
  const [, low, comma, high] = written;
  const least = Number(low);
  const most = comma === undefined ? least : high === "" ? null : Number(high);
  if (least > MAX_REPEAT || (most !== null && (most > MAX_REPEAT || most < least))) throw new RegexFault(TOO_OFTEN);
  return { least, most };
};

const TOO_OFTEN = `something is repeated more than ${MAX_REPEAT} times, or fewer times than at least`;

const repeat = (item: Sized | undefined, { least, most }: Times): Sized => {
  if (item === undefined) throw new RegexFault("there is nothing to repeat before a `*`, `+`, `?` or `{`");
  const times = most ?? least;
  const repeats = item.repeats * Math.max(1, times);
  if (repeats > MAX_REPEAT) throw new RegexFault(TOO_OFTEN);
  return { regex: { kind: "repeat", item: item.regex, least, most }, size: bounded(item.size * Math.max(1, times) + times + 1), repeats };
};

const one = (of: CharacterClass, flags: Flags): Sized => ({
  regex: { kind: "one", of: flags.i ? folded(of) : of },
  size: 1,
  repeats: 1,
});

const edge = (name: Edge): Sized => ({ regex: { kind: "edge", edge: name }, size: 1, repeats: 1 });

/** One character or class, one edge, or the texts between `\Q` and `\E`. */
const single = (reader: Reader, flags: Flags): readonly Sized[] => {
  switch (peek(reader)) {
    case ".":
      reader.at += 1;
      return [one(flags.s ? () => true : (found) => found !== NEW_LINE, flags)];
    case "[":
      return [one(bracketed(reader), flags)];
    case "^":
      reader.at += 1;
      return [edge(flags.m ? "line start" : "start")];
    case "$":
      reader.at += 1;
      return [edge(flags.m ? "line end" : "end")];
    case "\\":
      return backslash(reader, flags);
    default:
      return [literal(reader, flags)];
  }
};

const NEW_LINE = 10;

const literal = (reader: Reader, flags: Flags): Sized => {
  const found = character(reader);
  return one(between(found, found), flags);
};

const EDGES: readonly (readonly [string, Edge])[] = [
  ["\\A", "start"],
  ["\\z", "end"],
  ["\\b", "word"],
  ["\\B", "no word"],
];

const backslash = (reader: Reader, flags: Flags): readonly Sized[] => {
  for (const [written, name] of EDGES) if (skipped(reader, written)) return [edge(name)];
  if (skipped(reader, "\\C")) return [one(() => true, flags)];
  if (skipped(reader, "\\Q")) {
    const quoted: Sized[] = [];
    while (peek(reader) !== "" && !skipped(reader, "\\E")) {
      const found = peek(reader).codePointAt(0) ?? 0;
      reader.at += 1;
      quoted.push(one(between(found, found), flags));
    }
    return quoted;
  }
  const of = escapedClass(reader);
  return [of === undefined ? literal(reader, flags) : one(of, flags)];
};
