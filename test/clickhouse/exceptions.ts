/** A difference from ClickHouse that stays, with its reason as the README gives it, and the cases that show it. */
export interface Difference {
  readonly reason: string;
  readonly cases: readonly string[];
}

export const DIFFERENCES: readonly Difference[] = [
  {
    reason: "Dates before 1970 are what the calendar says, where ClickHouse's `Date` begins and its days and weeks stop or turn over.",
    cases: [
      "table-events-of-1970-and-of-2100-in-new-york",
      "date-floor-long-floors-in-berlin",
      "date-floor-long-floors-in-new-york",
      "date-floor-floors-of-events-by-day-in-berlin",
      "date-floor-floors-of-events-by-week-in-new-york",
      "generated-query-019",
      "generated-query-034",
    ],
  },
  {
    reason: "A sum of no rows is 0, where ClickHouse says NULL if a value might be NULL.",
    cases: ["aggregate-sumif-avgif-minif-maxif"],
  },
  {
    reason: "A day that no month has is no date, where ClickHouse reads 29 February as 1 March.",
    cases: ["conversion-todate-of-texts-and-times"],
  },
];

/** Why a case differs, by its name. One that has become equal is an error. */
export const EXCEPTIONS: Readonly<Record<string, string>> = Object.fromEntries(
  DIFFERENCES.flatMap(({ reason, cases }) => cases.map((name) => [name, reason])),
);
