import { between, type CharacterClass, noneOf, perlClass, posixClass, RegexFault, anyOf as someOf, unicodeClass } from "./classes.ts";

/** A pattern while it is read, character by character. */
export interface Reader {
  at: number;
  readonly characters: readonly string[];
}

export const peek = ({ characters, at }: Reader, ahead = 0): string => characters[at + ahead] ?? "";

/** Reads `text` where it stands. */
export const skipped = (reader: Reader, text: string): boolean => {
  for (const [ahead, character] of [...text].entries()) if (peek(reader, ahead) !== character) return false;
  reader.at += text.length;
  return true;
};

/** The text up to the next `end`, which is read too; undefined, and nothing read, where there is none within `most` characters. */
export const upTo = (reader: Reader, end: string, most: number): string | undefined => {
  const found = reader.characters.slice(reader.at, reader.at + most + 1).indexOf(end);
  if (found === -1) return undefined;
  const text = reader.characters.slice(reader.at, reader.at + found).join("");
  reader.at += found + 1;
  return text;
};

const MAX_NAME = 60;
const MAX_CODE_POINT = 0x10ffff;
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["a", 7],
  ["f", 12],
  ["n", 10],
  ["r", 13],
  ["t", 9],
  ["v", 11],
]);

/** The class that a backslash begins here, such as `\d` and `\pL`; undefined where it begins none, and nothing is read. */
export const escapedClass = (reader: Reader): CharacterClass | undefined => {
  const letter = peek(reader, 1);
  const perl = perlClass(letter);
  if (perl !== undefined) {
    reader.at += 2;
    return perl;
  }
  if (letter !== "p" && letter !== "P") return undefined;
  reader.at += 2;
  if (!skipped(reader, "{")) return unicodeClass(peek({ ...reader, at: reader.at++ }), letter === "P");
  const name = upTo(reader, "}", MAX_NAME);
  if (name === undefined) throw new RegexFault("a `\\p{` has no end");
  return unicodeClass(name, letter === "P");
};

/** The one character that stands here, escaped or not. */
export const character = (reader: Reader): number => {
  const first = peek(reader);
  reader.at += 1;
  if (first !== "\\") return first.codePointAt(0) ?? 0;
  const escaped = peek(reader);
  reader.at += 1;
  if (escaped === "") throw new RegexFault("it ends in a backslash");
  if (escaped === "x") return hexadecimal(reader);
  if (/[0-7]/.test(escaped)) return octal(reader, escaped);
  const control = CONTROLS.get(escaped);
  if (control !== undefined) return control;
  if (/[A-Za-z\d\u0080-\u{10ffff}]/u.test(escaped)) throw new RegexFault(`\`\\${escaped}\` is not known`);
  return escaped.codePointAt(0) ?? 0;
};

const hexadecimal = (reader: Reader): number => {
  const braced = skipped(reader, "{");
  const digits = braced ? (upTo(reader, "}", MAX_NAME) ?? "") : peek(reader) + peek(reader, 1);
  if (!braced) reader.at += 2;
  const value = Number.parseInt(digits, 16);
  if (!(braced ? /^[\da-f]+$/i : /^[\da-f]{2}$/i).test(digits) || value > MAX_CODE_POINT) throw new RegexFault("`\\x` needs digits");
  return value;
};

const octal = (reader: Reader, first: string): number => {
  let digits = first;
  while (digits.length < 3 && /[0-7]/.test(peek(reader))) {
    digits += peek(reader);
    reader.at += 1;
  }
  // A single digit would be what a group matched, which cannot be found in linear time.
  if (digits.length === 1 && first !== "0") throw new RegexFault(`\`\\${first}\` is not known`);
  return Number.parseInt(digits, 8);
};

/** The class in brackets that begins here. */
export const bracketed = (reader: Reader): CharacterClass => {
  reader.at += 1;
  const negated = skipped(reader, "^");
  const parts: CharacterClass[] = [];
  for (let first = true; first || peek(reader) !== "]"; first = false) {
    if (peek(reader) === "") throw new RegexFault("a `[` has no `]`");
    parts.push(part(reader));
  }
  reader.at += 1;
  const inner = someOf(parts);
  return negated ? noneOf(inner) : inner;
};

const part = (reader: Reader): CharacterClass => {
  if (peek(reader) === "[" && peek(reader, 1) === ":") {
    const name = /^\[:(\^?[a-z]*):\]/i.exec(reader.characters.slice(reader.at, reader.at + MAX_NAME).join(""));
    if (name !== null) {
      reader.at += name[0].length;
      return posixClass(name[1] ?? "");
    }
  }
  const escaped = peek(reader) === "\\" ? escapedClass(reader) : undefined;
  if (escaped !== undefined) return escaped;
  const low = character(reader);
  if (peek(reader) !== "-" || peek(reader, 1) === "]" || peek(reader, 1) === "") return between(low, low);
  reader.at += 1;
  const high = character(reader);
  if (high < low) throw new RegexFault("a range of characters ends before it begins");
  return between(low, high);
};
