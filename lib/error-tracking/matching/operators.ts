import { type Budget, BudgetExhausted, spend } from "../../core/budget.ts";
import { byteOrder } from "../../core/byte-order.ts";
import { contains } from "../../core/contains.ts";
import { parseTimestamp } from "../../hogql/calendar.ts";
import { QueryError } from "../../hogql/errors.ts";
import { timeZone } from "../../hogql/time-zone.ts";
import { type Clock, endOf, startOf } from "../../insight/dates.ts";
import { FilterError, type FilterLeaf } from "./filter-tree.ts";
import { compileRegex, type Regex } from "./regex.ts";
import type { Subject } from "./subject.ts";

/** Whether a text of a property fulfils a condition. */
type TextTest = (text: string, subject: Subject) => boolean;

/** Whether a property fulfils a condition, all of its texts considered. */
export type LeafTest = (subject: Subject) => boolean;

/**
 * One condition. Of several texts one is enough, and the negation holds when there is none of them; a missing property fulfils the
 * negations and nothing else. What each operator says of a text is what filters of insights say of it, but that those find an empty one
 * missing, and of several values that something is to be beyond take the first alone. `parts`: of regular expressions that may still be
 * compiled. Throws `FilterError`.
 */
export const leafTest = (leaf: FilterLeaf, timezone: string, parts: Budget): LeafTest => {
  const { key, type, operator } = leaf;
  const any =
    (test: TextTest): LeafTest =>
    (subject) =>
      testSome(subject.texts(type, key), test, subject);
  const anyFolded =
    (test: TextTest): LeafTest =>
    (subject) =>
      testSome(subject.folded(type, key), test, subject);
  switch (operator) {
    case "is_set":
      return (subject) => subject.texts(type, key) !== null;
    case "is_not_set":
      return (subject) => subject.texts(type, key) === null;
    case "exact":
    case "in":
      return emptyOr(leaf, any(equal(leaf, timezone)));
    case "is_not":
    case "not_in":
      return emptyOr(leaf, not(any(equal(leaf, timezone))));
    case "icontains":
      return emptyOr(leaf, anyFolded(containing(leaf)));
    case "not_icontains":
      return emptyOr(leaf, not(anyFolded(containing(leaf))));
    case "regex":
      return emptyOr(leaf, any(matching(leaf, parts)));
    case "not_regex":
      return emptyOr(leaf, not(any(matching(leaf, parts))));
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return emptyOr(leaf, any(anyValue(leaf, (value) => ordered(operator, value, timezone))));
    case "between":
      return any(between(leaf, timezone));
    case "not_between":
      return not(any(between(leaf, timezone)));
    case "is_date_exact":
      return emptyOr(leaf, any(anyValue(leaf, (date) => onDate(date, timezone))));
    case "is_date_before":
      return emptyOr(leaf, any(anyValue(leaf, (date) => compareTime((time, clock) => time < startOf(date, clock, null), date, timezone))));
    case "is_date_after":
      return emptyOr(leaf, any(anyValue(leaf, (date) => compareTime((time, clock) => time >= afterDate(date, clock), date, timezone))));
    default:
      throw new FilterError("meaning", `There is no operator \`${operator.slice(0, 60)}\`.`);
  }
};

/** Steps that looking at a text takes besides what is looked for in it; and reading it as a time, which days and zones make long. */
const STEPS_OF_TEXT = 20;
const STEPS_OF_TIME = 500;

/** Characters that are read in a step, to see whether a text is a number or a time. */
const CHARACTERS_A_STEP = 2;

/** Whether a condition holds for one of the texts; what it takes is bounded by the event's budget, however many rules ask. */
const testSome = (texts: readonly string[] | null, test: TextTest, subject: Subject): boolean => {
  if (texts === null) return false;
  spend(subject.budget, STEPS_OF_TEXT * (texts.length + 1));
  return texts.some((text) => test(text, subject));
};

const not =
  (test: LeafTest): LeafTest =>
  (subject) =>
    !test(subject);

const always: LeafTest = () => true;

/** A list without values asks for nothing. */
const emptyOr = (leaf: FilterLeaf, test: LeafTest): LeafTest => (wantedTexts(leaf).length === 0 ? always : test);

const wantedTexts = ({ operator, value }: FilterLeaf): readonly string[] => {
  if (value === null) throw new FilterError("meaning", `The operator \`${operator}\` needs a value.`);
  return typeof value === "object" ? value.map(String) : [String(value)];
};

/** Whether a text fulfils a condition for one of its values. */
const anyValue = (leaf: FilterLeaf, make: (value: string) => TextTest): TextTest => {
  const tests = wantedTexts(leaf).map(make);
  return (text, subject) => tests.some((test) => test(text, subject));
};

/** A date, with or without a time, and nothing else. */
const ABSOLUTE = /^\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const RELATIVE_DATE = /^(?:[+-]\d{1,5}[sMhdwmqy]|[+-]?\d{0,5}[sMhdwmqy](?:Start|End))$/;

