import { Duration, RemovalPolicy, Size } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import * as logs from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { FunctionNeeds, ObjectUse } from "../../lib/app/uses.ts";
import { ENVIRONMENT, settingName } from "../../lib/aws/environment.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { QUEUES, type QueueName } from "../../lib/ports/queues.ts";
import type { Bundles } from "../functions.ts";
import { UserError } from "../local/user-error.ts";
import { engineLimits, functionSizing, type Sizing } from "../sizing.ts";
import { countsEnvironment, grantCounts } from "./counts.ts";
import type { EventLake } from "./event-lake.ts";
import { grantRegistry, registryEnvironment } from "./glue-registry.ts";
import type { GuardedQueue } from "./guarded-queue.ts";
import { grantInvocations, type Invoked, invocationsEnvironment } from "./invocations.ts";
import { grantMail, mailEnvironment } from "./mail.ts";
import { grantModel, modelEnvironment } from "./model.ts";
import { readerRole } from "./reader-role.ts";
import { grantSecrets, secretsEnvironment } from "./secrets.ts";
import { clickhouseEnvironment, formatsEnvironment, given, groupEnvironment, hasClickhouse } from "./settings.ts";
import type { SingleTable } from "./single-table.ts";
import { reservedExecutions, type ServedFunction, stageMemoryMb } from "./stage-sizes.ts";
import { acknowledgeTraces, traced } from "./traces.ts";

/** The resources that the functions of a stage share. */
export interface Surroundings {
  readonly bundles: Bundles;
  readonly table: SingleTable;
  readonly lake: EventLake;
  readonly queues: Partial<Readonly<Record<QueueName, GuardedQueue>>>;
  readonly invoked?: Invoked;
}

/**
 * A function of the platform: Node 24 on arm64, its own role with exactly the rights that its declaration asks for, its own log group that
 * keeps a month, and the names of what it uses in its environment.
 */
