import { greatest, least } from "../../core/bigints.ts";
import type { LoweringContext } from "../analysis/context.ts";
import type { Expression, Fact } from "../analysis/expression.ts";
import { startOfDay } from "../calendar.ts";
import { QueryError } from "../errors.ts";

export type OrderOp = "<" | "<=" | ">" | ">=";

/** The facts about the rows of a scan that follow from `value op constant`. */
export const expressionFacts = (context: LoweringContext, op: "==" | OrderOp, value: Expression, other: Expression): readonly Fact[] => {
  const { origin } = value;
  if (origin === undefined || other.known === undefined) return [];
  if (origin.column !== "timestamp") {
    if (op !== "==" || typeof other.known !== "string") return [];
    return [
      origin.column === "event" ? { bounds: origin.bounds, events: [other.known] } : { bounds: origin.bounds, distinctIds: [other.known] },
    ];
  }
  const at = knownMicros(context, other);
  if (at === null) return [];
  const from = op === "==" || op === ">=" ? { from: at } : op === ">" ? { from: at + 1n } : {};
  const to = op === "==" || op === "<=" ? { to: at + origin.below + 1n } : op === "<" ? { to: at + origin.below } : {};
  return [{ bounds: origin.bounds, ...from, ...to }];
};

const knownMicros = (context: LoweringContext, value: Expression): bigint | null => {
  if (typeof value.known !== "bigint") return null;
  if (value.type.kind === "datetime") return value.known;
  return value.type.kind === "date" ? startOfDay(value.known, context.zone) : null;
};

/** The facts that follow when any of several conditions holds: only bounds that each of them gives. */
export const unionFacts = (alternatives: readonly (readonly Fact[])[]): readonly Fact[] => {
  const [first, ...others] = alternatives;
  if (first === undefined) return [];
  return first.flatMap((fact): readonly Fact[] => {
    const same = others.map((facts) => facts.filter(({ bounds }) => bounds === fact.bounds));
    if (same.some((facts) => facts.length === 0)) return [];
    const merged = uniteFacts(fact.bounds, [fact, ...same.map(intersectFacts)]);
    return Object.keys(merged).length > 1 ? [merged] : [];
  });
};

const intersectFacts = (facts: readonly Fact[]): Fact => {
  const [first, ...others] = facts;
  if (first === undefined) throw new QueryError("invalid_input", "The condition is empty.");
  return others.reduce<Fact>((all, fact) => {
    const from = all.from === undefined || (fact.from !== undefined && fact.from > all.from) ? fact.from : all.from;
    const to = all.to === undefined || (fact.to !== undefined && fact.to < all.to) ? fact.to : all.to;
    const events = all.events ?? fact.events;
    const distinctIds = all.distinctIds ?? fact.distinctIds;
    return comparisonFact(all.bounds, from, to, events, distinctIds);
  }, first);
};

/** One fact that holds wherever any of these does: all of them at once, because a list may have thousands. */
const uniteFacts = (bounds: Fact["bounds"], facts: readonly Fact[]): Fact =>
  comparisonFact(
    bounds,
    valuesInAll(facts, ({ from }) => from)?.reduce(least),
    valuesInAll(facts, ({ to }) => to)?.reduce(greatest),
    distinctInAll(facts, ({ events }) => events),
    distinctInAll(facts, ({ distinctIds }) => distinctIds),
  );

/** The value of each fact, or undefined as soon as one has none. */
const valuesInAll = <T>(facts: readonly Fact[], pick: (fact: Fact) => T | undefined): readonly T[] | undefined => {
  const found = facts.map(pick).filter((value) => value !== undefined);
  return found.length === facts.length ? found : undefined;
};

const distinctInAll = (facts: readonly Fact[], pick: (fact: Fact) => readonly string[] | undefined): readonly string[] | undefined => {
  const found = valuesInAll(facts, pick);
  return found && [...new Set(found.flat())];
};

const comparisonFact = (
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
