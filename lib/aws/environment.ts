import { type Config, readConfig, type SecretField } from "../ports/config.ts";
import { fixedSecret, type Secret } from "../ports/secret.ts";

/**
 * The names of a function's environment variables: written by the stacks and by the local platform, read by `openAws`.
 * Settings of `Config` have the name of their field in capitals: see `settingName`.
 */
export const ENVIRONMENT = {
  table: "TABLE_NAME",
  bucket: "BUCKET_NAME",
  readerRole: "READER_ROLE_ARN",
  queues: { live: "LIVE_QUEUE_URL", historical: "HISTORICAL_QUEUE_URL", jobs: "JOBS_QUEUE_URL" },
  deadLetters: { live: "LIVE_DEAD_LETTERS_URL", historical: "HISTORICAL_DEAD_LETTERS_URL", jobs: "JOBS_DEAD_LETTERS_URL" },
  invocations: { url: "LAMBDA_URL", functions: { tables: "TABLES_FUNCTION" } },
  metrics: { url: "METRICS_URL", namespace: "METRICS_NAMESPACE" },
  glue: { url: "GLUE_URL", database: "GLUE_DATABASE" },
  mail: { url: "MAIL_URL", from: "MAIL_FROM" },
  secrets: { parametersUrl: "PARAMETERS_URL", secretsUrl: "SECRETS_URL", tokenKeys: "TOKEN_KEYS_PARAMETER" },
  model: { id: "MODEL_ID", url: "MODEL_URL" },
} as const;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment variable of a setting: `queryTimeMs` is `QUERY_TIME_MS`. */
export const settingName = (field: string): string => field.replace(/[A-Z]/g, (capital) => `_${capital}`).toUpperCase();

/** The environment variable with the name of what holds a secret: `githubToken` lies under the name in `GITHUB_TOKEN_PARAMETER`. */
export const parameterName = (field: SecretField): string => `${settingName(field)}_PARAMETER`;

/**
 * The settings of a deployment, read once from its environment variables; an absent or empty one keeps its default. `open` gives the
 * secrets that lie under a name.
 */
export const settings = (environment: Environment, open?: (field: SecretField, name: string) => Secret): Config =>
  readConfig(
    (field) => environment[settingName(field)] || undefined,
    (field) => {
      const name = environment[parameterName(field)];
      return name && open ? open(field, name) : fixedSecret(environment[settingName(field)] ?? "");
    },
  );
