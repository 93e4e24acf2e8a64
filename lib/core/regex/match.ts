import { unreachable } from "../unreachable.ts";
import { type CharacterClass, WORDS } from "./classes.ts";
import type { Edge, Regex } from "./parse.ts";

type Step =
  | { readonly kind: "one"; readonly of: CharacterClass; readonly next: number }
  | { readonly kind: "edge"; readonly edge: Edge; readonly next: number }
  | { readonly kind: "fork"; readonly next: readonly number[] }
  | { readonly kind: "found" };

/** Whether the pattern is found anywhere in a text: every step is looked at once a character, so that the time is their product. */
export const finder = (regex: Regex): ((text: string) => boolean) => {
  const steps: Step[] = [{ kind: "found" }];
  const begin = compile(steps, regex, 0);
  return (text) =>
    found(
      steps,
      begin,
      [...text].map((character) => character.codePointAt(0) ?? 0),
    );
};

/** Writes the program from its end; gives where it begins. */
const compile = (steps: Step[], regex: Regex, next: number): number => {
  switch (regex.kind) {
    case "one":
      return steps.push({ kind: "one", of: regex.of, next }) - 1;
    case "edge":
      return steps.push({ kind: "edge", edge: regex.edge, next }) - 1;
    case "all":
      return regex.parts.reduceRight((then, part) => compile(steps, part, then), next);
    case "either":
      return steps.push({ kind: "fork", next: regex.parts.map((part) => compile(steps, part, next)) }) - 1;
    case "repeat":
      return repeated(steps, regex, next);
    default:
      return unreachable(regex);
  }
};

const repeated = (steps: Step[], { item, least, most }: Extract<Regex, { kind: "repeat" }>, next: number): number => {
  let begin = next;
  if (most === null) {
    const ways = [next];
    begin = steps.push({ kind: "fork", next: ways }) - 1;
    ways.push(compile(steps, item, begin));
  }
  for (let extra = least; most !== null && extra < most; extra += 1) {
    begin = steps.push({ kind: "fork", next: [compile(steps, item, begin), next] }) - 1;
  }
  for (let times = 0; times < least; times += 1) begin = compile(steps, item, begin);
  return begin;
};

const found = (steps: readonly Step[], begin: number, text: readonly number[]): boolean => {
  let alive: readonly number[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    const reached = reach(steps, [...alive, begin], text, at);
    if (reached === "found") return true;
    const here = text[at];
    alive = here === undefined ? [] : reached.flatMap(({ of, next }) => (of(here) ? [next] : []));
  }
  return false;
};

/** The steps that wait for a character, once no edge and no fork is left before them. */
const reach = (
  steps: readonly Step[],
  from: readonly number[],
  text: readonly number[],
  at: number,
): readonly Extract<Step, { kind: "one" }>[] | "found" => {
  const seen = new Set<number>();
  const todo = [...from];
  const waiting: Extract<Step, { kind: "one" }>[] = [];
  for (let place = todo.pop(); place !== undefined; place = todo.pop()) {
    const step = seen.has(place) ? undefined : steps[place];
    seen.add(place);
    if (step?.kind === "found") return "found";
    if (step?.kind === "one") waiting.push(step);
    else if (step?.kind === "fork") todo.push(...step.next);
    else if (step?.kind === "edge" && holds(step.edge, text, at)) todo.push(step.next);
  }
  return waiting;
};

const NEW_LINE = 10;

const holds = (edge: Edge, text: readonly number[], at: number): boolean => {
  const before = text[at - 1];
  const after = text[at];
  const isWord = (character: number | undefined): boolean => character !== undefined && WORDS(character);
  switch (edge) {
    case "start":
      return before === undefined;
    case "end":
      return after === undefined;
    case "line start":
      return before === undefined || before === NEW_LINE;
    case "line end":
      return after === undefined || after === NEW_LINE;
    case "word":
      return isWord(before) !== isWord(after);
    case "no word":
      return isWord(before) === isWord(after);
    default:
      return unreachable(edge);
  }
};
