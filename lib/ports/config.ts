import { GENERATION, NEXT_GENERATION } from "../core/formats.ts";
import { Defect } from "../core/unreachable.ts";
import { fixedSecret, type Secret } from "./secret.ts";

/** Settings of a deployment, read once from the environment. Names are the environment's in camelCase. */
export interface Config {
  /** `{base_url}` and `{ingest_url}`, without a final slash; empty where the request's own origin is to be used. */
  readonly baseUrl: string;
  readonly ingestUrl: string;
  /** Multiplies all throttle rates. */
  readonly throttleScale: number;
  /** Live runs at once per project. */
  readonly concurrentRuns: number;
  /** Longest engine time of a run, milliseconds. */
  readonly queryTimeMs: number;
  /** Longest search for a form of a query that can be materialised, milliseconds. */
  readonly suggestionTimeMs: number;
  /** Whether capture refuses a token that no project has. */
  readonly unknownToken: "enforce" | "off";
  /** Local disk that the engine may use, bytes, and memory, megabytes. */
  readonly engineDiskBytes: number;
  readonly engineMemoryMb: number;
  /** The address of a ClickHouse that runs what is too large for the engine, without a final slash; empty where there is none. */
  readonly clickhouseUrl: string;
  readonly clickhouseUser: string;
  readonly clickhousePassword: Secret;
  /** The cluster over which it spreads a query; empty where one server reads all. */
  readonly clickhouseCluster: string;
  /** Megabytes of column chunks above which it is asked. */
  readonly clickhouseAboveMb: number;
  /** How long the compaction waits, as multiples of the defaults in `lib/lake/policy.ts`; small locally. */
  readonly compaction: "deployed" | "local";
  /** The generation of formats that is written: see `lib/core/formats.ts`. */
  readonly writeFormats: number;
  /** Rows of a compacted file: fewer make small questions read less, more make large ones read fewer files. */
  readonly fileRows: number;
  /** Megabytes of source maps that a project may keep. */
  readonly symbolSetsMb: number;
  /** Whether each project's events and persons are published as tables that other engines read. */
  readonly publish: "none" | "iceberg";
  /** Whether clients may erase persons, or the operator alone. */
  readonly erasure: "operator" | "api";
  /** The project that holds everybody's LLM generations; 0 where each organization's projects hold their own. */
  readonly llmAnalyticsProjectId: number;
  /** Whether spend analysis answers a list of one, or for clients that expect it the one itself. */
  readonly personalSpendShape: "array" | "object";
  /** Where providers of issues and code are reached, without a final slash: calls for integrations go nowhere else. */
  readonly githubApi: string;
  readonly gitlabOrigin: string;
  readonly linearApi: string;
  readonly jiraApi: string;
  /** Tokens to look up public code with, for every project; empty where there is none. They should open nothing private. */
  readonly githubToken: Secret;
  readonly gitlabToken: Secret;
  /** Who collects what invoices say; with `none` every payment method is authorized at once. */
  readonly paymentProvider: "none" | "stripe";
  /** The provider's address, the key that it knows this deployment by, and the secret that its own calls are signed with. */
  readonly stripeUrl: string;
  readonly stripeSecretKey: Secret;
  readonly stripeWebhookSecret: Secret;
  /** Where customers see and pay their invoices, where that is an address of its own; empty for none. */
  readonly billingPortalUrl: string;
  /** The upstream service that does the billing, and the license that it knows this deployment by; empty for the ledger's own. */
  readonly billingServiceUrl: string;
  readonly billingLicense: Secret;
  /** The sender of letters; empty where none are sent. */
  readonly mailFrom: string;
  /** The token of a project that the platform sends an event of its own to now and then, and a key that may query it; empty for none. */
  readonly canary: string;
  readonly canaryKey: Secret;
  /** Hosts that customers may have events and alerts sent to: names, names that begin with `*.`, addresses. None where it is empty. */
  readonly webhookHosts: readonly string[];
}

/** Rows of a compacted file where nothing else is said, and at most. */
export const FILE_ROWS = 250_000;
const MAX_FILE_ROWS = 1_000_000;
/** The settings that are secrets. */
export const SECRET_FIELDS = [
  "clickhousePassword",
  "githubToken",
  "gitlabToken",
  "stripeSecretKey",
  "stripeWebhookSecret",
  "billingLicense",
  "canaryKey",
] as const satisfies readonly (keyof Config)[];
export type SecretField = (typeof SECRET_FIELDS)[number];

const MAX_QUERY_MS = 25_000;
const MAX_SUGGESTION_MS = 150_000;

/**
 * The settings, from the text of each or undefined where none is given, which means its default. By hand and not by a schema,
 * because every function reads them before its first request and the schema library is the largest thing some would load.
 * A text that is no such setting is a `Defect` that names it. Secrets are texts like the others unless `secretOf` knows where they lie.
 */
