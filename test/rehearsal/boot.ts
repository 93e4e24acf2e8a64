import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Facts } from "./asks.ts";
import { type Functions, openFunctions } from "./functions.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { type Lineage, openLineage } from "./lineage.ts";
import { startMappings } from "./mappings.ts";
import { otherServices } from "./other-services.ts";
import { checkRoles, rightsOf, roleName } from "./policies.ts";
import { type Ask, allows, type Statement } from "./rights.ts";
import { runRule } from "./schedules.ts";
import { openSecrets, type Secret } from "./secrets.ts";
import { type Denial, type ServicesOptions, startServices } from "./services.ts";
import { makeStores, startStores } from "./stores.ts";
import { ACCOUNT, type Made, type MadeStage, type Output, REGION, resolveStage } from "./template.ts";

/** A stage that stands on this machine, made of the templates and assets of a synthesis and of nothing else. */
export interface Standing {
  readonly output: Output;
  readonly stage: MadeStage;
  readonly functions: Functions;
  readonly lineage: Lineage;
  /** The name of the stack with the outputs of the stage. */
  readonly name: string;
  /** Where the services answer an operator. */
  readonly services: string;
  readonly denials: readonly Denial[];
  /** Every call that a role allowed, once. */
  readonly asked: ReadonlyMap<string, { readonly caller: string; readonly ask: Ask }>;
  /** Ids of the methods of both hosts, of the permissions and of the mappings that were used. */
  readonly used: ReadonlySet<string>;
  /** The variables that functions read, as `function:VARIABLE`. */
  readonly read: ReadonlySet<string>;
  /** What went wrong in the platform's own parts. */
  readonly faults: readonly unknown[];
  /** The address of a host, by the end of its API's name. */
  url(host: "ingest" | "management"): string;
  /** Runs what a rule starts by the clock, now. */
  tick(schedule: string): Promise<void>;
  /** Functions, by name, that are short of time for as long as they are in here. */
  readonly hurried: Set<string>;
  /** The time that functions have. */
  now(): number;
  /** Lets all functions live so much later from now on. */
  travel(ms: number): void;
  /**
   * Puts the stacks of another synthesis in the place of those that stand, one after the other, as a deployment does. Waits for `between`
   * after each, while functions of both are at work.
   */
  deploy(next: Output, between?: (stack: string) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export interface BootOptions {
  /** How much faster than on AWS windows, hidden times and delays pass. */
  readonly speed?: number;
  /** How much longer than on AWS functions may take. */
  readonly patience?: number;
  readonly accountConcurrency?: number;
  /** The moment at which the functions' clock begins, milliseconds since 1970; this machine's time when left out. */
  readonly beginning?: number;
  /** Whether the gateways unpack what is sent to them in gzip, as those of the service do. */
  readonly decompresses?: boolean;
  /** Settings of functions besides those of the templates, by the names of their variables. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Told of each process that serves a function, by the function's name. */
  readonly started?: (name: string, pid: number | undefined) => void;
  /** What is in the parameter store, by name, and in the secret store, by ARN. */
  readonly secrets?: Readonly<Record<string, Secret>>;
}

export const boot = async (output: Output, options: BootOptions = {}): Promise<Standing> => {
  const { speed = 30, patience = 4, accountConcurrency = 10, variables = {}, beginning, decompresses = true } = options;
  const folder = await mkdtemp(join(tmpdir(), "rehearsal-"));
  const stores = await startStores(folder);
  const [lineage, secrets] = [openLineage(), openSecrets(options.secrets ?? {})];
  const [denials, faults]: [Denial[], unknown[]] = [[], []];
  const asked = new Map<string, { readonly caller: string; readonly ask: Ask }>();
  const [used, hurried] = [new Set<string>(), new Set<string>()];
  const failed = (fault: unknown) => faults.push(fault);
  let shiftMs = beginning === undefined ? undefined : beginning - Date.now();
  let answer: ServicesOptions["answer"] = async () => ({ status: 503, body: "" });
  let facts = {
    rights: (_: string): readonly Statement[] => [],
    partitionKey: (_table: string, _index?: string): string | undefined => undefined,
  };
  const noteAsked = (caller: string, ask: Ask) => asked.set(JSON.stringify([caller, ask]), { caller, ask });
  const mayAsk = (caller: string, ask: Ask): boolean => {
    const allowed = allows(facts.rights(caller), ask);
    if (allowed) noteAsked(caller, ask);
    else denials.push({ caller, ...ask });
    return allowed;
  };
  const services = await startServices({
    ...stores,
    speed,
    facts: { partitionKey: (...named) => facts.partitionKey(...named), encryptionKey: (name) => secrets.get(name)?.key },
    mayAsk,
    sent: lineage.sent,
    answer: (caller, request) => answer(caller, request),
  });
  const endpoint = `http://127.0.0.1:${services.port}`;
  const functions = openFunctions({
    services: endpoint,
    folder,
    accountConcurrency,
    patience,
    variables,
    shiftMs: () => shiftMs,
    hurried,
    started: (made, pid) => {
      options.started?.(made.ref, pid);
      for (const ask of logAsks(made)) mayAsk(made.ref, ask);
    },
  });
  let current = output;
  let stage = resolveStage(output, endpoint);
  const take = (): void => {
    checkRoles(stage);
    facts = { rights: rightsOf(stage), partitionKey: partitionKeys(stage) };
    functions.replace(stage.of("AWS::Lambda::Function"), current.assets);
  };
  await makeStores(stage, stores, speed);
  take();
  answer = otherServices({ functions, secrets, stage: () => stage, failed });
  const gateways: readonly Gateway[] = await Promise.all(
    stage
      .of("AWS::ApiGateway::RestApi")
      .map((api) => startGateway(stage, api, functions, { patience, decompresses, used: (id) => used.add(id) })),
  );
  const mappings = startMappings(stage, {
    store: stores.store,
    speed,
    functions,
    lineage,
    statements: (role) => facts.rights(roleName(role)),
    shiftMs: () => shiftMs ?? 0,
    failed,
    asked: noteAsked,
    used: (id) => used.add(id),
  });
  return {
    get output() {
      return current;
    },
    get stage() {
      return stage;
    },
    functions,
    lineage,
    hurried,
    name: frontStack(stage),
    services: endpoint,
    denials,
    asked,
    used,
    read: functions.read,
    faults,
    url(host) {
      const found = gateways.find(({ name }) => name.endsWith(`-${host}`));
      if (found === undefined) throw new Error(`the templates make no ${host} host`);
      return found.url;
    },
    async tick(schedule) {
      const rule = stage.of("AWS::Events::Rule").find(({ id }) => id.startsWith(`${schedule}rule`));
      if (rule === undefined) throw new Error(`the templates have no schedule ${schedule}`);
      used.add(rule.ref);
      await runRule(stage, rule, functions);
    },
    now: () => Date.now() + (shiftMs ?? 0),
    travel(ms) {
      shiftMs = (shiftMs ?? 0) + ms;
      functions.retire();
    },
    async deploy(next, between = async () => undefined) {
      for (const [stack, template] of next.templates) {
        current = {
          templates: new Map([...current.templates, [stack, template]]),
          within: new Map([...current.within, ...next.within]),
          assets: new Map([...current.assets, ...next.assets]),
        };
        stage = resolveStage(current, endpoint);
        take();
        for (const gateway of gateways) gateway.replace(stage);
        await mappings.replace(stage);
        await between(stack);
      }
    },
    async stop() {
      await mappings.stop();
      await Promise.all(gateways.map((gateway) => gateway.stop()));
      await functions.stop();
      await Promise.all([services.stop(), stores.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** What an environment does with its function's role before it does anything else. */
const logAsks = ({ ref, properties }: Made): readonly Ask[] => {
  const group = `arn:aws:logs:${REGION}:${ACCOUNT}:log-group:${properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${ref}`}`;
  return ["CreateLogStream", "PutLogEvents"].map((action) => ({
    action: `logs:${action}`,
    resource: `${group}:log-stream:${ref}`,
    context: {},
  }));
};

/** The attribute that partitions each table and index of the templates. */
const partitionKeys = (stage: MadeStage): Facts["partitionKey"] => {
  const keys = new Map<string, string>();
  const note = (name: string, { KeySchema }: Made["properties"]): void => {
    for (const { KeyType, AttributeName } of KeySchema) if (KeyType === "HASH") keys.set(name, AttributeName);
  };
  for (const { ref, properties } of stage.of("AWS::DynamoDB::GlobalTable")) {
    note(ref, properties);
    for (const index of properties.GlobalSecondaryIndexes ?? []) note(`${ref} ${index.IndexName}`, index);
  }
  return (table, index) => keys.get(index === undefined ? table : `${table} ${index}`);
};

/** Stacks of a stage have its name and a word behind it; the front stack has the name alone. */
const frontStack = ({ outputs }: MadeStage): string => [...outputs.keys()].toSorted((one, other) => one.length - other.length)[0] ?? "";
