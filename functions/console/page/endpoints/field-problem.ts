import { ApiProblem } from "../../calls/problems.ts";

/** What the API says is wrong with a field, if that is the one. */
export const fieldProblem = (problem: Error | undefined, field: string): string | undefined =>
  problem instanceof ApiProblem && problem.attr?.split("__")[0] === field ? problem.message : undefined;

/** A problem that none of these fields shows. */
export const otherProblem = (problem: Error | undefined, fields: readonly string[]): Error | undefined =>
  fields.some((field) => fieldProblem(problem, field) !== undefined) ? undefined : problem;
