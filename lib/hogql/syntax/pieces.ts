import { PIECE_MARK, TOKEN } from "./guard-text.ts";

/**
 * A part of a text that the parser reads by itself: the whole, a query in brackets, an argument with brackets of its own, or all arguments
 * of a call that has many. Where a piece stood, the piece around it has a placeholder of the same length.
 */
export interface Piece {
  readonly kind: "query" | "expression";
  readonly text: string;
  /** Where it begins in the whole text, in UTF-16 units. */
  readonly at: number;
  /** Whether it is arguments, written as an array: the parser takes several times as long for each of them behind the name of a call. */
  readonly isList?: true;
}

/**
 * A text in pieces, each after those within it, the whole last. Before the parser decides what `f(` is, it reads on to the end of the
 * brackets, and does so again for each call within them: in pieces, calls in calls cost what calls beside calls cost.
 *
 * A piece is cut out only where the grammar has room for any expression, or any query, and nothing else can stand: a list with a word
 * of another clause in it stays as it is.
 */
export const pieces = (kind: Piece["kind"], text: string): readonly Piece[] => {
  const found: Piece[] = [];
  /** Pieces that no piece around them has taken yet. */
  const free: { readonly span: Span; readonly number: number }[] = [];
  for (const span of [...spans(text), { kind, from: 0, to: text.length }]) {
    const cut: string[] = [];
    let end = span.to;
    for (let inner = free.at(-1); inner !== undefined && inner.span.from >= span.from; inner = free.at(-1)) {
      cut.push(text.slice(inner.span.to, end), standIn(inner.number, characters(text, inner.span)));
      end = inner.span.from;
      free.pop();
    }
    cut.push(text.slice(span.from, end));
    free.push({ span, number: found.length });
    const own = cut.reverse().join("");
    // The bracket stands in the place of the sign before it.
    found.push(
      span.isList ? { kind: span.kind, text: `[${own}]`, at: span.from - 1, isList: true } : { kind: span.kind, text: own, at: span.from },
    );
  }
  return found;
};

const standIn = (number: number, length: number): string => `{\`${PIECE_MARK}${number.toString(36)}\`}`.padEnd(length);

/** The number of the piece that a placeholder of this name stands for. */
export const pieceNumber = (name: unknown): number | undefined =>
  typeof name === "string" && name.startsWith(PIECE_MARK) ? Number.parseInt(name.slice(1), 36) : undefined;

/** Of a piece: at least as long as what will stand for it. */
const LEAST_LENGTH = 10;

/** The parser counts places in whole characters. */
const characters = (text: string, { from, to }: Span): number => [...text.slice(from, to)].length;

interface Span {
  readonly kind: Piece["kind"];
  readonly from: number;
  readonly to: number;
  readonly isList?: true;
}

interface Token {
  /** In capitals where it is a word. */
  readonly word: string;
  readonly from: number;
  readonly to: number;
}

/** Brackets that are open, and the item of their list that is read. */
interface Group {
  readonly opener: Token;
  readonly content: "arguments" | "tuple" | "query" | "anything";
  readonly isCast: boolean;
  /** Where the first item begins. */
  readonly start: number;
  /** Items that may be cut out, once it shows that there is nothing but items. */
  readonly items: Span[];
  /** Where the item begins, behind the arrow of a lambda. */
  from: number;
  hasBrackets: boolean;
  hasBranches: boolean;
  commas: number;
  /** A word or sign shows that there is more than a list of expressions. */
  isMixed: boolean;
  /** Behind the AS of a CAST stands a type, whose brackets hold no expressions. */
  inType: boolean;
}

/** The pieces that may be cut out, each behind those within it. */
const spans = (text: string): readonly Span[] => {
  const tokens = tokenize(text);
  const cut: Span[] = [];
  const groups: Group[] = [];
  for (const [index, token] of tokens.entries()) {
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    const group = groups.at(-1);
    if (UNREADABLE.has(token.word) || (token.word === "/" && isNext(before, token, "/"))) return [];
    if (token.word.startsWith("'") && before?.word === "F" && before.to === token.from) return [];
    if (OPENERS.has(token.word)) {
      if (group !== undefined && token.word !== "{") group.hasBrackets = true;
      groups.push(newGroup(token, before, tokens[index - 2], after, group));
    } else if (CLOSERS.has(token.word)) {
      groups.pop();
      if (group !== undefined && before !== undefined) cut.push(...closed(group, before.to));
    } else if (group !== undefined) read(group, token, before, after);
  }
  return cut.filter((span) => characters(text, span) >= LEAST_LENGTH).sort((a, b) => a.to - b.to || b.from - a.from);
};

/** Every word and sign, without what stands between them. */
const tokenize = (text: string): readonly Token[] =>
  Array.from(text.matchAll(TOKEN), ({ 0: word, index }) => ({ word: word.toUpperCase(), from: index, to: index + word.length })).filter(
    ({ word }) => !/^(\s|--|\/\*)/.test(word),
  );

const OPENERS: ReadonlySet<string> = new Set("([{");
const CLOSERS: ReadonlySet<string> = new Set(")]}");

