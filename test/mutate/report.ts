import type { Harmless } from "./harmless/harmless.ts";
import type { Fate } from "./kill.ts";
import { type Found, type Mutant, shownChange } from "./mutants.ts";

export interface Fated {
  readonly mutant: Mutant;
  readonly fate: Fate;
}

/** At least this share of the mutants that are not listed as harmless has to be noticed. */
const LEAST_SCORE = 0.9;

export const isListed = (mutant: Found, source: string, harmless: readonly Harmless[]): boolean => {
  const { before, after } = shownChange(source, mutant);
  return harmless.some(
    ({ file, line, mutator, becomes }) =>
      file === mutant.file && mutator === mutant.mutator && line === before && (becomes === undefined || becomes === after),
  );
};

/** What is listed and fits no mutant any more. */
export const stale = (harmless: readonly Harmless[], mutants: readonly Found[], texts: ReadonlyMap<string, string>): readonly Harmless[] =>
  harmless.filter((each) => !mutants.some((mutant) => mutant.file === each.file && isListed(mutant, texts.get(mutant.file) ?? "", [each])));

export const changeOf = (mutant: Mutant, source: string): string => {
  const { line, before, after } = shownChange(source, mutant);
  return `${mutant.file}:${line}  ${mutant.mutator}\n  - ${before}\n  + ${after}`;
};

/** The lines of a report, and whether the score is good enough. */
export const report = (fated: readonly Fated[], texts: ReadonlyMap<string, string>, harmless: readonly Harmless[]) => {
  const lines: string[] = [];
  const sourceOf = ({ file }: Mutant): string => texts.get(file) ?? "";
  const survivors = fated.filter(({ fate }) => fate.kind === "survived");
  const listed = survivors.filter(({ mutant }) => isListed(mutant, sourceOf(mutant), harmless));
  const open = survivors.filter((each) => !listed.includes(each));
  for (const { mutant, fate } of open)
    lines.push(
      `survived ${changeOf(mutant, sourceOf(mutant))}${fate.kind === "survived" && !fate.reached ? "\n  nothing gets there" : ""}`,
    );
  const width = Math.max(4, ...fated.map(({ mutant }) => mutant.file.length));
  lines.push(row(width, ["file", "mutants", "tests", "simulation", "survived", "score"]));
  for (const [file, own] of Map.groupBy(fated, ({ mutant }) => mutant.file)) lines.push(counts(width, file, own));
  lines.push(counts(width, "all", fated));
  const counted = fated.length - listed.length;
  const score = counted === 0 ? 1 : (counted - open.length) / counted;
  lines.push(`${listed.length} survivors are listed as harmless; without them ${percent(score)}, at least ${percent(LEAST_SCORE)}`);
  return { lines, isGood: score >= LEAST_SCORE };
};

const counts = (width: number, file: string, own: readonly Fated[]): string => {
  const of = (kind: Fate["kind"]): number => own.filter(({ fate }) => fate.kind === kind).length;
  const survived = of("survived");
  return row(width, [file, own.length, of("tests"), of("simulation"), survived, percent(1 - survived / own.length)]);
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const row = (width: number, [file, ...rest]: readonly (string | number)[]): string =>
  [String(file).padEnd(width), ...rest.map((cell) => String(cell).padStart(10))].join(" ");
