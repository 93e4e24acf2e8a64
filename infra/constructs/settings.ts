import type { Construct } from "constructs";
import type { SettingGroup } from "../../lib/app/uses.ts";
import { settingName } from "../../lib/aws/environment.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { type Config, readConfig, type SecretField } from "../../lib/ports/config.ts";
import { UserError } from "../local/user-error.ts";

/** One of the stage's settings, which the deploy command takes as `-c name=value`. */
export const given = (scope: Construct, name: string): string | undefined => {
  const value: unknown = scope.node.tryGetContext(name);
  return value === undefined || value === "" ? undefined : String(value);
};

/** One that is true or false. Throws `UserError`. */
export const isOn = (scope: Construct, name: "dashboard" | "gradual" | "logRole" | "traces", unlessTold = false): boolean => {
  const text = given(scope, name) ?? String(unlessTold);
  if (text !== "true" && text !== "false") throw new UserError(`-c ${name}=${text}: give true or false.`);
  return text === "true";
};

export const isEmailAddress = (text: string): boolean => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text);

/** The environment variables of a group of settings, refused here where the function would refuse them. Throws `UserError`. */
export const groupEnvironment = (scope: Construct, group: SettingGroup): Readonly<Record<string, string>> => ENVIRONMENTS[group](scope);

