import { assemble } from "../app/assemble.ts";
import { jsonLog, systemClock, systemIds } from "../app/system.ts";
import type { Uses } from "../app/uses.ts";
import type { World } from "../app/world.ts";
import { writeGeneration } from "../core/formats.ts";
import { once } from "../core/once.ts";
import { Defect } from "../core/unreachable.ts";
import type { SecretField } from "../ports/config.ts";
import { gatheredCounts, type PutCounts } from "../ports/counts.ts";
import type { FileAccess } from "../ports/file-access.ts";
import type { Invocations } from "../ports/invocations.ts";
import type { Mail } from "../ports/mail.ts";
import type { Model } from "../ports/model.ts";
import type { QueueName } from "../ports/queues.ts";
import { keptSecret, type Secret } from "../ports/secret.ts";
import type { Log } from "../ports/system.ts";
import type { TableRegistry } from "../ports/table-registry.ts";
import { type TokenKeyPlace, tokenKeysAt } from "../ports/token-keys.ts";
import { ENVIRONMENT, type Environment, settings } from "./environment.ts";
import { lazyDeadLetters, lazyEngine, lazyObjects, lazySegments, pendingDepths, pendingQueues, pendingTable } from "./lazy.ts";

const required = (environment: Environment, name: string): string => {
  const value = environment[name];
  if (!value) throw new Defect(`the environment variable ${name} is not set`);
  return value;
};

const openTable = async (environment: Environment) => {
  const part = await import("./parts/aws-table.ts");
  return part.openTable(required(environment, ENVIRONMENT.table));
};

/** A function knows only the queues that it uses: a missing address is noticed where it is used. */
const addresses = (environment: Environment, { live, historical, jobs }: Readonly<Record<QueueName, string>>) => ({
  live: environment[live] ?? "",
  historical: environment[historical] ?? "",
  jobs: environment[jobs] ?? "",
});

const openQueues = async (environment: Environment, log: Log) => {
  const part = await import("./aws-queues.ts");
  return part.openQueues(addresses(environment, ENVIRONMENT.queues), log);
};

const openDepths = async (environment: Environment) => {
  const part = await import("./aws-queue-depths.ts");
  return part.openDepths(addresses(environment, ENVIRONMENT.queues), addresses(environment, ENVIRONMENT.deadLetters));
};

const openDeadLetters = async (environment: Environment) => {
  const part = await import("./aws-queues.ts");
  return part.openSource(addresses(environment, ENVIRONMENT.deadLetters));
};

/** Who signs the requests that no client sends for us. */
const signer = (environment: Environment) => {
  const sessionToken = environment.AWS_SESSION_TOKEN;
  return {
    region: required(environment, "AWS_REGION"),
    credentials: {
      accessKeyId: required(environment, "AWS_ACCESS_KEY_ID"),
      secretAccessKey: required(environment, "AWS_SECRET_ACCESS_KEY"),
      ...(sessionToken !== undefined && { sessionToken }),
    },
  };
};

/** A secret under the name of what holds it. Each question opens its part: there are few. */
const openSecret = (environment: Environment, log: Log, setting: SecretField, name: string): Secret => {
  const ask = async (): Promise<string> => {
    const part = await import("./aws-secrets.ts");
    const { parametersUrl, secretsUrl } = ENVIRONMENT.secrets;
    const urls = { parametersUrl: required(environment, parametersUrl), secretsUrl: required(environment, secretsUrl) };
    return part.openSecrets({ ...urls, ...signer(environment) }).read(name);
  };
  return keptSecret({ setting, name, ask }, { clock: systemClock, log });
};

/** Opened for each start: there are few. */
const openInvocations = (environment: Environment, log: Log): Invocations => ({
  async start(name) {
    const part = await import("./parts/aws-invocations.ts");
    const { url, functions } = ENVIRONMENT.invocations;
    const named = { url: required(environment, url), functions: { [name]: required(environment, functions[name]) } };
    return part.openInvocations({ ...named, ...signer(environment) }, log).start(name);
  },
});

/** Opened for each put: there are few, and a fault in it is one of the put. */
const putCounts =
  (environment: Environment): PutCounts =>
  async (amounts) => {
    const part = await import("./parts/aws-counts.ts");
    const put = part.openCounts({
      url: required(environment, ENVIRONMENT.metrics.url),
      namespace: required(environment, ENVIRONMENT.metrics.namespace),
      ...signer(environment),
    });
    await put(amounts);
  };

/** Opened when credentials are asked for. A stage that publishes nothing has no role for readers, and vends none. */
const openFileAccess = (environment: Environment): FileAccess => {
  const vend = once(async () => {
    const part = await import("./parts/aws-file-credentials.ts");
    const place = { bucket: required(environment, ENVIRONMENT.bucket), role: required(environment, ENVIRONMENT.readerRole) };
    return part.openFileCredentials(place, systemClock);
  });
  return {
    store: { region: required(environment, "AWS_REGION") },
    vend: async (prefixes, reader) => (environment[ENVIRONMENT.readerRole] ? (await vend())(prefixes, reader) : undefined),
  };
};

