/** Whether a character, by its number, belongs to a set. */
export type CharTest = (point: number) => boolean;

export const DOT: CharTest = () => true;
export const NOT_NEWLINE: CharTest = (point) => point !== 10;

const between = (point: number, low: number, high: number): boolean => point >= low && point <= high;
const isDigit: CharTest = (point) => between(point, 48, 57);
const isUpper: CharTest = (point) => between(point, 65, 90);
const isLower: CharTest = (point) => between(point, 97, 122);
const isAlpha: CharTest = (point) => isUpper(point) || isLower(point);
const isAlnum: CharTest = (point) => isAlpha(point) || isDigit(point);
export const isWord: CharTest = (point) => isAlnum(point) || point === 95;
/** RE2's `\s` has no vertical tab; the POSIX class has it. */
const isSpace: CharTest = (point) => point === 9 || point === 10 || point === 12 || point === 13 || point === 32;
const isGraph: CharTest = (point) => between(point, 33, 126);

const not =
  (test: CharTest): CharTest =>
  (point) =>
    !test(point);

const ESCAPES: ReadonlyMap<string, CharTest> = new Map([
  ["d", isDigit],
  ["D", not(isDigit)],
  ["w", isWord],
  ["W", not(isWord)],
  ["s", isSpace],
  ["S", not(isSpace)],
]);

/** The set that `\d` and its like stand for. */
export const classEscape = (letter: string): CharTest | undefined => ESCAPES.get(letter);

const POSIX: ReadonlyMap<string, CharTest> = new Map([
  ["alnum", isAlnum],
  ["alpha", isAlpha],
  ["ascii", (point) => point < 128],
  ["blank", (point) => point === 9 || point === 32],
  ["cntrl", (point) => point < 32 || point === 127],
  ["digit", isDigit],
  ["graph", isGraph],
  ["lower", isLower],
  ["print", (point) => between(point, 32, 126)],
  ["punct", (point) => isGraph(point) && !isAlnum(point)],
  ["space", (point) => isSpace(point) || point === 11],
  ["upper", isUpper],
  ["word", isWord],
  ["xdigit", (point) => isDigit(point) || between(point, 65, 70) || between(point, 97, 102)],
]);

/** The set of a name between `[:` and `:]`. */
export const posixClass = (name: string): CharTest | undefined => {
  const test = POSIX.get(name.replace(/^\^/, ""));
  return test !== undefined && name.startsWith("^") ? not(test) : test;
};

/** A category or a script of Unicode. The name is made of letters only, so that it is one name and nothing else. */
export const unicodeClass = (name: string): CharTest | undefined => {
  if (!/^[A-Za-z_]{1,40}$/.test(name)) return undefined;
  for (const property of [name, `Script=${name}`]) {
    try {
      const one = new RegExp(`^\\p{${property}}$`, "u");
      return (point) => one.test(String.fromCodePoint(point));
    } catch {
      // The next kind of name.
    }
  }
  return undefined;
};

/** The character whatever its case. */
export const foldedLiteral = (point: number): CharTest => {
  const text = String.fromCodePoint(point);
  const forms = new Set([text, text.toLowerCase(), text.toUpperCase()].flatMap((form) => (form.length <= 2 ? [form.codePointAt(0)] : [])));
  return (each) => forms.has(each);
};