/** Environment variables of settings, without those that are not given. */
const settingsEnvironment = (
  settings: readonly (readonly [field: keyof Config, value: string | undefined])[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(settings.flatMap(([field, value]) => (value === undefined ? [] : [[settingName(field), value]])));

/** A setting, read as the function will read it: what it would refuse is refused before anything is deployed, in the same words or others. */
const checked = (scope: Construct, field: keyof Config, refusal?: (value: string) => string): string | undefined => {
  const value = given(scope, field);
  try {
    readConfig((name) => (name === field ? value : undefined));
  } catch (error) {
    if (error instanceof Defect) throw new UserError(refusal?.(value ?? "") ?? `${error.message}.`);
    throw error;
  }
  return value;
};

const address = (scope: Construct, field: keyof Config): string | undefined =>
  checked(scope, field, (value) => `-c ${field}=${value}: give an address that begins with https://, without a final slash.`);

/** The generation of formats that a stage writes, `-c writeFormats=2`. */
export const writtenFormats = (scope: Construct): number =>
  readConfig((name) => (name === "writeFormats" ? checked(scope, name) : undefined)).writeFormats;

/** The same for its functions, each of which writes something. */
export const formatsEnvironment = (scope: Construct): Readonly<Record<string, string>> =>
  settingsEnvironment([["writeFormats", checked(scope, "writeFormats")]]);

/** The setting that names what holds a secret, so that the secret itself is in no template and no environment. */
export const secretSetting = (field: SecretField) => (field === "clickhousePassword" ? PASSWORD_SETTING : (`${field}Parameter` as const));

const PASSWORD_SETTING = "clickhousePasswordSecret";

const PAYMENT_PROVIDERS = ["none", "stripe"];

/** Where payments are made and seen, and where an upstream billing service is, `-c billingPortalUrl=https://…`. */
const BILLING_ADDRESSES = ["stripeUrl", "billingPortalUrl", "billingServiceUrl"] as const;

/** Without the keys of the deployment's account nobody collects through Stripe, `-c stripeSecretKeyParameter=/path`. */
const STRIPE_SECRETS = ["stripeSecretKey", "stripeWebhookSecret"] as const;

/** Whether somebody collects the stage's payments, `-c paymentProvider=stripe`. */
export const collectsPayments = (scope: Construct): boolean => (given(scope, "paymentProvider") ?? "none") !== "none";

/** The settings of a function that has money collected, or asks a billing service. */
const paymentEnvironment = (scope: Construct): Readonly<Record<string, string>> => {
  const provider = given(scope, "paymentProvider");
  if (provider !== undefined && !PAYMENT_PROVIDERS.includes(provider))
    throw new UserError(`-c paymentProvider=${provider}: give ${PAYMENT_PROVIDERS.join(" or ")}.`);
  const missing = STRIPE_SECRETS.map(secretSetting).filter((name) => given(scope, name) === undefined);
  if (provider === "stripe" && missing.length > 0)
    throw new UserError(`-c paymentProvider=stripe needs -c ${missing.join("=… and -c ")}=… as well: where they lie.`);
  return settingsEnvironment([["paymentProvider", provider], ...BILLING_ADDRESSES.map((field) => [field, address(scope, field)] as const)]);
};

/** For a function that only has to know whether a service elsewhere does the billing. */
const billingServiceEnvironment = (scope: Construct): Readonly<Record<string, string>> =>
  settingsEnvironment([["billingServiceUrl", address(scope, "billingServiceUrl")]]);

/** Where the providers of issues and code are, `-c githubApi=https://…`; each that is left out is the public one. */
const PROVIDER_ADDRESSES = ["githubApi", "gitlabOrigin", "linearApi", "jiraApi"] as const;

/** The settings of a function that calls providers of issues and code. */
const providerEnvironment = (scope: Construct): Readonly<Record<string, string>> =>
  settingsEnvironment(PROVIDER_ADDRESSES.map((field) => [field, address(scope, field)] as const));

const SPEND_FIELDS = ["llmAnalyticsProjectId", "personalSpendShape"] as const;

/** The settings of the function that shows spend, read as it will read them. */
const spendEnvironment = (scope: Construct): Readonly<Record<string, string>> =>
  settingsEnvironment(SPEND_FIELDS.map((field) => [field, checked(scope, field)] as const));

/** Whether the stage publishes tables that other engines read, `-c publish=iceberg`. */
export const publishesTables = (scope: Construct): boolean => checked(scope, "publish") === "iceberg";

/** For a function that publishes tables, looks after their files or serves them. */
const publishingEnvironment = (scope: Construct): Readonly<Record<string, string>> =>
  settingsEnvironment([["publish", checked(scope, "publish")]]);

/** For the function that is asked to erase persons. */
const erasureEnvironment = (scope: Construct): Readonly<Record<string, string>> =>
  settingsEnvironment([["erasure", checked(scope, "erasure")]]);

/** Whether the stage has a ClickHouse beside it, `-c clickhouseUrl=https://…`. */
export const hasClickhouse = (scope: Construct): boolean => given(scope, "clickhouseUrl") !== undefined;

const CLICKHOUSE_FIELDS = ["clickhouseUser", "clickhouseCluster", "clickhouseAboveMb"] as const;

/** The settings of a function that runs queries, for the ClickHouse that takes those that are too large for its own engine. */
export const clickhouseEnvironment = (scope: Construct): Readonly<Record<string, string>> => {
  const alone = [...CLICKHOUSE_FIELDS, PASSWORD_SETTING].find((name) => given(scope, name) !== undefined);
  if (!hasClickhouse(scope)) {
    if (alone === undefined) return {};
    throw new UserError(`-c ${alone}=… needs -c clickhouseUrl=… as well: the address of the ClickHouse that it is about.`);
  }
  if (given(scope, PASSWORD_SETTING) === undefined)
    throw new UserError(`-c clickhouseUrl=… needs -c ${PASSWORD_SETTING}=… as well: where its user's password lies.`);
  return settingsEnvironment([
    ["clickhouseUrl", address(scope, "clickhouseUrl")],
    ...CLICKHOUSE_FIELDS.map((field) => [field, checked(scope, field)] as const),
  ]);
};

/** Hosts of the machine itself, where a function has nothing of a customer's. */
const OWN_HOST = /^(localhost|127\..*|\[::1\])$/;

/** Whether customers are told of their billing and their errors: by letters, `-c mailFrom=…`, or by webhooks, `-c webhookHosts=…`. */
export const tellsCustomers = (scope: Construct): boolean =>
  given(scope, "mailFrom") !== undefined || given(scope, "webhookHosts") !== undefined;

/** Where customers may have events of their billing and alerts sent to, `-c webhookHosts=hooks.acme.com,*.example.org`. */
const webhookEnvironment = (scope: Construct): Readonly<Record<string, string>> => {
  const hosts = checked(scope, "webhookHosts");
  const own = hosts?.split(",").find((host) => OWN_HOST.test(host.trim()));
  if (own !== undefined) throw new UserError(`-c webhookHosts=…: ${own} is the function itself. Give hosts of your customers.`);
  return settingsEnvironment([["webhookHosts", hosts]]);
};

/** What a project's token looks like. */
const TOKEN = /^phc_\w{1,200}$/;

/** A canary's event has to be seen within a minute; what is left of it is for storing the event and asking for it. */
const MOST_CANARY_WINDOW_SECONDS = 40;

/** The project that the platform sends an event of its own to, `-c canary=phc_…`, and the key that asks for it. */
const canaryEnvironment = (scope: Construct): Readonly<Record<string, string>> => {
  const token = given(scope, "canary");
  const keySetting = secretSetting("canaryKey");
  if ((token === undefined) !== (given(scope, keySetting) === undefined))
    throw new UserError(`-c canary=phc_… and -c ${keySetting}=/path need each other.`);
  if (token !== undefined && Number(given(scope, "liveWindowSeconds") ?? 0) > MOST_CANARY_WINDOW_SECONDS)
    throw new UserError(
      `-c canary=… needs a liveWindowSeconds of ${MOST_CANARY_WINDOW_SECONDS} at most: an event that is gathered for longer is not seen within a minute.`,
    );
  if (token !== undefined && !TOKEN.test(token))
    throw new UserError(`-c canary=${token}: give the token of a project, which begins with phc_.`);
  return settingsEnvironment([["canary", token]]);
};

const ENVIRONMENTS: Readonly<Record<SettingGroup, (scope: Construct) => Readonly<Record<string, string>>>> = {
  payments: paymentEnvironment,
  providers: providerEnvironment,
  "billing service": billingServiceEnvironment,
  // Its license is a secret and nothing else.
  "billing license": () => ({}),
  spend: spendEnvironment,
  canary: canaryEnvironment,
  "file size": (scope) => settingsEnvironment([["fileRows", checked(scope, "fileRows")]]),
  publishing: publishingEnvironment,
  erasure: erasureEnvironment,
  webhooks: webhookEnvironment,
  "symbol sets": (scope) => settingsEnvironment([["symbolSetsMb", checked(scope, "symbolSetsMb")]]),
};
