import { Arn, Stack } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { secretFields } from "../../lib/app/secret-fields.ts";
import type { FunctionNeeds } from "../../lib/app/uses.ts";
import { ENVIRONMENT, parameterName } from "../../lib/aws/environment.ts";
import type { SecretField } from "../../lib/ports/config.ts";
import { UserError } from "../local/user-error.ts";
import { tokenKeysParameter } from "../token-keys.ts";
import { outerStackName } from "./outer-stack.ts";
import { given, secretSetting } from "./settings.ts";

/** Where a secret of the stage lies, the variable that tells a function so, and the ARN that a policy names. */
interface NamedSecret {
  readonly variable: string;
  readonly name: string;
  readonly service: "ssm" | "secretsmanager";
  readonly arn: string;
}

/** A path begins with a slash: the service takes none that has one only within. */
const NAME = /^(?=.{1,1000}$)([\w.-]+|(\/[\w.-]+)+)$/;
const PARAMETER_ARN = /^arn:[\w-]+:ssm:[\w-]+:\d{12}:parameter\/[\w.\-/]+$/;
/** With the six characters at its end, without which a policy would name another one. */
const SECRET_ARN = /^arn:[\w-]+:secretsmanager:[\w-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6}$/;

const settingSecret = (scope: Construct, field: SecretField): NamedSecret | undefined => {
  const variable = parameterName(field);
  const name = given(scope, secretSetting(field));
  if (name === undefined) return undefined;
  if (SECRET_ARN.test(name)) return { variable, name, service: "secretsmanager", arn: name };
  if (PARAMETER_ARN.test(name)) return { variable, name, service: "ssm", arn: name };
  if (!NAME.test(name))
    throw new UserError(
      `-c ${secretSetting(field)}=…: give the name of a parameter of Systems Manager that holds it, with the slash that its path begins with, or the whole ARN of a secret of Secrets Manager.`,
    );
  return parameterSecret(scope, variable, name);
};

const parameterSecret = (scope: Construct, variable: string, name: string): NamedSecret => {
  const resourceName = name.replace(/^\//, "");
  const arn = Arn.format({ service: "ssm", resource: "parameter", resourceName }, Stack.of(scope));
  return { variable, name, service: "ssm", arn };
};

const namedSecrets = (scope: Construct, needs: FunctionNeeds): readonly NamedSecret[] => [
  ...secretFields(needs).flatMap((field) => settingSecret(scope, field) ?? []),
  ...(needs.uses.tokenKeys ? [parameterSecret(scope, ENVIRONMENT.secrets.tokenKeys, tokenKeysParameter(outerStackName(scope)))] : []),
];

/** The names of the secrets that a function reads, and where it asks for them; nothing of what they hold. Throws `UserError`. */
export const secretsEnvironment = (scope: Construct, needs: FunctionNeeds): Readonly<Record<string, string>> => {
  const secrets = namedSecrets(scope, needs);
  if (secrets.length === 0) return {};
  const { region, urlSuffix } = Stack.of(scope);
  return {
    ...Object.fromEntries(secrets.map(({ variable, name }) => [variable, name])),
    [ENVIRONMENT.secrets.parametersUrl]: `https://ssm.${region}.${urlSuffix}`,
    [ENVIRONMENT.secrets.secretsUrl]: `https://secretsmanager.${region}.${urlSuffix}`,
  };
};

const ACTIONS = { ssm: "ssm:GetParameter", secretsmanager: "secretsmanager:GetSecretValue" } as const;

/** Lets a function read its secrets and no others. Every role of the account may use AWS's own keys for that; a key of the stage's owner is named. */
export const grantSecrets = (role: iam.Role, needs: FunctionNeeds): void => {
  const secrets = namedSecrets(role, needs);
  const key = secretsKey(role);
  const { region, urlSuffix } = Stack.of(role);
  for (const service of ["ssm", "secretsmanager"] as const) {
    const resources = secrets.filter((secret) => secret.service === service).map(({ arn }) => arn);
    if (resources.length === 0) continue;
    role.addToPolicy(new iam.PolicyStatement({ actions: [ACTIONS[service]], resources }));
    if (key === undefined) continue;
    const conditions = { StringEquals: { "kms:ViaService": `${service}.${region}.${urlSuffix}` } };
    role.addToPolicy(new iam.PolicyStatement({ actions: ["kms:Decrypt"], resources: [key], conditions }));
  }
};

const KEY_ARN = /^arn:[\w-]+:kms:[\w-]+:\d{12}:key\/[\w-]+$/;

/** The account's own key that the secrets are encrypted with, `-c secretsKey=arn:aws:kms:…`. */
const secretsKey = (scope: Construct): string | undefined => {
  const key = given(scope, "secretsKey");
  if (key === undefined || KEY_ARN.test(key)) return key;
  throw new UserError(`-c secretsKey=${key}: give the ARN of the key of KMS that the secrets are encrypted with.`);
};
