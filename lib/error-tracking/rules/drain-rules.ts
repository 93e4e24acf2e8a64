import type { EventRow } from "../../event/event.ts";
import type { Fields } from "../../event/fields.ts";
import { eventMatcher, type RuleSubject } from "../matching/event-matcher.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import type { RuleKind, StoredRules } from "../rules.ts";
import { forgetRules, type RulesInForce } from "./project-rules.ts";
import { type BrokenRule, disableRules } from "./rule.ts";

/** An exception that rules are asked about. */
export interface ExceptionSubject extends RuleSubject {
  readonly row: EventRow;
}

/** The rules of a project while the exceptions of one drain are tracked, and what they may take for all of these together. */
export interface DrainRules {
  /** For each exception the first rule of a kind that it fulfils. Those that fail are passed over, and all once the steps are used up. */
  firstMatches<K extends RuleKind>(kind: K, exceptions: readonly ExceptionSubject[]): Promise<readonly (StoredRules[K] | null)[]>;
  /** What is to be told of an exception about which not all rules were asked. */
  faults(row: EventRow): readonly string[];
  /** Puts the rules out of force that failed, and the one that used up the steps. */
  disableBroken(): Promise<void>;
}

/**
 * Steps that the rules of a project may take in a drain, some nanoseconds each: a fifth of a second, and for each exception and each
 * character of its properties half of what storing it takes.
 */
const STEPS_OF_DRAIN = 25_000_000;
const STEPS_OF_EXCEPTION = 10_000;
const STEPS_OF_CHARACTER = 2;

/** By which name the properties of the exception are kept with a rule that failed on it. */
const EVIDENCE = { grouping: "props", severity: "properties", assignment: "props" } as const satisfies Record<RuleKind, string>;

/** The rules of a project for the exceptions that came together, by their rows. */
export const drainRules = (parts: TrackingParts, project: number, rules: RulesInForce, rows: readonly EventRow[]): DrainRules => {
  const most = rows.reduce((sum, { properties }) => sum + STEPS_OF_EXCEPTION + STEPS_OF_CHARACTER * properties.length, STEPS_OF_DRAIN);
  const options = { project, now: parts.clock.now(), budget: { steps: most } };
  const costs = new Map<string, { readonly kind: RuleKind; readonly stored: StoredRules[RuleKind]; steps: number }>();
  const broken = new Map<string, BrokenRule>();
  const unasked = new Set<EventRow>();
  let isOver = false;

  const noteBroken = (kind: RuleKind, stored: StoredRules[RuleKind], message: string, { issue, properties }: ExceptionSubject): void => {
    if (!broken.has(stored.id)) broken.set(stored.id, { kind, stored, data: { message, ...evidence(kind, issue, properties()) } });
  };

  return {
    async firstMatches(kind, asked) {
      const { stored, list } = rules[kind];
      if (stored.length === 0) return asked.map(() => null);
      const answers = await eventMatcher.match(list, asked, options);
      for (const [at, rule] of stored.entries()) {
        const cost = costs.get(rule.id) ?? { kind, stored: rule, steps: 0 };
        cost.steps += answers.costs[at] ?? 0;
        costs.set(rule.id, cost);
      }
      for (const [at, exception] of asked.entries()) {
        const verdict = answers.verdicts[at];
        if (verdict?.isOver) unasked.add(exception.row);
        for (const { rule, message } of verdict?.failures ?? []) {
          const failed = stored[rule];
          if (failed !== undefined) noteBroken(kind, failed, message, exception);
        }
      }
      const first = asked.find(({ row }) => unasked.has(row));
      // Where the thread was ended it is known by which rule.
      if (options.budget.steps <= 0 && Number.isFinite(options.budget.steps) && !isOver && first !== undefined) {
        isOver = true;
        const [worst] = [...costs.values()].toSorted((one, other) => other.steps - one.steps);
        if (worst !== undefined && worst.steps > 0) noteBroken(worst.kind, worst.stored, tooMuch(worst.steps, most), first);
      }
      return asked.map((_, at) => stored[answers.verdicts[at]?.matched ?? -1] ?? null);
    },

    faults: (row) => (unasked.has(row) ? [UNASKED] : []),

    async disableBroken() {
      if (unasked.size > 0) parts.log.line("warn", "exceptions.rules_over_budget", { project, exceptions: unasked.size });
      if (broken.size === 0) return;
      await disableRules(parts, broken.values());
      forgetRules(parts, project);
    },
  };
};

const evidence = (kind: RuleKind, issue: ExceptionSubject["issue"], properties: Fields): Fields => ({
  ...(issue !== null && { issue }),
  [EVIDENCE[kind]]: properties,
});

const UNASKED = "not all rules were asked: they take more work than the rules of a project may";

const tooMuch = (steps: number, most: number): string =>
  `The rule takes too much work: ${steps.toLocaleString("en")} steps for exceptions that came together, for which all rules of a project may take ${most.toLocaleString("en")}. Look for less, in shorter texts, or with less repetition in a regular expression.`;
