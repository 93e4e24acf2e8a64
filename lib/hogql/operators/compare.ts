import { type Expression, type Fact, flags, made } from "../analysis/expression.ts";
import { literal, type Run } from "../analysis/run.ts";
import { BOOLEAN, common, FLOAT, INT64, isNumeric, isOpen, isText, isTime, nameOf, type Type, UUID } from "../analysis/types.ts";
import { QueryError } from "../errors.ts";
import { parseStamp, startOfDay } from "../time/calendar.ts";
import { asStamp, parsedDate, parsedStamp, zoneFor } from "../time/time-sql.ts";

/**
 * How a condition is used. As a `filter`, NULL counts as false, so that the plain operator can stand, which DuckDB pushes down
 * into the files; as a `value`, the language's own two-valued logic is written out.
 */
export type Mode = "filter" | "value";

export type OrderOp = "<" | "<=" | ">" | ">=";

/** `left op right` for `==` and the orders: false when a side is NULL, but two literal NULLs are equal. */
export const compared = (run: Run, op: "==" | OrderOp, left: Expression, right: Expression, mode: Mode): Expression => {
  if (left.known === null || right.known === null) return nullComparison(run, op, left, right);
  const [a, b] = comparable(run, left, right, op);
  const sql = `(${a.sql} ${op === "==" ? "=" : op} ${b.sql})`;
  const nullable = a.nullable || b.nullable;
  const facts = [...factsOf(run, op, a, b), ...factsOf(run, MIRRORED[op], b, a)];
  const soft = nullable && mode === "value" ? `coalesce(${sql}, false)` : sql;
  const exact = facts.length === 1 && !nullable && (isStamp(a) || isStamp(b));
  return {
    ...made(soft, BOOLEAN, [left, right], nullable && mode === "filter"),
    ...(facts.length > 0 ? { facts } : {}),
    ...(exact ? { exact } : {}),
  };
};

/** The row's time itself, and not something that lies below it. */
const isStamp = ({ origin }: Expression): boolean => origin?.column === "timestamp" && origin.below === 0n;

/** `left != right`: true when exactly one side is NULL. */
export const differing = (run: Run, left: Expression, right: Expression): Expression => {
  if (right.known === null || left.known === null) {
    const other = right.known === null ? left : right;
    if (other.known === null) return run.known(false, BOOLEAN);
    return made(`(${other.sql} IS NOT NULL)`, BOOLEAN, [other], false);
  }
  const [a, b] = comparable(run, left, right, "!=");
  const operator = a.nullable || b.nullable ? "IS DISTINCT FROM" : "<>";
  return made(`(${a.sql} ${operator} ${b.sql})`, BOOLEAN, [left, right], false);
};

const MIRRORED = { "==": "==", "<": ">", "<=": ">=", ">": "<", ">=": "<=" } as const;

const nullComparison = (run: Run, op: string, left: Expression, right: Expression): Expression => {
  const other = left.known === null ? right : left;
  if (op !== "==") return run.known(false, BOOLEAN);
  if (other.known === null) return run.known(true, BOOLEAN);
  return made(`(${other.sql} IS NULL)`, BOOLEAN, [other], false);
};

/** Both sides in one type, as ClickHouse would compare them; an error that names both types where it would not. */
export const comparable = (run: Run, left: Expression, right: Expression, op: string): readonly [Expression, Expression] => {
  if (left.type.kind === "tuple" && right.type.kind === "tuple" && left.items && right.items) return [left, right];
  const a = fitted(run, left, right, op);
  const b = fitted(run, right, a, op);
  return [cheaper(a, b), cheaper(b, a)];
};

/** `value`, changed to what it must be beside `other`. */
const fitted = (run: Run, value: Expression, other: Expression, op: string): Expression => {
  const from = value.type;
  const to = other.type;
  if (isOpen(from) || isOpen(to)) return value;
  if (isText(from) && to.kind === "datetime") return parsedStamp(run, value, zoneFor(run, to));
  if (isText(from) && to.kind === "date") return textBesideDate(run, value);
  if (from.kind === "date" && to.kind === "datetime") return asStamp(run, value);
  if (isText(from) && to.kind === "uuid") return made(`TRY_CAST(${value.sql} AS UUID)`, UUID, [value], true);
  if (isText(from) && isNumeric(to)) return numberBesideNumber(run, value, other, op);
  if (from.kind === "boolean" && isNumeric(to) && to.kind !== "boolean") return made(`CAST(${value.sql} AS BIGINT)`, INT64, [value]);
  if (common(from, to) !== null || from.kind === to.kind) return value;
  if (
    (isText(to) || to.kind === "datetime" || to.kind === "uuid") &&
    (isText(from) || isTime(from) || from.kind === "uuid" || isNumeric(from))
  ) {
    return value;
  }
  throw mismatch(value, other, op);
};

