import type { Unsupported } from "./spec.ts";

const no = (instead: string, ...names: readonly string[]): readonly Unsupported[] =>
  names.map((name) => ({ kind: "unsupported", name, instead }));

/** Functions that exist upstream and cannot here, each with what to write instead. */
export const UNSUPPORTED: readonly Unsupported[] = [
  ...no("List the persons, or filter by their properties.", "inCohort", "notInCohort"),
  ...no("Write the action's filters as conditions on `event` and `properties`.", "matchesAction"),
  ...no("Return the array itself.", "sparkline"),
  ...no("Convert with your own rates, for example by multiIf.", "convertCurrency"),
  ...no("Read the survey's answer from `properties`.", "getSurveyResponse", "uniqueSurveySubmissionsFilter"),
  ...no(
    "Compare `properties.utm_source` and `properties.$referring_domain` with your own lists.",
    "lookupDomainType",
    "lookupPaidSourceType",
    "lookupPaidMediumType",
    "lookupOrganicSourceType",
    "lookupOrganicMediumType",
  ),
  ...no("It can only stand by itself in the list of a SELECT; elsewhere name the elements with tupleElement.", "untuple"),
  ...no("Convert with toUUID.", "reinterpretAsUUID"),
  ...no("Write avg(x) OVER (ORDER BY time ROWS BETWEEN 6 PRECEDING AND CURRENT ROW).", "groupArrayMovingAvg"),
  ...no("Write sum(x) OVER (ORDER BY time ROWS BETWEEN 6 PRECEDING AND CURRENT ROW).", "groupArrayMovingSum"),
  ...no(
    "Sum greatest(x - previous, 0) of a subquery in which previous is lagInFrame(x, 1, x) OVER (ORDER BY time).",
    "deltaSum",
    "deltaSumTimestamp",
  ),
  ...no("Sum the powers of the distance from the average, which a subquery computes first.", "kurtPop", "kurtSamp", "skewPop", "skewSamp"),
];
