import { Duration, RemovalPolicy, Size } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import * as lambda from "aws-cdk-lib/aws-lambda";
import * as logs from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { ENVIRONMENT, settingName } from "../../lib/aws/environment.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import type { QueueName } from "../../lib/ports/queues.ts";
import type { Part } from "../../lib/world/world.ts";
import { engineLimits } from "../engine-limits.ts";
import type { Bundles } from "../functions.ts";
import { RIGHTS, writableKeys } from "../rights.ts";
import { functionName, type Sizing, sizingOf } from "../sizing.ts";
import { countsEnvironment, grantCounts } from "./counts.ts";
import type { EventLake } from "./event-lake.ts";
import type { GuardedQueue } from "./guarded-queue.ts";
import { grantMail, mailEnvironment } from "./mail.ts";
import { grantModel, modelEnvironment } from "./model.ts";
import { billingServiceEnvironment, paymentEnvironment } from "./payments.ts";
import { providerEnvironment } from "./providers.ts";
import type { SingleTable } from "./single-table.ts";
import { spendEnvironment } from "./spend.ts";

/** What the functions of a stage share. */
export interface Surroundings {
  readonly bundles: Bundles;
  readonly table: SingleTable;
  readonly lake: EventLake;
  readonly queues: Partial<Readonly<Record<QueueName, GuardedQueue>>>;
}

/** A group, a consumer or a schedule: what has a name, a bundle and parts of the world. */
export interface Served {
  readonly name: string;
  readonly uses: readonly Part[];
}

/**
 * A function of the platform: Node 24 on arm64, its own role with exactly the rights of `infra/rights.ts`, its own log group that
 * keeps a month, and the names of what it uses in its environment.
 */
export const platformFunction = (
  scope: Construct,
  served: Served,
  around: Surroundings,
  settings: Readonly<Record<string, string>> = {},
): lambda.Function => {
  const name = functionName(served.name);
  const sizing = sizingOf(name);
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
    code: lambda.Code.fromAsset(folder, { exclude: ["*.map"] }),
    handler: "handler.handler",
    memorySize: sizing.memoryMb,
    timeout: Duration.seconds(sizing.timeoutSeconds),
    ...(sizing.diskMb !== undefined && { ephemeralStorageSize: Size.mebibytes(sizing.diskMb) }),
    role,
    logGroup,
    // The platform's report of each call says what ours cannot: the memory that was used, and how long a start took.
    loggingFormat: lambda.LoggingFormat.JSON,
    systemLogLevelV2: lambda.SystemLogLevel.INFO,
    applicationLogLevelV2: lambda.ApplicationLogLevel.INFO,
    environment: {
      ...environmentOf(served, around),
      ...(served.uses.includes("counts") && countsEnvironment(scope)),
      ...(served.uses.includes("mail") && mailEnvironment(scope)),
      ...(RIGHTS[name].providers === true && providerEnvironment(scope)),
      ...(served.uses.includes("model") && modelEnvironment(scope)),
      ...(RIGHTS[name].payments === true && paymentEnvironment(scope)),
      ...(name === "jobs" && billingServiceEnvironment(scope, { asks: false })),
      ...(name === "code" && billingServiceEnvironment(scope, { asks: true })),
      ...(name === "llm-analytics" && spendEnvironment(scope)),
      ...engineSettings(served, sizing),
      ...settings,
    },
  });
  grant(served, role, around);
  return made;
};

const environmentOf = ({ name, uses }: Served, { table, lake, queues }: Surroundings): Readonly<Record<string, string>> => {
  const { sends = [] } = RIGHTS[functionName(name)];
  return {
    ...(uses.includes("table") && { [ENVIRONMENT.table]: table.name }),
    ...(uses.includes("objects") && { [ENVIRONMENT.bucket]: lake.name }),
    ...Object.fromEntries(sends.map((queue) => [ENVIRONMENT.queues[queue], queueOf(queues, queue).queue.queueUrl])),
  };
};

const engineSettings = ({ uses }: Served, sizing: Sizing): Readonly<Record<string, string>> => {
  if (!uses.includes("engine")) return {};
  const limits = engineLimits(sizing);
  return {
    [settingName("engineMemoryMb")]: String(limits.engineMemoryMb),
    [settingName("engineDiskBytes")]: String(limits.engineDiskBytes),
  };
};

const grant = ({ name, uses }: Served, role: iam.Role, { table, lake, queues }: Surroundings): void => {
  const rights = RIGHTS[functionName(name)];
  if (uses.includes("table")) table.grant(role, writableKeys(rights));
  if (uses.includes("objects")) lake.grant(role, rights.lake ?? {});
  if (uses.includes("counts")) grantCounts(role);
  if (uses.includes("mail")) grantMail(role);
  if (uses.includes("model")) grantModel(role);
  if (uses.includes("queues")) for (const queue of rights.sends ?? []) queueOf(queues, queue).grantSend(role);
};

const queueOf = (queues: Surroundings["queues"], name: QueueName): GuardedQueue => {
  const queue = queues[name];
  if (queue === undefined) throw new Defect(`the queue ${name} is made later than what sends to it`);
  return queue;
};
