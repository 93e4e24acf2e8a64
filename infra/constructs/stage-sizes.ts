import type { Construct } from "constructs";
import { capture } from "../../functions/capture/group.ts";
import { consumers } from "../../functions/index.ts";
import type { FunctionNeeds } from "../../lib/app/uses.ts";
import type { Batch, Consumer } from "../../lib/lambda/consumer.ts";
import type { QueueName } from "../../lib/ports/queues.ts";
import { UserError } from "../local/user-error.ts";
import type { StageSetting } from "../stage-settings.ts";
import { given } from "./settings.ts";

/** A function's declaration; of a consumer it names the queue. */
export type ServedFunction = FunctionNeeds & { readonly queue?: QueueName };

const MEMORY = { least: 128, most: 10_240 };
/** A mapping takes two at least. */
const AT_ONCE = { least: 2, most: 1_000 };
/** A mapping hands over more than ten messages at once only where it gathers for a second at least. */
const WINDOW = { least: 1, most: 300 };
const LIMIT = { least: 1, most: 1_000_000 };

/** One of the stage's settings that is a whole number; undefined where none is given. Throws a `UserError` for another text. */
const wholeNumber = (
  scope: Construct,
  setting: StageSetting,
  { least, most }: { readonly least: number; readonly most: number },
): number | undefined => {
  const text = given(scope, setting);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^\d{1,7}$/.test(text) && value >= least && value <= most) return value;
  throw new UserError(`${setting}=${text}: give a whole number from ${least} to ${most}.`);
};

/** The memory that a stage gives to a function, megabytes; undefined where its settings do not say. */
export const stageMemoryMb = (scope: Construct, { name, uses, queue }: ServedFunction): number | undefined => {
  if (uses.engine) return wholeNumber(scope, "queryMemoryMb", MEMORY);
  if (queue !== undefined) return wholeNumber(scope, "ingestMemoryMb", MEMORY);
  return name === capture.name ? wholeNumber(scope, "captureMemoryMb", MEMORY) : undefined;
};

const LANE_SETTINGS = { live: "liveAtOnce", historical: "historicalAtOnce", jobs: "jobsAtOnce" } as const satisfies Readonly<
  Record<QueueName, StageSetting>
>;

/** How a stage hands messages to a consumer. */
export const stageBatch = (scope: Construct, { queue, batch }: Pick<Consumer, "queue" | "batch">): Batch => ({
  ...batch,
  maxConcurrency: wholeNumber(scope, LANE_SETTINGS[queue], AT_ONCE) ?? batch.maxConcurrency,
  windowSeconds: (queue === "historical" ? wholeNumber(scope, "historicalWindowSeconds", WINDOW) : undefined) ?? batch.windowSeconds,
});

/** Of an account's functions the service lets nobody reserve the last hundred. */
const UNRESERVED = 100;

/** What is reserved is a bound, too, so capture gets nothing of its own where it would be less than this. */
const LEAST_FOR_CAPTURE = 100;

/**
 * The functions at once that nobody else can take from a function, so that queries do not hold up events nor the other way round: of a lane as
 * many as drain it, of capture half of what is left. Undefined for all others, and where the account has too few to share out.
 */
export const reservedExecutions = (scope: Construct, { name, queue }: ServedFunction): number | undefined => {
  const limit = wholeNumber(scope, "functionLimit", LIMIT);
  if (limit === undefined) return undefined;
  const lanes = consumers.map((each) => ({ queue: each.queue, atOnce: stageBatch(scope, each).maxConcurrency }));
  const forCapture = Math.floor((limit - UNRESERVED - lanes.reduce((sum, { atOnce }) => sum + atOnce, 0)) / 2);
  if (forCapture < LEAST_FOR_CAPTURE) return undefined;
  return name === capture.name ? forCapture : lanes.find((lane) => lane.queue === queue)?.atOnce;
};