/** A constant time beside a date column is compared as a time, a constant date as a date. */
const textBesideDate = (run: Run, value: Expression): Expression => {
  if (typeof value.known !== "string") return parsedDate(run, value);
  const stamp = parseStamp(value.known, run.zone);
  const day = parsedDate(run, value);
  if (stamp === null || typeof day.known !== "bigint" || stamp === startOfDay(day.known, run.zone)) return day;
  return run.known(stamp, { kind: "datetime", digits: 6 });
};

/** A constant text beside a number is read as one; a text that depends on rows has to be converted by the author. */
const numberBesideNumber = (run: Run, value: Expression, other: Expression, op: string): Expression => {
  if (typeof value.known !== "string") throw mismatch(value, other, op);
  if (other.type.kind === "boolean") {
    const text = value.known.toLowerCase();
    if (text === "true" || text === "1") return literal(run, true);
    if (text === "false" || text === "0") return literal(run, false);
  }
  const number = Number(value.known);
  if (value.known.trim() === "" || Number.isNaN(number)) throw mismatch(value, other, op);
  return Number.isSafeInteger(number) ? literal(run, number) : run.known(number, FLOAT);
};

export const mismatch = (a: Expression, b: Expression, op: string): QueryError =>
  new QueryError(
    "no_common_type",
    `Cannot compare ${nameOf(a.type, a.nullable)} with ${nameOf(b.type, b.nullable)} by \`${op}\`: convert one side with toString, toInt, toFloat or toDateTime.`,
  );

/** Beside a constant that is not empty, a text need not have its empty strings turned into NULL first. */
const cheaper = (value: Expression, other: Expression): Expression =>
  value.raw !== undefined && typeof other.known === "string" && other.known !== "" ? { ...value, sql: value.raw, nullable: true } : value;

/** What `value op constant` says of the rows of a scan. */
const factsOf = (run: Run, op: "==" | OrderOp, value: Expression, other: Expression): readonly Fact[] => {
  const { origin } = value;
  if (origin === undefined || other.known === undefined) return [];
  if (origin.column !== "timestamp") {
    if (op !== "==" || typeof other.known !== "string") return [];
    return [
      origin.column === "event" ? { bounds: origin.bounds, events: [other.known] } : { bounds: origin.bounds, distinctIds: [other.known] },
    ];
  }
  const at = microsOfKnown(run, other);
  if (at === null) return [];
  const from = op === "==" || op === ">=" ? { from: at } : op === ">" ? { from: at + 1n } : {};
  const to = op === "==" || op === "<=" ? { to: at + origin.below + 1n } : op === "<" ? { to: at + origin.below } : {};
  return [{ bounds: origin.bounds, ...from, ...to }];
};

const microsOfKnown = (run: Run, value: Expression): bigint | null => {
  if (typeof value.known !== "bigint") return null;
  if (value.type.kind === "datetime") return value.known;
  return value.type.kind === "date" ? startOfDay(value.known, run.zone) : null;
};

/** `item IN (…)`: false for NULL, and `NOT IN` true. NULL elements match nothing. */
export const among = (run: Run, item: Expression, items: readonly Expression[], negated: boolean, mode: Mode): Expression => {
  const given = items.filter((element) => element.known !== null);
  if (item.known === null || given.length === 0) return run.known(negated, BOOLEAN);
  const pairs = given.map((element) => comparable(run, item, element, "IN"));
  const subject = pairs.every(([left]) => left.sql === pairs[0]?.[0].sql) ? pairs[0]?.[0] : undefined;
  const parts = [item, ...given];
  if (subject === undefined) return amongMixed(run, pairs, parts, negated);
  const sql = `(${subject.sql} ${negated ? "NOT IN" : "IN"} (${pairs.map(([, right]) => right.sql).join(", ")}))`;
  const nullable = subject.nullable || given.some((element) => element.nullable);
  const facts = negated ? [] : unionFacts(pairs.map(([left, right]) => factsOf(run, "==", left, right)));
  const soft = nullable && (negated || mode === "value") ? `coalesce(${sql}, ${negated})` : sql;
  return { ...made(soft, BOOLEAN, parts, nullable && mode === "filter" && !negated), ...(facts.length > 0 ? { facts } : {}) };
};

const amongMixed = (
  run: Run,
  pairs: readonly (readonly [Expression, Expression])[],
  parts: readonly Expression[],
  negated: boolean,
): Expression => {
  const any = pairs.map(([left, right]) => compared(run, "==", left, right, "value").sql).join(" OR ");
  return made(negated ? `(NOT (${any}))` : `(${any})`, BOOLEAN, parts, false);
};

