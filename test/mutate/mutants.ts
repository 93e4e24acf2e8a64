import { MUTATORS } from "./mutators.ts";
import { kindOf, type Place, type PlaceKind, parsed, places } from "./syntax.ts";

/** One change of a file: another text for one of its nodes. */
export interface Mutant {
  readonly id: number;
  readonly file: string;
  readonly mutator: string;
  readonly kind: PlaceKind;
  /** The node, and what stands in for it. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type Found = Omit<Mutant, "id">;

/** Every mutant of a file, in the order of its text; those that would not be a program are left out. */
export const mutantsOf = (file: string, source: string): readonly Found[] =>
  proposedMutants(file, source).filter((mutant) => parsed(file, replaced(source, mutant)) !== null);

/** Every change that a mutator proposes for a file, in the order of its text. Not each of them leaves a program. */
export const proposedMutants = (file: string, source: string): readonly Found[] => {
  const program = parsed(file, source);
  if (program === null) throw new Error(`${file} cannot be parsed`);
  const found = new Map<string, Found>();
  const logged = (place: Place): boolean => place.parent !== null && (isReport(place.parent, source) || logged(place.parent));
  for (const place of places(program)) {
    const kind = kindOf(place);
    if (kind === null || logged(place)) continue;
    const { start, end } = place.node;
    for (const mutator of MUTATORS) {
      for (const text of mutator.of(place, (of) => source.slice(of.start, of.end))) {
        const key = `${start} ${end} ${text}`;
        if (!found.has(key)) found.set(key, { file, mutator: mutator.name, kind, start, end, text });
      }
    }
  }
  return [...found.values()];
};

/** What a program says of itself in errors and logs is nothing that it does. */
const isReport = ({ node }: Place, source: string): boolean =>
  node.type === "NewExpression"
    ? /^new \w*(?:Error|Defect|Missing|Failed|Fault)\b/.test(source.slice(node.start, node.end))
    : node.type === "CallExpression" && /\blog\.line$/.test(source.slice(node.callee.start, node.callee.end));

const replaced = (source: string, { kind, start, end, text }: Pick<Mutant, "kind" | "start" | "end" | "text">): string =>
  `${source.slice(0, start)}${kind === "expression" ? `(${text})` : `{${text}}`}${source.slice(end)}`;

/** The file with all its mutants in it, each behind a switch that `switched` writes. */
export const instrumented = (source: string, mutants: readonly Mutant[], switched: (id: number) => string): string => {
  const sorted = mutants.toSorted((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b));
  let next = 0;
  const within = (from: number, to: number): string => {
    let text = "";
    let at = from;
    while (next < sorted.length) {
      const first = sorted[next];
      if (first === undefined || first.start >= to) break;
      const here: Mutant[] = [];
      for (
        let each = sorted[next];
        each && each.start === first.start && each.end === first.end && rank(each) === rank(first);
        each = sorted[++next]
      )
        here.push(each);
      text += source.slice(at, first.start) + choice(here, within(first.start, first.end), switched);
      at = first.end;
    }
    return text + source.slice(at, to);
  };
  return within(0, source.length);
};

/** Of two changes of the same text the statement is around the expression. */
const rank = ({ kind }: Mutant): number => (kind === "expression" ? 1 : 0);

const choice = (mutants: readonly Mutant[], original: string, switched: (id: number) => string): string => {
  const [first] = mutants;
  if (first?.kind === "expression") return `(${mutants.map(({ id, text }) => `${switched(id)} ? (${text}) : `).join("")}(${original}))`;
  return `{ ${mutants.map(({ id, text }) => `if (${switched(id)}) { ${text} } else `).join("")}{ ${original} } }`;
};

/** What a mutant does to the line where it first differs, and that line's number. */
export const shownChange = (source: string, { start, end, text }: Pick<Mutant, "start" | "end" | "text">) => {
  const own = source.slice(start, end);
  let same = 0;
  while (same < own.length && same < text.length && own[same] === text[same]) same += 1;
  const at = Math.min(start + same, end - 1);
  const lineStart = source.lastIndexOf("\n", at - 1) + 1;
  const lineEnd = (position: number): number => (source.indexOf("\n", position) + 1 || source.length + 1) - 1;
  const whole = source.slice(0, start) + text + source.slice(end);
  const mutatedEnd = (whole.indexOf("\n", at) + 1 || whole.length + 1) - 1;
  const mutatedStart = Math.min(lineStart, whole.length);
  const to = source.slice(start, end).includes("\n") && !text.includes("\n") ? start + text.length + (lineEnd(end) - end) : mutatedEnd;
  return {
    line: source.slice(0, at).split("\n").length,
    before: source.slice(lineStart, lineEnd(at)).trim(),
    after: whole.slice(mutatedStart, Math.max(to, mutatedStart)).trim().replace(/\s+/g, " ").slice(0, 200),
  };
};