export const platformFunction = (
  scope: Construct,
  served: ServedFunction,
  around: Surroundings,
  settings: Readonly<Record<string, string>> = {},
): lambda.Function => {
  const { name, uses, queue, settings: groups = [] } = served;
  const standard = functionSizing(served);
  const sizing = { ...standard, memoryMb: stageMemoryMb(scope, served) ?? standard.memoryMb };
  const reserved = reservedExecutions(scope, served);
  const folder = around.bundles.get(name);
  if (folder === undefined) throw new Defect(`${name} has no bundle`);
  const logGroup = new logs.LogGroup(scope, `${name}-log`, {
    retention: logs.RetentionDays.ONE_MONTH,
    // Half the price of taking a line in; the lines are read with Logs Insights, and nothing is computed from them.
    logGroupClass: logs.LogGroupClass.INFREQUENT_ACCESS,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const role = new iam.Role(scope, `${name}-role`, { assumedBy: new iam.ServicePrincipal("lambda.amazonaws.com") });
  logGroup.grantWrite(role);
  const made = new lambda.Function(scope, name, {
    runtime: lambda.Runtime.NODEJS_24_X,
    architecture: lambda.Architecture.ARM_64,
    code: lambda.Code.fromAsset(folder),
    handler: "handler.handler",
    memorySize: sizing.memoryMb,
    timeout: Duration.seconds(sizing.timeoutSeconds),
    ...(sizing.diskMb !== undefined && { ephemeralStorageSize: Size.mebibytes(sizing.diskMb) }),
    ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
    role,
    logGroup,
    ...(traced(scope) && { tracing: lambda.Tracing.ACTIVE }),
    // Work that is put off goes back to its own queue, round after round: the service would take that for a mistake, and end it after 16.
    ...(queue !== undefined && uses.queues?.includes(queue) && { recursiveLoop: lambda.RecursiveLoop.ALLOW }),
    // The platform's report of each call says what ours cannot: the memory that was used, and how long a start took.
    loggingFormat: lambda.LoggingFormat.JSON,
    systemLogLevelV2: lambda.SystemLogLevel.INFO,
    applicationLogLevelV2: logLevel(scope),
    environment: {
      ...partsEnvironment(served, around),
      ...formatsEnvironment(scope),
      ...(countsAnything(scope, served) && countsEnvironment(scope)),
      ...invocationsEnvironment(scope, uses, around.invoked ?? {}),
      ...(uses.mail && mailEnvironment(scope)),
      ...(uses.model && modelEnvironment(scope)),
      ...(uses.tableRegistry && registryEnvironment(scope)),
      ...(uses.fileAccess && readerRole(role, around.lake)),
      ...Object.assign({}, ...groups.map((group) => groupEnvironment(scope, group))),
      ...engineSettings(served, sizing),
      ...(uses.engine && clickhouseEnvironment(scope)),
      ...secretsEnvironment(scope, served),
      ...settings,
    },
  });
  grant(served, role, around);
  if (traced(scope)) acknowledgeTraces(role);
  return made;
};

/** Lines below the level are dropped by the service, before they are paid. */
const logLevel = (scope: Construct): lambda.ApplicationLogLevel => {
  const level = given(scope, "logLevel") ?? "info";
  if (level === "info") return lambda.ApplicationLogLevel.INFO;
  if (level === "debug") return lambda.ApplicationLogLevel.DEBUG;
  throw new UserError(`-c logLevel=${level}: give info or debug.`);
};

const partsEnvironment = ({ uses }: FunctionNeeds, { table, lake, queues }: Surroundings): Readonly<Record<string, string>> => ({
  ...(uses.table && { [ENVIRONMENT.table]: table.name }),
  ...(uses.objects && { [ENVIRONMENT.bucket]: lake.name }),
  ...Object.fromEntries(
    (uses.queueDepths ? QUEUES : (uses.queues ?? [])).map((queue) => [
      ENVIRONMENT.queues[queue],
      requireQueue(queues, queue).queue.queueUrl,
    ]),
  ),
  ...((uses.queueDepths || uses.deadLetters) &&
    Object.fromEntries(QUEUES.map((queue) => [ENVIRONMENT.deadLetters[queue], requireQueue(queues, queue).deadLetters.queueUrl]))),
});

const engineSettings = ({ uses }: FunctionNeeds, sizing: Sizing): Readonly<Record<string, string>> => {
  if (!uses.engine) return {};
  const limits = engineLimits(sizing);
  return {
    [settingName("engineMemoryMb")]: String(limits.engineMemoryMb),
    [settingName("engineDiskBytes")]: String(limits.engineDiskBytes),
  };
};

/** Where queries go to a ClickHouse, it is counted when it does not answer. */
const countsAnything = (scope: Construct, { uses }: FunctionNeeds): boolean =>
  uses.counts === true || (uses.engine === true && hasClickhouse(scope));

/** Persons and groups of what waits over the lake are put where ClickHouse can read them. */
const objectUse = (scope: Construct, { uses }: FunctionNeeds): ObjectUse | undefined =>
  uses.objects && uses.engine && hasClickhouse(scope)
    ? { ...uses.objects, write: [...(uses.objects.write ?? []), "waiting"] }
    : uses.objects;

const grant = (served: FunctionNeeds, role: iam.Role, { table, lake, queues, invoked = {} }: Surroundings): void => {
  const { uses } = served;
  if (uses.table) table.grant(role, uses.table);
  const objects = objectUse(role, served);
  if (objects) lake.grant(role, objects);
  if (countsAnything(role, served)) grantCounts(role);
  if (uses.mail) grantMail(role);
  if (uses.model) grantModel(role);
  if (uses.tableRegistry) grantRegistry(role);
  grantSecrets(role, served);
  grantInvocations(role, uses, invoked);
  for (const queue of uses.queues ?? []) requireQueue(queues, queue).grantSend(role);
  if (uses.queueDepths) for (const queue of QUEUES) requireQueue(queues, queue).grantDepth(role);
  if (uses.deadLetters) for (const queue of QUEUES) requireQueue(queues, queue).grantDeadLetters(role);
};

const requireQueue = (queues: Surroundings["queues"], name: QueueName): GuardedQueue => {
  const queue = queues[name];
  if (queue === undefined) throw new Defect(`the queue ${name} is made later than what sends to it`);
  return queue;
};