const equal = (leaf: FilterLeaf, timezone: string): TextTest => {
  const values = new Set(wantedTexts(leaf));
  const dates = [...values].filter((value) => ABSOLUTE.test(value));
  if (dates.length === 0) return (text) => values.has(text);
  const clock = zoneClock(0, timezone);
  const moments = new Set(dates.map((date) => refused("meaning", () => startOf(date, clock, null))));
  return (text, { budget }) => {
    if (values.has(text)) return true;
    const time = parseTime(text, timezone, budget);
    return time !== null && moments.has(time);
  };
};

const containing = (leaf: FilterLeaf): TextTest => {
  const wanted = wantedTexts(leaf).map((part) => part.toLowerCase());
  return (text, { budget }) => wanted.some((part) => contains(text, part, budget));
};

const matching = (leaf: FilterLeaf, parts: Budget): TextTest => {
  const patterns = wantedTexts(leaf).map((pattern) => compiled(pattern, parts));
  return (text, { budget }) => patterns.some((pattern) => pattern.test(text, budget));
};

const TOO_MANY_PARTS =
  "The regular expressions of the rule, or of all rules of the project, are too long together once their repetitions are written out.";

const compiled = (pattern: string, parts: Budget): Regex => {
  try {
    return refused("pattern", () => compileRegex(pattern, parts));
  } catch (error) {
    if (error instanceof BudgetExhausted) throw new FilterError("pattern", TOO_MANY_PARTS);
    throw error;
  }
};

/** Each digit can be taken in one way alone: a text of a million of them is read once. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;

/** The number that is all of a text, or null. */
const parseNumber = (text: string, budget: Budget): number | null => {
  spend(budget, text.length / CHARACTERS_A_STEP);
  if (NUMBER.test(text)) return Number(text);
  const infinite = INFINITE.exec(text);
  if (infinite === null) return null;
  return infinite[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
};

const COMPARED = {
  gt: (order: number) => order > 0,
  gte: (order: number) => order >= 0,
  lt: (order: number) => order < 0,
  lte: (order: number) => order <= 0,
} as const;

/** As numbers when the value is one, as times when it is a date, else as texts. */
const ordered = (operator: keyof typeof COMPARED, value: string, timezone: string): TextTest => {
  const holds = COMPARED[operator];
  const number = Number(value);
  if (value.trim() !== "" && Number.isFinite(number)) {
    return (text, { budget }) => {
      const found = parseNumber(text, budget);
      return found !== null && holds(found - number);
    };
  }
  if (!ABSOLUTE.test(value) && !RELATIVE_DATE.test(value)) return (text) => holds(byteOrder(text, value));
  switch (operator) {
    case "gt":
      return compareTime((time, clock) => time >= afterDate(value, clock), value, timezone);
    case "gte":
      return compareTime((time, clock) => time >= startOf(value, clock, null), value, timezone);
    case "lt":
      return compareTime((time, clock) => time < startOf(value, clock, null), value, timezone);
    case "lte":
      return compareTime((time, clock) => time < afterDate(value, clock), value, timezone);
  }
};

const between = (leaf: FilterLeaf, timezone: string): TextTest => {
  const [low, high, ...more] = wantedTexts(leaf);
  if (low === undefined || high === undefined || more.length > 0) {
    throw new FilterError("meaning", "The operators `between` and `not_between` need a list of two values.");
  }
  const isFrom = ordered("gte", low, timezone);
  const isTo = ordered("lte", high, timezone);
  return (text, subject) => isFrom(text, subject) && isTo(text, subject);
};

const onDate = (date: string, timezone: string): TextTest =>
  compareTime((time, clock) => time >= startOf(date, clock, "second") && time < endOf(date, clock, "second"), date, timezone);

/** A comparison of times; the date is read once before, so that one which is none is refused when the rule is saved. */
const compareTime = (holds: (time: bigint, clock: Clock) => boolean, date: string, timezone: string): TextTest => {
  refused("meaning", () => startOf(date, zoneClock(0, timezone), null));
  return (text, { now, budget }) => {
    const time = parseTime(text, timezone, budget);
    return time !== null && holds(time, zoneClock(now, timezone));
  };
};

/** A rule refuses whatever queries refuse. */
const refused = <T>(kind: FilterError["kind"], read: () => T): T => {
  try {
    return read();
  } catch (error) {
    if (error instanceof QueryError) throw new FilterError(kind, error.message);
    throw error;
  }
};

const zoneClock = (now: number, timezone: string): Clock => ({ now, timezone, weekStart: 0 });

/** The first moment that is after a date: a day that is named is over, a moment has passed. */
const afterDate = (date: string, clock: Clock): bigint => endOf(date, clock, DAY.test(date) ? "second" : null);
const DAY = /^\s*\d{4}-\d{1,2}-\d{1,2}\s*$/;

const SECONDS = /^\d{9,10}(?:\.\d{1,6})?$/;
const MILLISECONDS = /^\d{13}$/;

/** A text as a time in microseconds: ISO 8601, or seconds or milliseconds since 1970. */
const parseTime = (text: string, timezone: string, budget: Budget): bigint | null => {
  spend(budget, STEPS_OF_TIME + text.length / CHARACTERS_A_STEP);
  if (MILLISECONDS.test(text)) return BigInt(text) * 1_000n;
  if (!SECONDS.test(text)) return parseTimestamp(text, timeZone(timezone));
  const [whole = "0", part = ""] = text.split(".");
  return BigInt(whole) * 1_000_000n + BigInt(part.padEnd(6, "0"));
};
