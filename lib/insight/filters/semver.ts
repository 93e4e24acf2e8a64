import type { CompareOp, Expr } from "../../hogql/ast.ts";
import { arithmetic, call, compare, constant, every, not, some } from "../../hogql/build.ts";
import { QueryError } from "../../hogql/errors.ts";

/** Major, minor and patch as one number, lessened by a half before a release: each part counts up to a million. */
interface Version {
  readonly core: readonly [number, number, number];
  /** How many of the three were written. */
  readonly parts: number;
  /** The text after the hyphen; empty for a release. */
  readonly pre: string;
}

type Comparison = "semver_eq" | "semver_neq" | "semver_gt" | "semver_gte" | "semver_lt" | "semver_lte";
type Range = "semver_tilde" | "semver_caret" | "semver_wildcard";

/** A property's version against one; a text that is no version fulfils only `semver_neq`. */
export const versionCondition = (text: Expr, operator: Comparison, value: string): Expr => {
  const version = parseVersion(operator, value);
  const rank = compareRank(text, version);
  switch (operator) {
    case "semver_eq":
      return rank("==");
    case "semver_neq":
      return not(rank("=="));
    case "semver_gt":
      return rank(">");
    case "semver_gte":
      return rank(">=");
    case "semver_lt":
      return rank("<");
    case "semver_lte":
      return rank("<=");
  }
};

/** `~1.2.3` up to the next minor version, `^1.2.3` up to the next that may break, `1.2.*` every version that begins so. */
export const inVersionRange = (text: Expr, operator: Range, value: string): Expr => {
  if (operator === "semver_wildcard") return beginsWith(text, value);
  const version = parseVersion(operator, value);
  const [major, minor, patch] = version.core;
  const atLeast = compareRank(text, version)(">=");
  const nextMinor = version.parts === 1 ? [major + 1, 0, 0] : [major, minor + 1, 0];
  const nextBreaking =
    major > 0 || version.parts === 1 ? [major + 1, 0, 0] : minor > 0 || version.parts === 2 ? [0, minor + 1, 0] : [0, 0, patch + 1];
  return every([atLeast, below(text, operator === "semver_tilde" ? nextMinor : nextBreaking)]);
};

/** Longest version that is read, in characters. */
const MAX_VERSION = 100;

const beginsWith = (text: Expr, value: string): Expr => {
  const trimmed = value.trim();
  const given = trimmed.length > MAX_VERSION ? trimmed : trimmed.replace(/(?:\.?[*xX])+$/, "");
  if (given === "") return compare("!=", versionNumber(text), constant(null));
  const version = parseVersion("semver_wildcard", given);
  const [major, minor, patch] = version.core;
  const next = version.parts === 1 ? [major + 1, 0, 0] : version.parts === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];
  return every([compare(">=", versionNumber(text), constant(coreNumber(version.core) - HALF)), below(text, next)]);
};

const MILLION = 1_000_000;
const HALF = 0.5;
const VERSION = /^\s*v?(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?\s*$/;
/** The same, of a property's text. */
const NUMBERS = ["^\\s*v?(\\d{1,6})", "^\\s*v?\\d{1,6}\\.(\\d{1,6})", "^\\s*v?\\d{1,6}\\.\\d{1,6}\\.(\\d{1,6})"] as const;
const PRE = "^\\s*v?\\d{1,6}(?:\\.\\d{1,6}){0,2}-([0-9A-Za-z.-]+)";

const parseVersion = (operator: string, value: string): Version => {
  const match = value.length > MAX_VERSION ? null : VERSION.exec(value);
  if (match === null) {
    throw new QueryError("invalid_input", `\`${value.slice(0, 60)}\` is not a version for \`${operator}\`: write one such as \`1.2.3\`.`);
  }
  const [, major, minor, patch, pre = ""] = match;
  const parts = [major, minor, patch].filter((part) => part !== undefined).length;
  return { core: [Number(major ?? 0), Number(minor ?? 0), Number(patch ?? 0)], parts, pre };
};

/** Released before anything of the version `core`, its own candidates included. */
const below = (text: Expr, core: readonly number[]): Expr => compare("<", versionNumber(text), constant(coreNumber(core) - HALF));

const coreNumber = ([major = 0, minor = 0, patch = 0]: readonly number[]): number => (major * MILLION + minor) * MILLION + patch;

const compareRank = (text: Expr, { core, pre }: Version) => {
  const number = versionNumber(text);
  const own = constant(coreNumber(core) - (pre === "" ? 0 : HALF));
  const rest = call("extract", text, constant(PRE));
  return (op: Extract<CompareOp, "==" | "<" | "<=" | ">" | ">=">): Expr => {
    const same = every([compare("==", number, own), compare(op, rest, constant(pre))]);
    return op === "==" ? same : some([compare(op === "<=" ? "<" : op === ">=" ? ">" : op, number, own), same]);
  };
};

/** NULL for a text that is no version. */
const versionNumber = (text: Expr): Expr => {
  const [major, minor, patch] = NUMBERS.map((pattern) => call("toFloat", call("extract", text, constant(pattern))));
  const zero = constant(0);
  const part = (of: Expr | undefined): Expr => call("coalesce", of ?? zero, zero);
  const times = (left: Expr): Expr => arithmetic("*", left, constant(MILLION));
  const plus = (left: Expr, right: Expr): Expr => arithmetic("+", left, right);
  const core = plus(times(plus(times(major ?? zero), part(minor))), part(patch));
  const before = call("if", call("notEmpty", call("extract", text, constant(PRE))), constant(HALF), zero);
  return arithmetic("-", core, before);
};
