import { KINDS, type Mutant } from "./mutants.ts";

/** Why parts of a deployment are needed that a rehearsed day does not use. */
export interface Explanation {
  readonly kind: Mutant["kind"];
  /** The functions whose parts these are, as the registry names them; all that have `beside`, where none are named. */
  readonly of?: readonly string[];
  readonly parts: readonly string[];
  /** Holds for functions of which one of these parts was noticed: the others come with it. */
  readonly beside?: readonly string[];
  /** Time or chance decides whether a day uses it: it is not out of date where a day did. */
  readonly sometimes?: true;
  readonly because: string;
}

/** What is wrong with mutants or with what is said of them. */
export interface Judged {
  /** Neither noticed nor explained. */
  readonly unexplained: readonly Mutant[];
  /** Explanations, each as a line, of what is not in the deployment or is noticed altogether. */
  readonly stale: readonly string[];
  /** By kind. */
  readonly counts: ReadonlyMap<Mutant["kind"], { readonly all: number; readonly noticed: number; readonly explained: number }>;
}

/** Functions' names in templates have no dashes. */
const plain = (name: string): string => name.replaceAll("-", "");

/** Whether an explanation speaks of a mutant, whether that survives or not. */
const speaksOf = ({ kind, of, parts, beside }: Explanation, mutant: Mutant, noticed: ReadonlySet<string>): boolean =>
  kind === mutant.kind &&
  parts.includes(mutant.part) &&
  (of === undefined || of.map(plain).includes(mutant.of)) &&
  (beside === undefined || beside.some((part) => part !== mutant.part && noticed.has(`${kind} ${mutant.of} ${part}`)));

/**
 * Holds every mutant to being noticed or explained, and every explanation to something that is there and is not noticed. `elsewhere` are
 * reasons that are kept and held to the deployment by others, and may be about what is noticed.
 */
export const judge = (mutants: readonly Mutant[], explanations: readonly Explanation[], elsewhere: readonly Explanation[] = []): Judged => {
  const noticed = new Set(mutants.flatMap(({ kind, of, part, noticed }) => (noticed ? [`${kind} ${of} ${part}`] : [])));
  const isExplained = (mutant: Mutant): boolean => [...explanations, ...elsewhere].some((each) => speaksOf(each, mutant, noticed));
  const survivors = mutants.filter((mutant) => !mutant.noticed);
  const unexplained = survivors.filter((mutant) => !isExplained(mutant));
  const stale = explanations.flatMap((each): readonly string[] => {
    const { kind, of = [], parts, sometimes, because } = each;
    const spokenOf = mutants.filter((mutant) => speaksOf(each, mutant, noticed));
    const gone = [
      ...parts.filter((part) => !spokenOf.some((mutant) => mutant.part === part)),
      ...of.filter((name) => !spokenOf.some((mutant) => mutant.of === plain(name))),
    ];
    if (gone.length > 0) return [`${kind} ${gone.join(", ")}: there is none any more (${because})`];
    return !sometimes && spokenOf.every((mutant) => mutant.noticed)
      ? [`${kind} ${parts.join(", ")}: all of it is noticed (${because})`]
      : [];
  });
  const counts = new Map(
    KINDS.map((kind) => {
      const some = mutants.filter((mutant) => mutant.kind === kind);
      const explained = some.filter((mutant) => !mutant.noticed && isExplained(mutant));
      return [kind, { all: some.length, noticed: some.filter((mutant) => mutant.noticed).length, explained: explained.length }] as const;
    }),
  );
  return { unexplained, stale, counts };
};
