import { isWord } from "./characters.ts";
import { neededText } from "./needed.ts";
import { type Assertion, type Node, parseRegex, RegexError } from "./syntax.ts";

/** How much work may still be done; taking more than there is ends the work with `BudgetExhausted`. */
export interface Budget {
  steps: number;
}
export class BudgetExhausted extends Error {
  override readonly name = "BudgetExhausted";
}

/** A compiled expression: whether it matches anywhere in a text, found in one pass over it. */
export interface Regex {
  test(text: string, budget: Budget): boolean;
}

/** Compiles an expression of RE2's syntax. Throws `RegexError`. */
export const compileRegex = (pattern: string): Regex => {
  const node = parseRegex(pattern);
  const needed = neededText(node);
  const machine = new Machine(programOf(node));
  return { test: (text, budget) => text.includes(needed) && machine.matches(text, budget) };
};

const TOO_LARGE = "The expression is too large: repeat less.";

type Instruction =
  | { readonly op: "char"; readonly test: (point: number) => boolean; readonly next: number }
  | { readonly op: "split"; readonly next: readonly number[] }
  | { readonly op: "assert"; readonly what: Assertion; readonly next: number }
  | { readonly op: "match" };

const MAX_INSTRUCTIONS = 10_000;

/** Parts looked at while they are made: what is repeated may be nothing, however often. */
const MAX_PARTS = 100_000;

/** The instructions, the first of which is where to begin. They are made from the end, so that each knows what follows it. */
const programOf = (node: Node): { readonly code: readonly Instruction[]; readonly start: number } => {
  const code: Instruction[] = [{ op: "match" }];
  const add = (instruction: Instruction): number => {
    if (code.length >= MAX_INSTRUCTIONS) throw new RegexError(TOO_LARGE);
    return code.push(instruction) - 1;
  };
  let parts = 0;
  const emit = (of: Node, next: number): number => {
    parts += 1;
    if (parts > MAX_PARTS) throw new RegexError(TOO_LARGE);
    switch (of.kind) {
      case "empty":
        return next;
      case "char":
        return add({ op: "char", test: of.test, next });
      case "assert":
        return add({ op: "assert", what: of.what, next });
      case "sequence":
        return of.of.reduceRight((after, item) => emit(item, after), next);
      case "choice":
        return add({ op: "split", next: of.of.map((item) => emit(item, next)) });
      case "repeat":
        return repeat(of, next);
    }
  };
  const repeat = ({ of, min, max }: Extract<Node, { kind: "repeat" }>, next: number): number => {
    let after = next;
    if (max === Number.POSITIVE_INFINITY) {
      // The loop names itself, so its place is taken before what it repeats is there.
      const loop = add({ op: "split", next: [next] });
      code[loop] = { op: "split", next: [emit(of, loop), next] };
      after = loop;
    } else {
      for (let count = min; count < max; count += 1) after = add({ op: "split", next: [emit(of, after), next] });
    }
    for (let count = 0; count < min; count += 1) after = emit(of, after);
    return after;
  };
  const start = emit(node, 0);
  return { code, start };
};

/** What lies before a place in the text: nothing, or the character's kind. */
const BEGIN = 0;
const OTHER = 1;
const WORD = 2;
const NEWLINE = 3;
const END = -1;

const kindOf = (point: number): number => (point === 10 ? NEWLINE : isWord(point) ? WORD : OTHER);

/** Where the machine may be between two characters. Followed characters are remembered, so that a state is worked out once. */
interface State {
  readonly places: readonly number[];
  readonly before: number;
  readonly after: Map<number, State | "match">;
}

/** States and steps that are remembered; past that all are forgotten. */
const MAX_REMEMBERED = 20_000;

class Machine {
  readonly #code: readonly Instruction[];
  readonly #start: number;
  #states = new Map<string, State>();
  #remembered = 0;

  constructor({ code, start }: { readonly code: readonly Instruction[]; readonly start: number }) {
    this.#code = code;
    this.#start = start;
  }

  matches(text: string, budget: Budget): boolean {
    spend(budget, text.length >> FAST_STEPS);
    let state = this.#state([this.#start], BEGIN);
    for (let at = 0; at < text.length; ) {
      const point = text.codePointAt(at) ?? 0;
      at += point > 0xffff ? 2 : 1;
      const next = state.after.get(point) ?? this.#step(state, point, budget);
      if (next === "match") return true;
      state = next;
    }
    return (state.after.get(END) ?? this.#step(state, END, budget)) === "match";
  }

  #step(state: State, point: number, budget: Budget): State | "match" {
    const next = this.#after(state, point, budget);
    if (this.#remembered >= MAX_REMEMBERED) {
      this.#states = new Map();
      this.#remembered = 0;
    }
    this.#remembered += 1;
    state.after.set(point, next);
    return next;
  }

  #after({ places, before }: State, point: number, budget: Budget): State | "match" {
    const seen = new Set<number>();
    const open = [...places];
    const moved = new Set([this.#start]);
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (seen.has(place)) continue;
      seen.add(place);
      spend(budget, 1);
      const instruction = this.#code[place] ?? { op: "match" };
      if (instruction.op === "match") return "match";
      if (instruction.op === "split") open.push(...instruction.next);
      else if (instruction.op === "assert") {
        if (holds(instruction.what, before, point)) open.push(instruction.next);
      } else if (point !== END && instruction.test(point)) moved.add(instruction.next);
    }
    return this.#state(
      [...moved].sort((a, b) => a - b),
      point === END ? OTHER : kindOf(point),
    );
  }

  #state(places: readonly number[], before: number): State {
    const name = `${before}:${places.join()}`;
    const known = this.#states.get(name);
    if (known !== undefined) return known;
    const state: State = { places, before, after: new Map() };
    this.#states.set(name, state);
    this.#remembered += 1;
    return state;
  }
}

/** So many characters, as a power of two, take as long as one step that is worked out anew. */
const FAST_STEPS = 4;

const spend = (budget: Budget, steps: number): void => {
  budget.steps -= steps;
  if (budget.steps < 0) throw new BudgetExhausted("the event's rules take too many steps");
};

const holds = (what: Assertion, before: number, point: number): boolean => {
  switch (what) {
    case "text-start":
      return before === BEGIN;
    case "text-end":
      return point === END;
    case "line-start":
      return before === BEGIN || before === NEWLINE;
    case "line-end":
      return point === END || point === 10;
    case "word":
      return (before === WORD) !== (point !== END && isWord(point));
    case "not-word":
      return (before === WORD) === (point !== END && isWord(point));
  }
};
