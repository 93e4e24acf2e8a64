import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Budget } from "../../core/budget.ts";
import { openFairQueue } from "../../core/fair-queue.ts";
import { openThread, ThreadEnded, type ThreadTimes } from "../../core/thread.ts";
import type { Fields } from "../../event/fields.ts";
import { askRules, type CompiledRules, type Verdict } from "./compiled-rules.ts";
import type { RuleList } from "./rule-list.ts";
import type { RulesAnswer, RulesOrder } from "./rules-program.ts";
import { findTexts, type MatchedIssue, STEPS, subject } from "./subject.ts";

/** What rules are asked about. */
export interface RuleSubject {
  /** Asked for when its turn comes: those of all events of a drain would be too many at once. */
  properties(): Fields;
  readonly issue: MatchedIssue | null;
}

/** What came of asking a list of rules. */
export interface MatchResult {
  /** Of each event, in their order. */
  readonly verdicts: readonly Verdict[];
  /** How many events were asked about before the budget was used up: the first ones. */
  readonly count: number;
  /** Steps that each rule took. */
  readonly costs: readonly number[];
}

/** Who asks, and how much it may be. */
export interface MatchOptions {
  readonly project: number;
  /** What relative dates are read at, in milliseconds. */
  readonly now: number;
  /** What asking takes is taken from it; once it is used up no further event is asked about. */
  readonly budget: Budget;
}

/** Steps after which others have their turn: a twentieth of a second, and as much again where an event needs all that it may. */
const STEPS_AT_ONCE = 5_000_000;

/** Events of one order, and characters of their properties. */
const EVENTS_AT_ONCE = 200;
const CHARACTERS_AT_ONCE = 2_000_000;

/**
 * The steps are counted while they are taken. These times, of an order, are the net beneath, for cost that was not foreseen: the thread is
 * ended with the order.
 */
const TIMES = { cpuMs: 2_000, ms: 60_000 } as const;

/** Orders of one project that may wait for the one that is answered. */
const MAX_WAITING = 64;

/** Beside this module as it is written, and in a bundle. */
const PROGRAM = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "./rules-program.ts" : "./rules-program.mjs", import.meta.url));

/** An event that no rule is asked about any more. */
const UNASKED: Verdict = { matched: null, failures: [], isOver: true, steps: 0 };

/** Asks rules about events. Throws `Busy` where too many wait. */
export interface EventMatcher {
  match(list: RuleList, events: readonly RuleSubject[], options: MatchOptions): Promise<MatchResult>;
}

/** A matcher with a thread of its own, which takes no longer for an order than it may. */
export const openEventMatcher = (times: ThreadTimes): EventMatcher => {
  const thread = openThread<RulesOrder, RulesAnswer>(PROGRAM, times);
  const queue = openFairQueue(MAX_WAITING);

  const askInThread = async (
    list: RuleList,
    events: readonly RuleSubject[],
    { project, now }: MatchOptions,
    steps: number,
  ): Promise<SliceResult> => {
    const { id, properties, filters, timezone } = list;
    const place = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
    const order: RulesOrder = { id, properties, events: sent(list, events), now, steps, place };
    try {
      return await queue.run(project, async () => {
        const answer = await thread.ask(order);
        if (answer.verdicts !== undefined) return { ...answer, verdicts: answer.verdicts };
        const second = await thread.ask({ ...order, source: { filters, timezone } });
        return { ...second, verdicts: second.verdicts ?? [] };
      });
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      const [event = 0, rule = 0] = place;
      const ended = { ...UNASKED, failures: [{ rule, message: TOO_LONG }] };
      // Nothing more is asked for this project.
      return { verdicts: [...Array.from({ length: event }, () => UNASKED), ended], costs: [], steps: Number.POSITIVE_INFINITY };
    }
  };

  const match: EventMatcher["match"] = async (list, events, options) => {
    const { budget } = options;
    const verdicts: Verdict[] = [];
    const costs = list.filters.map(() => 0);
    while (verdicts.length < events.length && budget.steps > 0) {
      const rest = events.slice(verdicts.length, verdicts.length + EVENTS_AT_ONCE);
      const steps = Math.min(STEPS_AT_ONCE, budget.steps);
      const answer = list.compiled === null ? await askInThread(list, rest, options, steps) : askHere(list.compiled, rest, options, steps);
      verdicts.push(...answer.verdicts);
      for (const [rule, cost] of answer.costs.entries()) costs[rule] = (costs[rule] ?? 0) + cost;
      budget.steps -= answer.steps;
      if (answer.steps >= STEPS_AT_ONCE) await setImmediate();
    }
    return { verdicts: events.map((_, at) => verdicts[at] ?? UNASKED), count: verdicts.length, costs };
  };
  return { match };
};

const TOO_LONG = "The rule took too long for an exception.";

/**
 * The matcher of this process. Regular expressions are looked for in a thread beside the one that serves others, in turns by project: who
 * has slow rules waits for them alone.
 */
export const eventMatcher: EventMatcher = openEventMatcher(TIMES);

type SliceResult = Omit<MatchResult, "count"> & Pick<RulesAnswer, "steps">;

const askHere = (rules: CompiledRules, events: readonly RuleSubject[], { now }: MatchOptions, most: number): SliceResult => {
  const costs = rules.rules.map(() => 0);
  const verdicts: Verdict[] = [];
  let steps = 0;
  for (const { properties, issue } of events) {
    if (verdicts.length > 0 && steps >= most) break;
    const budget = { steps: STEPS };
    const verdict = askRules(rules, subject(properties(), issue, now, budget), costs);
    verdicts.push(verdict);
    steps += verdict.steps;
  }
  return { verdicts, costs, steps };
};

/** The events of an order: the first one, and more as far as there is room. */
const sent = ({ properties }: RuleList, events: readonly RuleSubject[]): RulesOrder["events"] => {
  const taken: RulesOrder["events"][number][] = [];
  let characters = 0;
  for (const event of events) {
    if (characters > CHARACTERS_AT_ONCE) break;
    const find = findTexts(event.properties(), event.issue);
    const texts = properties.map(([type, key]) => find(type, key));
    characters += texts.flat().reduce((sum, text) => sum + (text?.length ?? 0), 0);
    taken.push({ texts });
  }
  return taken;
};
