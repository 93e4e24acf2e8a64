import { type Budget, spend } from "../../core/budget.ts";

/** An instruction of a compiled pattern, as re2js has it. */
export interface Instruction {
  readonly op: number;
  /** Where it goes on. */
  readonly out: number;
  /** Of a branch the other way to go on; of an empty width what has to hold there. */
  readonly arg: number;
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
const ANY_RUNE = 10;
const ANY_BUT_NEWLINE = 11;

/** What holds between two characters, by re2js's bits. */
const BEGIN_LINE = 1;
const END_LINE = 2;
const BEGIN_TEXT = 4;
const END_TEXT = 8;
const WORD_BOUNDARY = 16;
const NO_WORD_BOUNDARY = 32;

const NEWLINE = 10;
/** Before the first and after the last character. */
const NONE = -1;

/** Whether a pattern is found anywhere in a text. Takes a step for each instruction that is looked at. Throws `BudgetExhausted`. */
export type Search = (text: string, budget: Budget) => boolean;

/**
 * Searches by a compiled pattern, all of its ways at once: the library's own search says nothing of what it costs, and a pattern of thirty
 * characters may stand for thousands of instructions, all of which are looked at for every character.
 */
export const newSearch = ({ inst, start }: Program): Search => {
  const size = inst.length;
  // Side by side: objects would take twice the time.
  const ops = Uint8Array.from(inst, ({ op }) => op);
  const outs = Int32Array.from(inst, ({ out }) => out);
  const args = Int32Array.from(inst, ({ arg }) => arg);
  const isAnchored = beginsText(inst, start);
  /** Instructions that wait for the next character, and those that are reached by it. */
  let [waiting, reached] = [new Int32Array(size), new Int32Array(size)];
  let [waitingCount, reachedCount] = [0, 0];
  /** The turn in which each instruction was last looked at. */
  const seen = new Float64Array(size);
  const stack = new Int32Array(2 * size + 1);
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

  /** Goes on to the next place of a text; true where the pattern is found there. */
  const advance = (rune: number, holds: number, begins: boolean): boolean => {
    [waiting, reached, waitingCount, reachedCount] = [reached, waiting, reachedCount, 0];
    turn += 1;
    steps += waitingCount;
    for (let index = 0; index < waitingCount; index += 1) {
      const at = waiting[index] ?? 0;
      if (takes(at, rune) && reach(outs[at] ?? 0, holds)) return true;
    }
    return begins && reach(start, holds);
  };

  return (text, budget) => {
    reachedCount = 0;
    let [at, before] = [0, NONE];
    for (;;) {
      const rune = text.codePointAt(at) ?? NONE;
      steps = 1;
      const isFound = advance(before, between(before, rune), at === 0 || !isAnchored);
      spend(budget, steps);
      if (isFound) return true;
      if (rune === NONE || (isAnchored && reachedCount === 0)) return false;
      at += rune > 0xffff ? 2 : 1;
      before = rune;
    }
  };
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

/** What holds between two characters. */
const between = (before: number, after: number): number =>
  (before === NONE ? BEGIN_TEXT | BEGIN_LINE : 0) |
  (before === NEWLINE ? BEGIN_LINE : 0) |
  (after === NONE ? END_TEXT | END_LINE : 0) |
  (after === NEWLINE ? END_LINE : 0) |
  (isWord(before) === isWord(after) ? NO_WORD_BOUNDARY : WORD_BOUNDARY);

const isWord = (rune: number): boolean =>
  (rune >= 48 && rune <= 57) || (rune >= 65 && rune <= 90) || rune === 95 || (rune >= 97 && rune <= 122);
