import { type Budget, spend } from "../../core/budget.ts";
import { ASCII, asciiClasses, BEGIN_TEXT, holdsBetween, kindOf, NONE, runeAt } from "./characters.ts";

/** An instruction of a compiled pattern, as re2js has it. */
export interface Instruction {
  readonly op: number;
  /** Where it goes on. */
  readonly out: number;
  /** Of a branch the other way to go on; of an empty width what has to hold there. */
  readonly arg: number;
  /** The character that it takes, or ranges of them. */
  readonly runes: Int32Array;
  matchRune(rune: number): boolean;
}

export interface Program {
  readonly inst: readonly Instruction[];
  readonly start: number;
}

/** The instructions, by re2js's numbers. */
const BRANCH = 1;
const BRANCH_TO_END = 2;
const CAPTURE = 3;
const EMPTY_WIDTH = 4;
const FAIL = 5;
const MATCH = 6;
const NOTHING = 7;
const FIRST_RUNE = 8;
const ANY_RUNE = 10;
const ANY_BUT_NEWLINE = 11;

const NEWLINE = 10;

/** Whether a pattern is found anywhere in a text. Throws `BudgetExhausted`. */
export type Search = (text: string, budget: Budget) => boolean;

/** Where a search stands between two characters. */
interface State {
  /** Instructions that wait for the next character, the first `count` of the list. */
  readonly waiting: Int32Array;
  readonly count: number;
  readonly isFound: boolean;
  /** Where it stands after a character, by its class and what kind comes then: as far as that was worked out. */
  readonly next: (State | null)[];
}

/** States of a pattern that are kept, and how many instructions of one and classes of characters there may be for that. */
const MOST_STATES = 48;
const MOST_KEPT = 64;
const MOST_CLASSES = 32;

/** The list of a state that is not kept. */
const NONE_KEPT: State["next"] = [];

/** Steps that are taken before they are counted. */
const STEPS_AT_ONCE = 1_000;

/** Kinds of characters that may come next. */
const KINDS = 4;

/**
 * Searches by a compiled pattern, all of its ways at once, and takes a step for each instruction that is looked at: the library's own
 * search says nothing of what it costs, and a pattern of thirty characters may stand for thousands of instructions. What came of a
 * character is kept for the next time, as long as it is little.
 */
