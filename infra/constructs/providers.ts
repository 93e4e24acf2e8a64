import { CfnDynamicReference, CfnDynamicReferenceService } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { settingName } from "../../lib/aws/environment.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { type Config, readConfig } from "../../lib/ports/config.ts";
import { UserError } from "../local/user-error.ts";

/** Where the providers of issues and code are, `-c githubApi=https://…`; each that is left out is the public one. */
const ADDRESSES = ["githubApi", "gitlabOrigin", "linearApi", "jiraApi"] as const;

/** What looks up public code for every project, `-c githubTokenParameter=/path`: the name of a parameter, so that no token is in a template. */
const TOKENS = ["githubToken", "gitlabToken"] as const;

/** The settings of a function that calls providers of issues and code. */
export const providerEnvironment = (scope: Construct): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(ADDRESSES.flatMap((field) => named(field, addressOf(scope, field)))),
  ...Object.fromEntries(TOKENS.flatMap((field) => named(field, tokenOf(scope, field)))),
});

const named = (field: keyof Config, value: string | undefined): readonly (readonly [string, string])[] =>
  value === undefined ? [] : [[settingName(field), value]];

const given = (scope: Construct, name: string): string | undefined => {
  const value: unknown = scope.node.tryGetContext(name);
  return value === undefined || value === "" ? undefined : String(value);
};

/** Read as the function will read it: what it would refuse is refused before anything is deployed. */
const addressOf = (scope: Construct, field: (typeof ADDRESSES)[number]): string | undefined => {
  const value = given(scope, field);
  try {
    readConfig((name) => (name === field ? value : undefined));
  } catch (error) {
    if (error instanceof Defect)
      throw new UserError(`-c ${field}=${value}: give an address that begins with https://, without a final slash.`);
    throw error;
  }
  return value;
};

const PARAMETER = /^[\w.\-/]{1,1000}$/;

const tokenOf = (scope: Construct, field: (typeof TOKENS)[number]): string | undefined => {
  const setting = `${field}Parameter`;
  const name = given(scope, setting);
  if (name === undefined) return undefined;
  if (!PARAMETER.test(name)) throw new UserError(`-c ${setting}=…: give the name of a parameter of Systems Manager that holds the token.`);
  return new CfnDynamicReference(CfnDynamicReferenceService.SSM, name).toString();
};