export const readConfig = (
  textOf: (field: keyof Config) => string | undefined,
  secretOf: (field: SecretField) => Secret = (field) => fixedSecret(textOf(field) ?? ""),
): Config => ({
  baseUrl: textOf("baseUrl") ?? "",
  ingestUrl: textOf("ingestUrl") ?? "",
  throttleScale: positive("throttleScale", textOf, { standard: 1, whole: false }),
  concurrentRuns: positive("concurrentRuns", textOf, { standard: 10 }),
  queryTimeMs: positive("queryTimeMs", textOf, { standard: 20_000, max: MAX_QUERY_MS }),
  suggestionTimeMs: positive("suggestionTimeMs", textOf, { standard: MAX_SUGGESTION_MS, max: MAX_SUGGESTION_MS }),
  unknownToken: readChoice("unknownToken", textOf, ["enforce", "off"]),
  engineDiskBytes: positive("engineDiskBytes", textOf, { standard: 4_000_000_000 }),
  engineMemoryMb: positive("engineMemoryMb", textOf, { standard: 1_500 }),
  clickhouseUrl: textOf("clickhouseUrl") === undefined ? "" : address("clickhouseUrl", textOf, ""),
  clickhouseUser: textOf("clickhouseUser") ?? "default",
  clickhousePassword: secretOf("clickhousePassword"),
  clickhouseCluster: word("clickhouseCluster", textOf),
  clickhouseAboveMb: positive("clickhouseAboveMb", textOf, { standard: 1_500 }),
  compaction: readChoice("compaction", textOf, ["deployed", "local"]),
  writeFormats: Number(readChoice("writeFormats", textOf, [String(GENERATION), String(NEXT_GENERATION)])),
  fileRows: positive("fileRows", textOf, { standard: FILE_ROWS, max: MAX_FILE_ROWS }),
  symbolSetsMb: positive("symbolSetsMb", textOf, { standard: 10_000 }),
  publish: readChoice("publish", textOf, ["none", "iceberg"]),
  erasure: readChoice("erasure", textOf, ["operator", "api"]),
  llmAnalyticsProjectId: textOf("llmAnalyticsProjectId") === undefined ? 0 : positive("llmAnalyticsProjectId", textOf, { standard: 1 }),
  personalSpendShape: readChoice("personalSpendShape", textOf, ["array", "object"]),
  githubApi: address("githubApi", textOf, "https://api.github.com"),
  gitlabOrigin: address("gitlabOrigin", textOf, "https://gitlab.com"),
  linearApi: address("linearApi", textOf, "https://api.linear.app"),
  jiraApi: address("jiraApi", textOf, "https://api.atlassian.com"),
  githubToken: secretOf("githubToken"),
  gitlabToken: secretOf("gitlabToken"),
  paymentProvider: readChoice("paymentProvider", textOf, ["none", "stripe"]),
  stripeUrl: address("stripeUrl", textOf, "https://api.stripe.com"),
  stripeSecretKey: secretOf("stripeSecretKey"),
  stripeWebhookSecret: secretOf("stripeWebhookSecret"),
  billingPortalUrl: textOf("billingPortalUrl") === undefined ? "" : address("billingPortalUrl", textOf, ""),
  billingServiceUrl: textOf("billingServiceUrl") === undefined ? "" : address("billingServiceUrl", textOf, ""),
  billingLicense: secretOf("billingLicense"),
  mailFrom: textOf("mailFrom") ?? "",
  canary: textOf("canary") ?? "",
  canaryKey: secretOf("canaryKey"),
  webhookHosts: hosts("webhookHosts", textOf),
});

type TextOf = Parameters<typeof readConfig>[0];

const positive = (
  field: keyof Config,
  textOf: TextOf,
  { standard, max = Number.MAX_SAFE_INTEGER, whole = true }: { readonly standard: number; readonly max?: number; readonly whole?: boolean },
): number => {
  const text = textOf(field);
  if (text === undefined) return standard;
  const value = Number(text);
  const fits = value > 0 && value <= max && (!whole || Number.isInteger(value));
  if (!fits) throw new Defect(`the setting ${field} must be a ${whole ? "whole " : ""}number above 0 and at most ${max}, not "${text}"`);
  return value;
};

/** Encrypted, but for an address of this very machine. */
const ADDRESS = /^(https:\/\/[^\s/?#@]+|http:\/\/(127\.0\.0\.1|localhost)(:\d+)?)(\/[^\s?#]*[^\s?#/])?$/;

const address = (field: keyof Config, textOf: TextOf, standard: string): string => {
  const text = textOf(field) ?? standard;
  if (!ADDRESS.test(text)) throw new Defect(`the setting ${field} must be an address that begins with https://, not "${text}"`);
  return text;
};

/** A name that stands in the text of queries: nothing in it needs to be escaped. Empty where none is given. */
const word = (field: keyof Config, textOf: TextOf): string => {
  const text = textOf(field) ?? "";
  if (!/^[\w-]{0,100}$/.test(text)) throw new Defect(`the setting ${field} must be a name of letters, digits, _ and -, not "${text}"`);
  return text;
};

/** A name in lower case, perhaps for all names below it, or an address; one of IPv6 stands in brackets, as it does in a URL. */
const HOST = /^((\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*|\[[0-9a-f:.]+\])$/;

const hosts = (field: keyof Config, textOf: TextOf): readonly string[] => {
  const named = (textOf(field) ?? "").split(",").flatMap((host) => host.trim().toLowerCase() || []);
  const wrong = named.find((host) => !HOST.test(host));
  if (wrong !== undefined)
    throw new Defect(`the setting ${field} must be hosts with commas between them, such as hooks.acme.com,*.example.org, not "${wrong}"`);
  return named;
};

/** The first choice is the default. */
const readChoice = <T extends string>(field: keyof Config, textOf: TextOf, choices: readonly [T, ...T[]]): T => {
  const text = textOf(field);
  if (text === undefined) return choices[0];
  const chosen = choices.find((choice) => choice === text);
  if (chosen === undefined) throw new Defect(`the setting ${field} must be one of ${choices.join(", ")}, not "${text}"`);
  return chosen;
};
