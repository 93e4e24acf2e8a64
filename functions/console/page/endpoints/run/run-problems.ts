import { ApiProblem } from "../../../calls/problems.ts";

/** What is wrong with a run: by the name of the field that shows it, or as a whole where none does. */
export interface RunProblems {
  readonly byField: Readonly<Record<string, string>>;
  readonly whole: Error | undefined;
}

const NUMBERS = ["limit", "offset"] as const;

/** The API names a number in the attribute or at the sentence's beginning, and variables in the sentence, between quotes. */
export const runProblems = (problem: Error | undefined, variables: readonly string[]): RunProblems => {
  if (!(problem instanceof ApiProblem)) return { byField: {}, whole: problem };
  const { attr, message } = problem;
  const fields =
    attr === "variables"
      ? variables.filter((name) => message.includes(`'${name}'`))
      : NUMBERS.filter((name) => attr === name || message.startsWith(`Invalid ${name} parameter`));
  return { byField: Object.fromEntries(fields.map((name) => [name, message])), whole: fields.length === 0 ? problem : undefined };
};
