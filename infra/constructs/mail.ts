import { Arn, Stack } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { ENVIRONMENT } from "../../lib/aws/environment.ts";
import { UserError } from "../local/user-error.ts";
import { isEmailAddress } from "./settings.ts";

/** The address that letters come from, the setting `mailFrom`; undefined for a stage that sends none. */
const senderAddress = (scope: Construct): string | undefined => {
  const from: unknown = scope.node.tryGetContext("mailFrom");
  if (from === undefined || from === "") return undefined;
  if (typeof from === "string" && isEmailAddress(from)) return from;
  throw new UserError(`mailFrom=${String(from)}: give an e-mail address that SES has verified in this account.`);
};

export const mailEnvironment = (scope: Construct): Readonly<Record<string, string>> => {
  const from = senderAddress(scope);
  const { region, urlSuffix } = Stack.of(scope);
  return from === undefined ? {} : { [ENVIRONMENT.mail.url]: `https://email.${region}.${urlSuffix}`, [ENVIRONMENT.mail.from]: from };
};

/** Lets a function send from the one address: by the identity of the address or by that of its domain. */
export const grantMail = (role: iam.Role): void => {
  const from = senderAddress(role);
  if (from === undefined) return;
  const stack = Stack.of(role);
  const identities = [from, from.slice(from.indexOf("@") + 1)];
  role.addToPolicy(
    new iam.PolicyStatement({
      actions: ["ses:SendEmail"],
      resources: identities.map((resourceName) => Arn.format({ service: "ses", resource: "identity", resourceName }, stack)),
      conditions: { StringEquals: { "ses:FromAddress": from } },
    }),
  );
};
