import { CfnDynamicReference, CfnDynamicReferenceService } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { settingName } from "../../lib/aws/environment.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { type Config, readConfig } from "../../lib/ports/config.ts";
import { UserError } from "../local/user-error.ts";

/** One of the stage's settings, which the deploy command takes as `-c name=value`. */
export const given = (scope: Construct, name: string): string | undefined => {
  const value: unknown = scope.node.tryGetContext(name);
  return value === undefined || value === "" ? undefined : String(value);
};

/** Environment variables of settings, without those that are not given. */
export const environmentOf = (
  settings: readonly (readonly [field: keyof Config, value: string | undefined])[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(settings.flatMap(([field, value]) => (value === undefined ? [] : [[settingName(field), value]])));

/** An address, read as the function will read it: what it would refuse is refused before anything is deployed. */
export const addressOf = (scope: Construct, field: keyof Config): string | undefined => {
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

/** The setting that names the parameter in which a secret lies. */
export const parameterSetting = (field: keyof Config): string => `${field}Parameter`;

/** A secret, by the name of the parameter that holds it, so that none is in a template. */
export const secretOf = (scope: Construct, field: keyof Config): string | undefined => {
  const setting = parameterSetting(field);
  const name = given(scope, setting);
  if (name === undefined) return undefined;
  if (!PARAMETER.test(name)) throw new UserError(`-c ${setting}=…: give the name of a parameter of Systems Manager that holds it.`);
  return new CfnDynamicReference(CfnDynamicReferenceService.SSM, name).toString();
};
