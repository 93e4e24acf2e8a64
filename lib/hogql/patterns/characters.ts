/** Before the first and after the last character. */
export const NONE = -1;

/** The characters that are sorted into classes: all others are rare in what rules are asked about. */
export const ASCII = 128;

const NEWLINE = 10;

/** What holds between two characters, by re2js's bits. */
const BEGIN_LINE = 1;
const END_LINE = 2;
export const BEGIN_TEXT = 4;
const END_TEXT = 8;
const WORD_BOUNDARY = 16;
const NO_WORD_BOUNDARY = 32;

/** What kind of character it is, as far as that decides what holds beside it. */
const KIND_OF_NONE = 0;
const KIND_OF_NEWLINE = 1;
const KIND_OF_WORD = 2;
const KIND_OF_OTHER = 3;

export const kindOf = (rune: number): number => {
  if (rune >= ASCII) return KIND_OF_OTHER;
  return rune === NONE ? KIND_OF_NONE : (KINDS_OF_ASCII[rune] ?? KIND_OF_OTHER);
};

const KINDS_OF_ASCII = Uint8Array.from({ length: ASCII }, (_, rune) => {
  if (rune === NEWLINE) return KIND_OF_NEWLINE;
  return /\w/.test(String.fromCharCode(rune)) ? KIND_OF_WORD : KIND_OF_OTHER;
});

/** The character at a place of a text; what is half of one counts as one. */
export const runeAt = (text: string, at: number): number => {
  if (at >= text.length) return NONE;
  const unit = text.charCodeAt(at);
  return unit < ASCII ? unit : (text.codePointAt(at) ?? NONE);
};

/** What holds between two characters of some kinds. */
export const holdsBetween = (before: number, after: number): number =>
  (before === KIND_OF_NONE ? BEGIN_TEXT | BEGIN_LINE : 0) |
  (before === KIND_OF_NEWLINE ? BEGIN_LINE : 0) |
  (after === KIND_OF_NONE ? END_TEXT | END_LINE : 0) |
  (after === KIND_OF_NEWLINE ? END_LINE : 0) |
  ((before === KIND_OF_WORD) === (after === KIND_OF_WORD) ? NO_WORD_BOUNDARY : WORD_BOUNDARY);

/** The classes of the characters of ASCII: those of one class are taken by the same takers, and are of the same kind. */
export const asciiClasses = (takers: Iterable<(rune: number) => boolean>): { readonly classes: Uint8Array; readonly count: number } => {
  const classes = Uint8Array.from({ length: ASCII }, (_, rune) => kindOf(rune));
  for (const takes of takers) {
    /** The class that those of a class become which are taken. */
    const taken = new Map<number, number>();
    const count = Math.max(...classes) + 1;
    for (let rune = 0; rune < ASCII; rune += 1) {
      if (!takes(rune)) continue;
      const own = classes[rune] ?? 0;
      const next = taken.get(own) ?? count + taken.size;
      taken.set(own, next);
      classes[rune] = next;
    }
    numberAnew(classes);
  }
  return { classes, count: Math.max(...classes) + 1 };
};

/** Numbers classes from 0 on: those all of which are taken have left their number behind. */
const numberAnew = (classes: Uint8Array): void => {
  const numbers = new Map([...new Set(classes)].map((own, number) => [own, number]));
  for (let rune = 0; rune < ASCII; rune += 1) classes[rune] = numbers.get(classes[rune] ?? 0) ?? 0;
};
