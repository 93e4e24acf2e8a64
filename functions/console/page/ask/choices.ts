import type { Term } from "./vocabulary.ts";

interface Choice {
  readonly value: string;
  readonly title: string;
}

/** The names as choices, with one for none of them, and one for a name that is not known. */
export const nameChoices = (terms: readonly Term[], chosen: string, none: string): readonly Choice[] => {
  const known = terms.map(({ name }) => ({ value: name, title: name }));
  const isKnown = chosen === "" || known.some(({ value }) => value === chosen);
  return [{ value: "", title: none }, ...(isKnown ? [] : [{ value: chosen, title: chosen }]), ...known];
};

/** Choices with one for a value that is none of them. */
export const withChosen = (choices: readonly Choice[], chosen: string): readonly Choice[] =>
  choices.some(({ value }) => value === chosen) ? choices : [...choices, { value: chosen, title: chosen }];

export const RANGES: readonly Choice[] = [
  { value: "-24h", title: "Last 24 hours" },
  { value: "-7d", title: "Last 7 days" },
  { value: "-30d", title: "Last 30 days" },
  { value: "-90d", title: "Last 90 days" },
  { value: "-12m", title: "Last 12 months" },
  { value: "all", title: "All time" },
];
