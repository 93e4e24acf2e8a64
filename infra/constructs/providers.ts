import type { Construct } from "constructs";
import { addressOf, environmentOf, secretOf } from "./settings.ts";

/** Where the providers of issues and code are, `-c githubApi=https://…`; each that is left out is the public one. */
const ADDRESSES = ["githubApi", "gitlabOrigin", "linearApi", "jiraApi"] as const;

/** What looks up public code for every project, `-c githubTokenParameter=/path`. */
const TOKENS = ["githubToken", "gitlabToken"] as const;

/** The settings of a function that calls providers of issues and code. */
export const providerEnvironment = (scope: Construct): Readonly<Record<string, string>> =>
  environmentOf([
    ...ADDRESSES.map((field) => [field, addressOf(scope, field)] as const),
    ...TOKENS.map((field) => [field, secretOf(scope, field)] as const),
  ]);
