import { cache } from "../../core/cache.ts";
import { answerOrders } from "../../core/thread.ts";
import { askRules, type CompiledRules, compileRules, type Verdict } from "./compiled-rules.ts";
import type { RuleList } from "./rule-list.ts";
import { foundSubject, STEPS, type Texts } from "./subject.ts";

/** An event as the thread is asked about it. */
export interface SentEvent {
  /** In the order of the list's properties. */
  readonly texts: readonly Texts[];
}

/** Events to ask a list of rules about. */
export interface RulesOrder extends Pick<RuleList, "id" | "properties"> {
  /** Left out at first: the thread may have compiled the list before. */
  readonly source?: Pick<RuleList, "filters" | "timezone">;
  readonly events: readonly SentEvent[];
  readonly now: number;
  /** The order is answered as far as so many steps go, the first event in any case. */
  readonly steps: number;
  /** Where it is said, while the thread works, which event and which rule it is at. */
  readonly place: Int32Array<SharedArrayBuffer>;
}

/** What became of the events that were asked about, the first ones of the order. */
export interface RulesAnswer {
  /** Undefined where the thread does not know the list. */
  readonly verdicts: readonly Verdict[] | undefined;
  /** Steps that each rule took, and all that the order took. */
  readonly costs: readonly number[];
  readonly steps: number;
}

/** Steps in which one part of a regular expression is compiled. */
const STEPS_A_PART = 150;

/** Weight of the lists that are kept: parts of their regular expressions, a few hundred bytes each. */
const CAPACITY = 300_000;
const LEAST_WEIGHT = 100;

const lists = cache<string, CompiledRules>({ capacity: CAPACITY, weigh: ({ parts, rules }) => parts + LEAST_WEIGHT * (rules.length + 1) });

answerOrders(({ id, source, properties, events, now, steps: most, place }: RulesOrder): RulesAnswer => {
  const known = lists.get(id);
  const rules = known ?? (source && compileRules(source.filters, source.timezone));
  if (rules === undefined) return { verdicts: undefined, costs: [], steps: 0 };
  if (known === undefined) lists.set(id, rules);
  const costs: number[] = rules.rules.map(() => 0);
  const at = new Map(properties.map(([type, key], index) => [`${type}:${key}`, index]));
  const verdicts: Verdict[] = [];
  let steps = known === undefined ? rules.parts * STEPS_A_PART : 0;
  for (const [event, { texts }] of events.entries()) {
    if (event > 0 && steps >= most) break;
    place[0] = event;
    const find = (type: string, key: string): Texts => texts[at.get(`${type}:${key}`) ?? -1] ?? null;
    const budget = { steps: STEPS };
    const subject = foundSubject(find, now, budget);
    const begin = (rule: number): void => {
      place[1] = rule;
    };
    const verdict = askRules(rules, subject, costs, begin);
    verdicts.push(verdict);
    steps += verdict.steps;
  }
  return { verdicts, costs, steps };
});