export const newSearch = ({ inst, start }: Program): Search => {
  const size = inst.length;
  // Side by side: objects would take twice the time.
  const ops = Uint8Array.from(inst, ({ op }) => op);
  const outs = Int32Array.from(inst, ({ out }) => out);
  const args = Int32Array.from(inst, ({ arg }) => arg);
  const isAnchored = beginsText(inst, start);
  const { classes, count: classCount } = asciiClasses(takersIn(inst));
  const isKept = classCount <= MOST_CLASSES;
  const states = new Map<string, State>();
  /** Those of them that a search begins in, by the kind of the first character. */
  const first = new Map<number, State>();
  /** The turn in which each instruction was last looked at. */
  const seen = new Float64Array(size);
  const stack = new Int32Array(2 * size + 1);
  /** Two lists by turns: that of the state before is still read while the next one is written. */
  const lists = [new Int32Array(size), new Int32Array(size)] as const;
  let reached: Int32Array = lists[0];
  let reachedCount = 0;
  let turn = 0;
  let steps = 0;

  /** Adds what waits for a character, from an instruction on; true where the pattern is found there. */
  const reach = (from: number, holds: number): boolean => {
    let depth = 0;
    stack[depth++] = from;
    while (depth > 0) {
      const at = stack[--depth] ?? 0;
      if (seen[at] === turn) continue;
      seen[at] = turn;
      steps += 1;
      const out = outs[at] ?? 0;
      switch (ops[at]) {
        case BRANCH:
        case BRANCH_TO_END:
          stack[depth++] = args[at] ?? 0;
          stack[depth++] = out;
          break;
        case CAPTURE:
        case NOTHING:
          stack[depth++] = out;
          break;
        case EMPTY_WIDTH:
          if (((args[at] ?? 0) & ~holds) === 0) stack[depth++] = out;
          break;
        case MATCH:
          return true;
        case FAIL:
          break;
        default:
          reached[reachedCount++] = at;
      }
    }
    return false;
  };

  const takes = (at: number, rune: number): boolean => {
    switch (ops[at]) {
      case ANY_RUNE:
        return true;
      case ANY_BUT_NEWLINE:
        return rune !== NEWLINE;
      default:
        return inst[at]?.matchRune(rune) === true;
    }
  };

  /** Where the search stands after a character, or at the beginning of a text, where there is no state before. */
  const advance = (state: State | undefined, rune: number, holds: number): State => {
    turn += 1;
    reached = state?.waiting === lists[0] ? lists[1] : lists[0];
    reachedCount = 0;
    let isFound = false;
    const count = state?.count ?? 0;
    steps += count;
    for (let index = 0; index < count && !isFound; index += 1) {
      const at = state?.waiting[index] ?? 0;
      if (takes(at, rune)) isFound = reach(outs[at] ?? 0, holds);
    }
    if (!isFound && (state === undefined || !isAnchored)) isFound = reach(start, holds);
    return kept(isFound);
  };

  /** The state that was reached: one that is kept where there is little of it. */
  const kept = (isFound: boolean): State => {
    const [waiting, count] = [reached, reachedCount];
    if (!isKept || count > MOST_KEPT) return { waiting, count, isFound, next: NONE_KEPT };
    const name = `${isFound}${waiting.subarray(0, count).join()}`;
    const known = states.get(name);
    if (known !== undefined) return known;
    if (states.size === MOST_STATES) return { waiting, count, isFound, next: NONE_KEPT };
    const state: State = { waiting: waiting.slice(0, count), count, isFound, next: new Array(classCount * KINDS).fill(null) };
    states.set(name, state);
    return state;
  };

  /** Where the search stands before a first character of a kind. */
  const begin = (kind: number): State => {
    const state = advance(undefined, NONE, holdsBetween(kindOf(NONE), kind));
    if (state.next !== NONE_KEPT) first.set(kind, state);
    return state;
  };

  return (text, budget) => {
    if (states.size === MOST_STATES) {
      states.clear();
      first.clear();
    }
    let rune = runeAt(text, 0);
    let kind = kindOf(rune);
    steps = 1;
    let state = first.get(kind) ?? begin(kind);
    let looks = 0;
    for (let at = 0; !state.isFound && rune !== NONE && !(isAnchored && state.count === 0); ) {
      if (steps + looks >= STEPS_AT_ONCE) {
        spend(budget, steps + looks);
        steps = 0;
        looks = 0;
      }
      at += rune > 0xffff ? 2 : 1;
      const after = runeAt(text, at);
      const afterKind = kindOf(after);
      looks += 1;
      const place = rune < ASCII && state.next !== NONE_KEPT ? (classes[rune] ?? 0) * KINDS + afterKind : -1;
      let next = place < 0 ? null : (state.next[place] ?? null);
      if (next === null) {
        next = advance(state, rune, holdsBetween(kind, afterKind));
        if (place >= 0 && next.next !== NONE_KEPT) state.next[place] = next;
      }
      state = next;
      rune = after;
      kind = afterKind;
    }
    spend(budget, steps + looks);
    return state.isFound;
  };
};

/** What takes characters in a program, each once however often it stands there. */
const takersIn = (inst: Program["inst"]): Iterable<(rune: number) => boolean> => {
  const takers = inst.filter(({ op }) => op >= FIRST_RUNE && op < ANY_RUNE);
  const once = new Map(takers.map((instruction) => [asciiName(instruction), instruction]));
  return [...once.values()].map((instruction) => (rune) => instruction.matchRune(rune));
};

/** The same for instructions that take the same characters of ASCII: classes of Unicode have hundreds of ranges behind these. */
const asciiName = ({ arg, runes }: Instruction): string => {
  const beyond = runes.findIndex((rune) => rune >= ASCII);
  return `${arg}:${runes.length}:${runes.subarray(0, beyond === -1 ? runes.length : beyond + 1)}`;
};

/** Whether it can be found at the very beginning alone: it begins with what holds nowhere else. */
const beginsText = (inst: Program["inst"], start: number): boolean => {
  for (let at = start; ; ) {
    const instruction = inst[at];
    if (instruction?.op === EMPTY_WIDTH && (instruction.arg & BEGIN_TEXT) !== 0) return true;
    if (instruction?.op !== CAPTURE && instruction?.op !== NOTHING && instruction?.op !== EMPTY_WIDTH) return false;
    at = instruction.out;
  }
};
