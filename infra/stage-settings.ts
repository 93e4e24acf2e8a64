import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { ROOT } from "./bundle.ts";
import { UserError } from "./local/user-error.ts";

/** Everything that a stage can be told, and what it means. Values are checked where they are used. */
export const STAGE_SETTINGS = {
  alarmEmail: "where alarms are mailed",
  mailFrom: "who the platform's letters come from, an address that SES has verified",
  logRole: "false where the account's gateways have a role for logs already",
  dashboard: "true for a dashboard, which has a monthly price",
  logLevel: "info, or debug for a line of each request of an SDK that was taken as well",
  liveWindowSeconds: "seconds that live events are gathered before they are stored, 5 unless told: fewer are fresher and dearer",
  historicalWindowSeconds: "the same of imports, 20 unless told",
  liveAtOnce: "functions that store live events at once, 3 unless told",
  historicalAtOnce: "functions that store imports at once, 2 unless told",
  jobsAtOnce: "functions that compact, count and remove at once, 2 unless told",
  captureMemoryMb: "megabytes of the function that takes events, 512 unless told",
  ingestMemoryMb: "megabytes of the functions that store them, 1,769 unless told",
  queryMemoryMb: "megabytes of the functions that run queries, 3,008 unless told: the most that a new account may have",
  fileRows: "rows of a compacted file, 250,000 unless told",
  functionLimit: "functions that the account may run at once and nobody else has reserved, which deploy asks and writes down",
  ingestDomain: "a domain of yours for the ingest host: some SDKs need one",
  ingestCertificate: "the ARN of its certificate, in the stage's region",
  apiDomain: "a domain of yours for the API",
  apiCertificate: "the ARN of its certificate, in the stage's region",
  ingestPerSecond: "requests of a second to the ingest host",
  managementPerSecond: "requests of a second to the API",
  canary: "the token of a project that an event is sent to every five minutes, which a query has to see within a minute",
  canaryKeyParameter: "the parameter with a personal key that may query that project alone",
  gradual: "true where new versions of capture, ingest and runs are tried on a tenth of the calls first, which takes five minutes",
  traces: "true for traces of X-Ray, which have a price",
  volumeAlarm: "requests to the ingest host in five minutes that somebody is told of",
  monthlyBudgetUsd: "dollars of a month that somebody is told of",
  llmAnalyticsProjectId: "the one project that holds everybody's LLM generations",
  personalSpendShape: "object for clients that expect spend without a list around it",
  modelId: "the model of Amazon Bedrock that suggests other forms of queries",
  paymentProvider: "stripe, where money is collected",
  stripeUrl: "the address of Stripe's API",
  stripeSecretKeyParameter: "the parameter or secret with the key that Stripe knows the platform by",
  stripeWebhookSecretParameter: "the parameter or secret with the secret that Stripe signs with",
  billingPortalUrl: "where customers see and pay their invoices",
  billingServiceUrl: "the address of an upstream billing service",
  billingLicenseParameter: "the parameter or secret with the license for it",
  writeFormats: "the generation of formats that is written: this release's, or the next one once this release is deployed everywhere",
  symbolSetsMb: "megabytes of source maps that a project may keep",
  webhookHosts: "the hosts that customers may have events of their billing and alerts sent to",
  clickhouseUrl: "the address of a ClickHouse for queries that are too large for the platform's own engine",
  clickhouseUser: "who the platform is there",
  clickhousePasswordSecret: "the parameter or secret with that user's password",
  clickhouseCluster: "the cluster over which it spreads a query",
  clickhouseAboveMb: "megabytes that a query reads above which it goes there",
  githubApi: "the address of GitHub's API",
  gitlabOrigin: "the address of GitLab",
  linearApi: "the address of Linear's API",
  jiraApi: "the address of Jira's API",
  githubTokenParameter: "the parameter or secret with a token for public code on GitHub",
  gitlabTokenParameter: "the parameter or secret with a token for public code on GitLab",
  secretsKey: "the key of KMS that encrypts those parameters and secrets, where it is one of the account's own",
  publish: "iceberg, where other engines are to read each project's events and persons as tables",
  erasure: "api, where clients with the scope person:write may erase persons by a call, and not the operator alone",
  glueDatabase: "the database of Glue, made with the stage, that lists the published tables for Athena",
  keptTable: "the table that a destroyed stage left, which the stage takes back",
  keptBucket: "the bucket that it left",
} as const;
export type StageSetting = keyof typeof STAGE_SETTINGS;
export type StageSettings = Readonly<Partial<Record<StageSetting, string>>>;

const FOLDER = join(ROOT, "infra", "stages");

/** The one file that says how a stage is: deploy, diff and destroy read it, so that none of them forgets what another was told. */
export const settingsFile = (stage: string, folder = FOLDER): string => join(folder, `${stage}.json`);

const Stored = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));

/** A stage's settings; none where it has no file. Throws a `UserError` for a file that says something else. */
export const readStageSettings = (stage: string, folder = FOLDER): StageSettings => {
  const file = settingsFile(stage, folder);
  if (!existsSync(file)) return {};
  try {
    return known(Stored.parse(JSON.parse(readFileSync(file, "utf8"))));
  } catch (thrown) {
    if (thrown instanceof UserError) throw new UserError(`${file}: ${thrown.message}`);
    throw new UserError(`${file} must be one JSON object of settings with a text, a number, true or false each.`);
  }
};

/** Writes `name=value` into a stage's file, so that whoever deploys next deploys the same; an empty value takes a setting away. */
export const keepStageSettings = (stage: string, given: readonly string[], folder = FOLDER): StageSettings => {
  const next = changedSettings(readStageSettings(stage, folder), given);
  if (given.length === 0) return next;
  const file = settingsFile(stage, folder);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(next, null, 2)}\n`);
  return next;
};

/** A stage's settings with what `name=value` says in the place of what they said; an empty value takes a setting away. */
export const changedSettings = (before: StageSettings, given: readonly string[]): StageSettings => {
  const changes = known(Object.fromEntries(given.map(readPair)));
  return known(Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== "")));
};

const readPair = (text: string): readonly [string, string] => {
  const mark = text.indexOf("=");
  if (mark < 1) throw new UserError(`-c ${text}: give a setting as name=value.`);
  return [text.slice(0, mark), text.slice(mark + 1)];
};

const known = (settings: Readonly<Record<string, string>>): StageSettings => {
  const unknown = Object.keys(settings).find((name) => !Object.hasOwn(STAGE_SETTINGS, name));
  if (unknown === undefined) return settings;
  throw new UserError(`there is no setting ${unknown}; there are ${Object.keys(STAGE_SETTINGS).join(", ")}.`);
};
