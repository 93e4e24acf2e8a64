/** Whether a character, as a code point, is of a class. */
export type CharacterClass = (character: number) => boolean;

/** A pattern that RE2 refuses, in a sentence. */
export class RegexFault extends Error {
  override readonly name = "RegexFault";
}

const code = (character: string): number => character.codePointAt(0) ?? 0;

export const between =
  (low: number, high: number): CharacterClass =>
  (character) =>
    character >= low && character <= high;

export const noneOf =
  (inner: CharacterClass): CharacterClass =>
  (character) =>
    !inner(character);

export const anyOf =
  (classes: readonly CharacterClass[]): CharacterClass =>
  (character) =>
    classes.some((one) => one(character));

/** Whatever the case of letters. */
export const folded =
  (inner: CharacterClass): CharacterClass =>
  (character) => {
    if (inner(character)) return true;
    const text = String.fromCodePoint(character);
    return [text.toLowerCase(), text.toUpperCase()].some((other) => [...other].length === 1 && inner(code(other)));
  };

const ranges = (...pairs: readonly string[]): CharacterClass => anyOf(pairs.map((pair) => between(code(pair), code(pair.at(-1) ?? pair))));

const DIGITS = ranges("09");
const SPACES = ranges("\t\n", "\f\r", " ");
export const WORDS = ranges("09", "AZ", "az", "_");

const PERL: ReadonlyMap<string, CharacterClass> = new Map([
  ["d", DIGITS],
  ["s", SPACES],
  ["w", WORDS],
]);

const POSIX: ReadonlyMap<string, CharacterClass> = new Map([
  ["alnum", ranges("09", "AZ", "az")],
  ["alpha", ranges("AZ", "az")],
  ["ascii", ranges("\0\x7f")],
  ["blank", ranges("\t", " ")],
  ["cntrl", ranges("\0\x1f", "\x7f")],
  ["digit", DIGITS],
  ["graph", ranges("!~")],
  ["lower", ranges("az")],
  ["print", ranges(" ~")],
  ["punct", ranges("!/", ":@", "[`", "{~")],
  ["space", ranges("\t\r", " ")],
  ["upper", ranges("AZ")],
  ["word", WORDS],
  ["xdigit", ranges("09", "AF", "af")],
]);

const negatedIf = (negated: boolean, inner: CharacterClass): CharacterClass => (negated ? noneOf(inner) : inner);

/** `d` to `W` of `\d` to `\W`; undefined for any other letter. */
export const perlClass = (letter: string): CharacterClass | undefined => {
  const inner = PERL.get(letter.toLowerCase());
  return inner && negatedIf(letter !== letter.toLowerCase(), inner);
};

/** The class of `[:name:]` or `[:^name:]`. */
export const posixClass = (name: string): CharacterClass => {
  const inner = POSIX.get(name.replace(/^\^/, ""));
  if (inner === undefined) throw new RegexFault(`there is no character class \`[:${name}:]\``);
  return negatedIf(name.startsWith("^"), inner);
};

/** The class of `\p{name}`: a general category of one or two letters, a script, or `Any`. The name is letters and `_`. */
export const unicodeClass = (name: string, negated: boolean): CharacterClass => {
  const bare = name.replace(/^\^/, "");
  if (bare === "Any") return negatedIf(negated !== name.startsWith("^"), () => true);
  if (!/^[A-Za-z_]{1,40}$/.test(bare)) throw new RegexFault(`there is no class of characters \`${bare.slice(0, 40)}\``);
  // One character is matched at a time, so that the way in which this is matched costs nothing.
  const test = unicodeTest(bare);
  return negatedIf(negated !== name.startsWith("^"), (character) => test.test(String.fromCodePoint(character)));
};

const unicodeTest = (name: string): RegExp => {
  try {
    return new RegExp(name.length <= 2 ? `^\\p{General_Category=${name}}$` : `^\\p{Script=${name}}$`, "u");
  } catch {
    throw new RegexFault(`there is no class of characters \`${name}\``);
  }
};