/** What holds when any of several conditions does: only bounds that each of them gives. */
const unionFacts = (alternatives: readonly (readonly Fact[])[]): readonly Fact[] => {
  const [first, ...others] = alternatives;
  if (first === undefined) return [];
  return first.flatMap((fact): readonly Fact[] => {
    const same = others.map((facts) => facts.filter(({ bounds }) => bounds === fact.bounds));
    if (same.some((facts) => facts.length === 0)) return [];
    const merged = united(fact.bounds, [fact, ...same.map(intersected)]);
    return Object.keys(merged).length > 1 ? [merged] : [];
  });
};

const intersected = (facts: readonly Fact[]): Fact => {
  const [first, ...others] = facts;
  if (first === undefined) throw new QueryError("invalid_input", "The condition is empty.");
  return others.reduce<Fact>((all, fact) => {
    const from = all.from === undefined || (fact.from !== undefined && fact.from > all.from) ? fact.from : all.from;
    const to = all.to === undefined || (fact.to !== undefined && fact.to < all.to) ? fact.to : all.to;
    const events = all.events ?? fact.events;
    const distinctIds = all.distinctIds ?? fact.distinctIds;
    return factOf(all.bounds, from, to, events, distinctIds);
  }, first);
};

/** What holds of rows of which one of the facts holds: all of them at once, because a list may have thousands. */
const united = (bounds: Fact["bounds"], facts: readonly Fact[]): Fact =>
  factOf(
    bounds,
    ofAll(facts, ({ from }) => from)?.reduce(least),
    ofAll(facts, ({ to }) => to)?.reduce(greatest),
    valuesOfAll(facts, ({ events }) => events),
    valuesOfAll(facts, ({ distinctIds }) => distinctIds),
  );

/** What every one of the facts gives, or undefined as soon as one gives nothing. */
const ofAll = <T>(facts: readonly Fact[], pick: (fact: Fact) => T | undefined): readonly T[] | undefined => {
  const found = facts.map(pick).filter((value) => value !== undefined);
  return found.length === facts.length ? found : undefined;
};

const valuesOfAll = (facts: readonly Fact[], pick: (fact: Fact) => readonly string[] | undefined): readonly string[] | undefined => {
  const found = ofAll(facts, pick);
  return found && [...new Set(found.flat())];
};

const least = (a: bigint, b: bigint): bigint => (b < a ? b : a);
const greatest = (a: bigint, b: bigint): bigint => (b > a ? b : a);

const factOf = (
  bounds: Fact["bounds"],
  from: bigint | undefined,
  to: bigint | undefined,
  events: readonly string[] | undefined,
  distinctIds: readonly string[] | undefined,
): Fact => ({
  bounds,
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
  ...(events === undefined ? {} : { events }),
  ...(distinctIds === undefined ? {} : { distinctIds }),
});

/** Narrows the scans by what must hold of every row that is kept. */
export const applyFacts = (facts: readonly Fact[]): void => {
  for (const fact of facts) {
    const { bounds } = fact;
    if (fact.from !== undefined && (bounds.from === null || fact.from > bounds.from)) bounds.from = fact.from;
    if (fact.to !== undefined && (bounds.to === null || fact.to < bounds.to)) bounds.to = fact.to;
    const { events, distinctIds } = fact;
    if (events !== undefined) bounds.events = inBoth(bounds.events, events);
    if (distinctIds !== undefined) bounds.distinctIds = inBoth(bounds.distinctIds, distinctIds);
  }
};

const inBoth = (known: readonly string[] | null, values: readonly string[]): readonly string[] => {
  const found = new Set(values);
  return known?.filter((value) => found.has(value)) ?? values;
};

/** All of several conditions. */
export const allOf = (run: Run, parts: readonly Expression[]): Expression => {
  if (parts.length === 0) return run.known(true, BOOLEAN);
  const facts = parts.flatMap((part) => part.facts ?? []);
  return {
    sql: parts.length === 1 ? (parts[0]?.sql ?? "true") : `(${parts.map(({ sql }) => sql).join(" AND ")})`,
    type: BOOLEAN,
    nullable: parts.some((part) => part.nullable),
    ...flags(parts),
    ...(facts.length > 0 ? { facts } : {}),
    conjuncts: parts,
  };
};

/** Any of several conditions. */
export const anyOf = (parts: readonly Expression[]): Expression => {
  const facts = unionFacts(parts.map((part) => part.facts ?? []));
  return { ...made(`(${parts.map(({ sql }) => sql).join(" OR ")})`, BOOLEAN, parts), ...(facts.length > 0 ? { facts } : {}) };
};

/** The type check of a value that has to be one of several alternatives, such as the branches of a CASE. */
export const commonType = (branches: readonly Expression[], what: string): Type => {
  let type: Type = branches[0]?.type ?? { kind: "null" };
  for (const branch of branches.slice(1)) {
    const both = common(type, branch.type);
    if (both === null) {
      throw new QueryError(
        "no_common_type",
        `The values of ${what} have no common type: ${nameOf(type)} and ${nameOf(branch.type)}. Convert them with toString or toFloat.`,
      );
    }
    type = both;
  }
  return type;
};
