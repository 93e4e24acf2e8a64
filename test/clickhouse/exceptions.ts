/** A difference from ClickHouse that stays, with its reason as the README gives it, and the cases that show it. */
export interface Difference {
  readonly reason: string;
  readonly cases: readonly string[];
}

export const DIFFERENCES: readonly Difference[] = [];

/** Why a case differs, by its name. One that has become equal is an error. */
export const EXCEPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  DIFFERENCES.flatMap(({ reason, cases }) => cases.map((name) => [name, reason])),
);