/** Opened for each letter. A stage that was given no sender sends none, and says so where somebody looks for it. */
const openMail = (environment: Environment, log: Log): Mail => ({
  async send(letter) {
    const { url, from } = ENVIRONMENT.mail;
    if (!environment[from])
      return log.line("warn", "mail.unsent", { reason: "the stage has no sender: give it the setting mailFrom, and deploy" });
    const part = await import("./parts/aws-mail.ts");
    await part.openMail({ url: required(environment, url), from: required(environment, from), ...signer(environment) }).send(letter);
  },
});

/** Opened for each table. A stage that was given no database lists its tables nowhere. */
const openRegistry = (environment: Environment): TableRegistry => {
  const { url, database } = ENVIRONMENT.glue;
  const opened = async () => {
    const part = await import("./parts/aws-registry.ts");
    return part.openRegistry({ url: required(environment, url), database: required(environment, database), ...signer(environment) });
  };
  return {
    isConfigured: Boolean(environment[database]),
    register: async (table) => (await opened()).register(table),
    forget: async (name) => (await opened()).forget(name),
  };
};

/** Opened for each call. Those who only read keys keep what they have read. */
const tokenKeyPlace = (environment: Environment): TokenKeyPlace => {
  const { parametersUrl, tokenKeys } = ENVIRONMENT.secrets;
  const opened = async () => {
    const part = await import("./parts/aws-token-keys.ts");
    const named = { url: required(environment, parametersUrl), parameter: required(environment, tokenKeys) };
    return part.openTokenKeys({ ...named, ...signer(environment) });
  };
  return {
    read: async () => (await opened()).read(),
    create: async (text) => (await opened()).create(text),
  };
};

/** Opened for each question. A stage that was given no model has none. */
export const openModel = (environment: Environment): Model => {
  const id = environment[ENVIRONMENT.model.id];
  const url = environment[ENVIRONMENT.model.url];
  return {
    isConfigured: Boolean(id),
    async answer(conversation) {
      const part = await import("./parts/aws-model.ts");
      return part.openModel({ id: required(environment, ENVIRONMENT.model.id), ...(url && { url }) }).answer(conversation);
    },
  };
};

/**
 * The world of a deployed function: the parts that its group uses, from the names in its environment. Each part is a module of
 * its own (`./parts/aws-table.ts` and so on), imported only when used, so that a bundler can leave out what a function never touches.
 * Table, queues and their depths are on their way when this returns; objects and engine are opened at their first call, since most requests
 * of those who may use them do not. `write` takes the lines of the log, which a function's standard output is for.
 */
export const openAws = (
  uses: Uses,
  environment: Environment = process.env,
  write: (line: string) => void = (line) => process.stdout.write(line),
): World => {
  const log = jsonLog(systemClock, write);
  const ids = systemIds(systemClock);
  const config = settings(environment, (field, name) => openSecret(environment, log, field, name));
  writeGeneration(config.writeFormats);
  const objects = lazyObjects(async () => {
    const part = await import("./aws-objects.ts");
    return part.openObjects(required(environment, ENVIRONMENT.bucket));
  }, environment[ENVIRONMENT.bucket] ?? "");
  const counts = gatheredCounts(putCounts(environment), systemClock, log);
  const engine = lazyEngine(async () => {
    const part = await import("./aws-engine.ts");
    return part.openEngine({ objects, config, clock: systemClock, ids, log, counts });
  });
  const parts = {
    ...(uses.table && { table: pendingTable(openTable(environment)) }),
    ...(uses.queues && { queues: pendingQueues(openQueues(environment, log)) }),
    ...(uses.invocations && { invocations: openInvocations(environment, log) }),
    ...(uses.queueDepths && { queueDepths: pendingDepths(openDepths(environment)) }),
    ...(uses.deadLetters && { deadLetters: lazyDeadLetters(() => openDeadLetters(environment)) }),
    ...(uses.objects && { objects }),
    ...(uses.fileAccess && { fileAccess: openFileAccess(environment) }),
    ...(uses.engine && { engine }),
    ...(uses.counts && { counts }),
    ...(uses.mail && { mail: openMail(environment, log) }),
    ...(uses.tableRegistry && { tableRegistry: openRegistry(environment) }),
    ...(uses.model && { model: openModel(environment) }),
    ...(uses.tokenKeys && { tokenKeys: tokenKeysAt(tokenKeyPlace(environment), systemClock, ids) }),
  };
  return assemble(parts, lazySegments, log, config);
};
