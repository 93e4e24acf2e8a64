import type { Construct } from "constructs";
import { UserError } from "../local/user-error.ts";
import { addressOf, environmentOf, given, parameterSetting, secretOf } from "./settings.ts";

const PROVIDERS = ["none", "stripe"];

/** Where payments are made and seen, and where an upstream billing service is, `-c billingPortalUrl=https://…`. */
const ADDRESSES = ["stripeUrl", "billingPortalUrl", "billingServiceUrl"] as const;

/** What Stripe knows the deployment by, `-c stripeSecretKeyParameter=/path`. */
const STRIPE_SECRETS = ["stripeSecretKey", "stripeWebhookSecret"] as const;

/** The settings of a function that has money collected, or asks a billing service. */
export const paymentEnvironment = (scope: Construct): Readonly<Record<string, string>> => {
  const provider = given(scope, "paymentProvider");
  if (provider !== undefined && !PROVIDERS.includes(provider))
    throw new UserError(`-c paymentProvider=${provider}: give ${PROVIDERS.join(" or ")}.`);
  const missing = STRIPE_SECRETS.map(parameterSetting).filter((name) => given(scope, name) === undefined);
  if (provider === "stripe" && missing.length > 0)
    throw new UserError(
      `-c paymentProvider=stripe needs -c ${missing.join("=… and -c ")}=… as well: names of parameters of Systems Manager.`,
    );
  return environmentOf([
    ["paymentProvider", provider],
    ...ADDRESSES.map((field) => [field, addressOf(scope, field)] as const),
    ...[...STRIPE_SECRETS, "billingLicense" as const].map((field) => [field, secretOf(scope, field)] as const),
  ]);
};

/** For a function that only has to know whether a service elsewhere does the billing. */
export const billingServiceEnvironment = (scope: Construct): Readonly<Record<string, string>> =>
  environmentOf([["billingServiceUrl", addressOf(scope, "billingServiceUrl")]]);

/** For one that asks it and collects nothing. */
export const billingLicenseEnvironment = (scope: Construct): Readonly<Record<string, string>> =>
  environmentOf([["billingLicense", secretOf(scope, "billingLicense")]]);