/** Where comments of other kinds, templates and strays begin, brackets cannot be told from text. */
const UNREADABLE: ReadonlySet<string> = new Set(["#", "'", '"', "`", "<<"]);

const isNext = (before: Token | undefined, token: Token, word: string): boolean => before?.word === word && before.to === token.from;

const newGroup = (
  opener: Token,
  before: Token | undefined,
  beforeThat: Token | undefined,
  after: Token | undefined,
  around: Group | undefined,
): Group => ({
  opener,
  content: around?.inType === true ? "anything" : groupContent(opener.word, before?.word, beforeThat?.word, after?.word),
  isCast: opener.word === "(" && (before?.word === "CAST" || before?.word === "TRY_CAST"),
  start: after?.from ?? opener.to,
  items: [],
  from: after?.from ?? opener.to,
  hasBrackets: false,
  hasBranches: false,
  commas: 0,
  isMixed: false,
  inType: around?.inType === true,
});

const groupContent = (
  opener: string,
  before: string | undefined,
  beforeThat: string | undefined,
  after: string | undefined,
): Group["content"] => {
  if (opener === "{") return "anything";
  if (opener === "[") return "arguments";
  if (after === "SELECT" || after === "WITH") return before === undefined || BEFORE_BRANCHES.has(before) ? "anything" : "query";
  if (before === undefined || SIGNS.test(before)) return "tuple";
  if (beforeThat !== "." && BEFORE_TUPLES.has(before)) return "tuple";
  if (beforeThat !== "." && BEFORE_OTHERS.has(before)) return "anything";
  return ENDS_OF_NAMES.test(before) ? "arguments" : "anything";
};

/** A query in brackets may be a branch of a union behind these, whose ORDER BY and LIMIT are those of the union. */
const BEFORE_BRANCHES: ReadonlySet<string> = new Set(["(", "UNION", "INTERSECT", "EXCEPT", "ALL", "DISTINCT", "NAME"]);
const SIGNS = /^[-+*/%=<>!~|?:,([]$/;
const BEFORE_TUPLES: ReadonlySet<string> = new Set(
  "AND OR NOT IN LIKE ILIKE BETWEEN CASE WHEN THEN ELSE WHERE PREWHERE HAVING QUALIFY BY SELECT ON LIMIT OFFSET".split(" "),
);
const BEFORE_OTHERS: ReadonlySet<string> = new Set(
  "FROM JOIN USING AS OVER FILTER GROUP WINDOW VALUES EXCLUDE EXCEPT COLUMNS DISTINCT ALL ANY INTERVAL ARRAY IS UNION INTERSECT SAMPLE SETS".split(
    " ",
  ),
);
const ENDS_OF_NAMES = /^[\w$`")\]]/;

/** Goes on with the list that a group holds. */
const read = (group: Group, token: Token, before: Token | undefined, after: Token | undefined): void => {
  if (group.inType || group.content === "query" || group.content === "anything") return;
  const from = after?.from ?? token.to;
  const isName = before?.word === ".";
  if (token.word === ",") {
    endItem(group, before?.to ?? token.from);
    group.commas += 1;
    group.from = from;
  } else if (isNext(before, token, "-") && token.word === ">") {
    group.from = from;
    group.hasBrackets = false;
  } else if (token.word === "?") group.hasBranches = true;
  else if (token.word === ":") {
    const isCast = isNext(before, token, ":") || (after?.word === ":" && after.from === token.to);
    if (!isCast && !group.hasBranches) group.isMixed = true;
  } else if (group.isCast && token.word === "AS" && !isName) {
    endItem(group, before?.to ?? token.from);
    group.inType = true;
  } else if (!isName && CLAUSES.has(token.word)) group.isMixed = true;
};

/** Words that stand among the arguments of some calls, and in brackets that hold no list. */
const CLAUSES: ReadonlySet<string> = new Set(
  "AS FROM FOR ORDER BY ASC ASCENDING DESC DESCENDING NULLS DISTINCT SELECT WITH WHERE PARTITION ROWS RANGE JOIN ON USING UNION INTERSECT EXCEPT LIMIT OFFSET BOTH LEADING TRAILING ;".split(
    " ",
  ),
);

/** With so many commas it is worth the while to have the arguments of a call read as an array. */
const MANY_COMMAS = 7;

/** The pieces that may be cut out of brackets that end. */
const closed = (group: Group, to: number): readonly Span[] => {
  if (group.content === "query") return [{ kind: "query", from: group.from, to }];
  endItem(group, to);
  const isList = group.content === "arguments" || (group.content === "tuple" && group.commas > 0);
  if (!isList || group.isMixed) return [];
  const isLongCall = group.content === "arguments" && group.opener.word === "(" && !group.isCast && group.commas >= MANY_COMMAS;
  return isLongCall ? [...group.items, { kind: "expression", from: group.start, to, isList: true }] : group.items;
};

const endItem = (group: Group, to: number): void => {
  if (group.hasBrackets && !group.inType) group.items.push({ kind: "expression", from: group.from, to });
  group.hasBrackets = false;
  group.hasBranches = false;
};
