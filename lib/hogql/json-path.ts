/** A key of an object, or a place in a list: from 1, or from the end when negative. */
export type JsonStep = string | number;

/**
 * A path into JSON as DuckDB reads it. Keys go in quotes, or DuckDB would read `$` and `.` as syntax; a key that is `*` or empty it
 * reads only in a pointer, where places from the end cannot be said: there they find nothing.
 */
export const jsonPath = (steps: readonly JsonStep[]): string =>
  steps.some((step) => step === "*" || step === "") ? steps.map(pointerStep).join("") : `$${steps.map(pathStep).join("")}`;

/** A place that no list has: 0, and what DuckDB could not read. */
const NOWHERE = 2 ** 32 - 1;

const pathStep = (step: JsonStep): string => {
  if (typeof step === "string") return `."${step.replaceAll(/["\\]/g, "\\$&")}"`;
  return step < 0 && step > -NOWHERE ? `[#${step}]` : `[${place(step)}]`;
};

const pointerStep = (step: JsonStep): string =>
  typeof step === "number" ? `/${place(step)}` : `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`;

const place = (step: number): number => (step > 0 && step < NOWHERE ? Math.floor(step) - 1 : NOWHERE);
