/** One token of a pattern; `\Q…\E` and names of classes in one piece. */
const TOKEN =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pP](?:\{[^}]*\}|[\s\S])?|\[:\^?\w+:\]|\{(?<least>\d{1,5})(?:,(?<most>\d{0,5}))?\}|\\x\{[0-9a-fA-F]*\}|\\x[0-9a-fA-F]{2}|\\[\s\S]|[\s\S]/gu;

/** The work of a class of Unicode with its hundreds of ranges. */
const UNICODE_CLASS = 100;
/** The work of even the shortest pattern. */
const SHORTEST = 20;
/** Where it begins, where it ends, and what stands for nothing in it. */
const GROUP = 3;
/** A pattern that may be found within a character is compiled twice more, to learn whether it is. */
const TIMES_INSIDE = 3;
/** Characters of a range whose other cases are looked for in the time that anything else takes. */
const FOLDED_AT_ONCE = 32;

/**
 * How much work it is to compile a pattern: its parts, those that are repeated as often as they are written out, and what its classes
 * take beside. Counted in one pass, because ten characters may stand for a million.
 */
export const patternWork = (pattern: string): number => {
  const folds = /\(\?[a-zA-Z]*i/.test(pattern);
  const groups = [0];
  let [last, classes] = [0, 0];
  /** The tokens so far of the class that is open: a `]` ends it unless it stands first. */
  let inside: string[] | undefined;
  const add = (parts: number): void => {
    last = parts;
    groups.push((groups.pop() ?? 0) + parts);
  };
  for (const { 0: token, groups: counts } of pattern.matchAll(TOKEN)) {
    if (/^\\[pP]/.test(token)) classes += UNICODE_CLASS;
    if (inside !== undefined) {
      if (token === "]" && inside.length > (inside[0] === "^" ? 1 : 0)) inside = undefined;
      else {
        if (folds && inside.at(-1) === "-") classes += folded(inside.at(-2), token);
        inside.push(token);
        classes += 1;
      }
    } else if (token === "[") {
      inside = [];
      add(1);
    } else if (token === "(") groups.push(0);
    else if (token === ")") {
      const within = groups.length > 1 ? (groups.pop() ?? 0) : 0;
      add(within + GROUP);
    } else if (counts?.least !== undefined) {
      const [once, least, most] = [last, Number(counts.least), Number(counts.most ?? 0)];
      add(once * least + (once + 1) * Math.max(most - least, 0) + 1);
    } else add(token.length > 2 && token.startsWith("\\Q") ? token.length : 1);
  }
  const once = SHORTEST + classes + groups.reduce((sum, parts) => sum + parts, 0);
  return pattern.includes("\\B") ? TIMES_INSIDE * once : once;
};

/** The work of a range of a class where upper and lower case are the same. */
const folded = (from: string | undefined, to: string): number => Math.abs(codePoint(to) - codePoint(from ?? to)) / FOLDED_AT_ONCE;

const codePoint = (part: string): number => {
  const written = /^\\x\{?([0-9a-fA-F]+)\}?$/.exec(part)?.[1];
  return written === undefined ? (part.codePointAt(part.length > 1 && part.startsWith("\\") ? 1 : 0) ?? 0) : Number.parseInt(written, 16);
};
