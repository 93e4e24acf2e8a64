import type { Found } from "./mutants.ts";
import { kindOf, type PlaceKind, parsed, places } from "./syntax.ts";

/** A change that somebody thought of: `original` must stand in the file exactly once. */
export interface NamedMutation {
  /** What the change takes away, as a sentence. */
  readonly name: string;
  readonly file: string;
  readonly original: string;
  readonly replaced: string;
}

/** The mutant of a name. It fails where its text is not there any more, so that the list stays true. */
export const namedMutant = ({ name, file, original, replaced }: NamedMutation, source: string): Found => {
  const at = source.indexOf(original);
  if (at === -1) throw new Error(`“${name}”: ${file} has no such text any more:\n${original}`);
  if (source.indexOf(original, at + 1) !== -1) throw new Error(`“${name}”: ${file} has that text more than once:\n${original}`);
  const { from, to, text } = difference(original, replaced);
  const [start, end] = [at + from, at + to];
  if (parsed(file, source.slice(0, start) + text + source.slice(end)) === null) throw new Error(`“${name}” leaves no program in ${file}`);
  const node = smallest(file, source, start, end);
  if (node === undefined) throw new Error(`“${name}” has to lie within one statement, value or body of ${file}`);
  const mutated = source.slice(node.start, start) + text + source.slice(end, node.end);
  return { file, mutator: name, ...node, text: mutated };
};

/** Where two texts differ: what is the same at their beginnings and ends is left out. */
const difference = (original: string, replaced: string) => {
  const least = Math.min(original.length, replaced.length);
  let from = 0;
  while (from < least && original[from] === replaced[from]) from += 1;
  let tail = 0;
  while (tail < least - from && original.at(-1 - tail) === replaced.at(-1 - tail)) tail += 1;
  return { from, to: original.length - tail, text: replaced.slice(from, replaced.length - tail) };
};

const smallest = (file: string, source: string, start: number, end: number) => {
  const program = parsed(file, source);
  if (program === null) throw new Error(`${file} cannot be parsed`);
  let found: { readonly kind: PlaceKind; readonly start: number; readonly end: number } | undefined;
  for (const place of places(program)) {
    const kind = kindOf(place);
    const { node } = place;
    // Between two statements of a block lies only the block.
    const around = kind === "block" ? node.start < start && end < node.end : node.start <= start && end <= node.end;
    if (kind !== null && around && (found === undefined || node.end - node.start <= found.end - found.start))
      found = { kind, start: node.start, end: node.end };
  }
  return found;
};
