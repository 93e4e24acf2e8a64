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
];
