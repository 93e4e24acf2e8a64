/** What is longer is no name that somebody wrote, and looking for one in it takes a time that grows with its square. */
export const LONGEST_NAME = 500;

/**
 * The function's own name in what an engine says of a frame: `new a`, `async a`, `Object.a [as b]`, `b.prototype.a`, `a/<`.
 * Undefined for a function without one.
 */
export const ownName = (said: string): string | undefined => {
  if (said.length > LONGEST_NAME) return undefined;
  const bare = said
    .replace(/ \[as [^\]]*\]$/, "")
    .replace(/^(?:async |new |get |set |bound )+/, "")
    .replace(/[/<*]+$/, "");
  const last = /([\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*)$/u.exec(bare)?.[1];
  return last === undefined || last === "anonymous" ? undefined : last;
};

/** How far before a frame its function's beginning is looked for, characters, and at how many places. */
const MOST_CHARACTERS = 500_000;
const MOST_PLACES = 2_000;
/** Characters that are read in all to see which functions have ended by then. */
const MOST_READ = 4_000_000;

const PARAMETERS = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;
/** What stands before the name of a function or class where it is made. */
const BEFORE = /(?:\bfunction\s*\*?\s*|\bclass\s+)$/;
/** What stands behind it, up to the body. */
const HEAD = new RegExp(String.raw`^(?:\s*${PARAMETERS}|\s+extends\b[^{]*|)\s*\{`);
/** What stands behind the name that a function or class is assigned to, up to the body. */
const ASSIGNED = new RegExp(
  String.raw`^\s*[=:]\s*(?:async\b\s*)?(?:function\b[^(]*${PARAMETERS}\s*\{|class\b[^{]*\{|(?:${PARAMETERS}|[\w$]+)\s*=>\s*\{?)`,
);
/** What stands before the name of a method. */
const BEFORE_METHOD = /(?:^|[{},;\s]|\b(?:async|get|set|static)\s+)[*#]?$/;
const METHOD = new RegExp(String.raw`^\s*${PARAMETERS}\s*\{`);
const LONGEST_HEAD = 400;
const KEYWORDS: ReadonlySet<string> = new Set(["if", "for", "while", "switch", "catch", "with", "return", "function"]);

/**
 * Where the function that is called `name`, and within which `from` lies, gets its name: the nearest place before, at which the name
 * stands for a function, method or class whose body has not ended by then. Undefined where there is none near by.
 */
export const placeOfDefinition = (code: string, from: number, name: string): number | undefined => {
  if (KEYWORDS.has(name)) return undefined;
  const first = Math.max(0, from - MOST_CHARACTERS);
  const near = code.slice(first, from + name.length);
  const placeBefore = (end: number): number => (end < first ? -1 : first + near.lastIndexOf(name, end - first));
  let read = 0;
  let at = placeBefore(from);
  for (let places = 0; at >= first && places < MOST_PLACES && read < MOST_READ; places += 1) {
    const head = isWhole(code, at, name.length) ? headAt(code, at, name.length) : undefined;
    if (head !== undefined) {
      const body = at + name.length + head.length;
      if (body > from || isOpen(code, body, from, head.endsWith("{"))) return at;
      read += from - body;
    }
    at = placeBefore(at - 1);
  }
  return undefined;
};

const WORD = /[\p{ID_Continue}$]/u;

/** Whether a name stands at a place, and not a part of a longer one. */
export const isWhole = (code: string, at: number, length: number): boolean =>
  !WORD.test(code.charAt(at - 1)) && !WORD.test(code.charAt(at + length));

/** What stands between a name and the body of what it is the name of; undefined where it names no function, method or class there. */
const headAt = (code: string, at: number, length: number): string | undefined => {
  const before = code.slice(Math.max(0, at - 20), at);
  const behind = code.slice(at + length, at + length + LONGEST_HEAD);
  const head = BEFORE.test(before)
    ? HEAD.exec(behind)
    : (ASSIGNED.exec(behind) ?? (BEFORE_METHOD.test(before) ? METHOD.exec(behind) : null));
  return head?.[0];
};

/** Whether a body that begins at one place still goes on at another one, by its braces. */
const isOpen = (code: string, body: number, until: number, isBraced: boolean): boolean => {
  let depth = isBraced ? 1 : 0;
  for (let at = body; at < until; at += 1) {
    const character = code.charCodeAt(at);
    if (character === OPENING) depth += 1;
    else if (character === CLOSING) {
      depth -= 1;
      if (depth < (isBraced ? 1 : 0)) return false;
    }
  }
  return true;
};

const OPENING = 0x7b;
const CLOSING = 0x7d;
