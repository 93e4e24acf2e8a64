import * as z from "zod";
import { bare, invalid } from "../http/errors.ts";

/** What a caller may send with a query to run, saved or not. */
export interface SentInput {
  readonly limit?: number | null | undefined;
  readonly offset?: number | null | undefined;
  readonly variables?: unknown;
  readonly filters_override?: unknown;
}

/** The body that says which number of a run is wrong. */
export const RunNumberError = z.object({ error: z.string() }).meta({ id: "RunNumberError" });

/** Longest values of a run, in characters of their JSON: ten thousand ids fit, and as much of an override as is saved with an insight. */
const MAX_VARIABLES = 500_000;
const MAX_OVERRIDE = 100_000;

/** Throws 400: for the rows that are asked for with the body `{"error": …}` that runs have for these, for the length of a value on its field. */
export const checkInput = ({ limit, offset, variables, filters_override }: SentInput): void => {
  checkAtLeast("limit", 1, limit);
  checkAtLeast("offset", 0, offset);
  if (typeof offset === "number" && typeof limit !== "number") throw bare(400, { error: "offset requires limit to be set" });
  checkLength("variables", variables, MAX_VARIABLES);
  checkLength("filters_override", filters_override, MAX_OVERRIDE);
};

const checkAtLeast = (name: string, least: number, value: number | null | undefined): void => {
  if (typeof value === "number" && value < least) throw bare(400, { error: `Invalid ${name} parameter: ${value}` });
};

const checkLength = (name: string, value: unknown, most: number): void => {
  const length = JSON.stringify(value ?? null).length;
  if (length > most) throw invalid(name, `The JSON of ${name} has ${length} characters, and may have ${most}. Split the run into several.`);
};
