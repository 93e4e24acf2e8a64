/** A difference from ClickHouse that stays, with its reason as the README gives it, and the cases that show it. */
export interface Difference {
  readonly reason: string;
  readonly cases: readonly string[];
}

export const DIFFERENCES: readonly Difference[] = [
  {
    reason: "A day before 1970 is what the calendar says, where ClickHouse's `Date` begins in 1970 and turns over.",
    cases: ["table-events-of-1970-and-of-2100-in-new-york", "generated-query-034"],
  },
  {
    reason: "A day that no month has is no date, where ClickHouse reads 29 February 2026 as 1 March.",
    cases: ["conversion-todate-of-texts-and-times"],
  },
  {
    reason:
      "A conversion of a constant that succeeds is known to be no NULL, so neither is its type, and the greatest of no such values is the type's default.",
    cases: ["conversion-totypename-of-literals", "generated-query-008"],
  },
];

/** Why a case differs, by its name. One that has become equal is an error. */
export const EXCEPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  DIFFERENCES.flatMap(({ reason, cases }) => cases.map((name) => [name, reason])),
);
