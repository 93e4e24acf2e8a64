import { Defect } from "../lib/core/unreachable.ts";
import type { QueueName } from "../lib/ports/queues.ts";

/** What one function gets. */
export interface Sizing {
  /** The file that exports `handler`. */
  readonly handler: string;
  /** Processor time comes with memory: a whole core at 1,769 MB. */
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Local disk, where the 512 MB that every function has do not do. */
  readonly diskMb?: number;
  /** How messages are handed to a consumer. */
  readonly batch?: Batch;
}

export interface Batch {
  /** Messages at most; the platform also cuts at 6 MB. */
  readonly messages: number;
  /** How long messages are gathered before a function starts: longer is cheaper and later. */
  readonly windowSeconds: number;
  /** Functions at once. New accounts may run ten functions in all, so the three consumers leave room for requests. */
  readonly maxConcurrency: number;
}

/** A REST API of the gateway ends after 29 seconds: a function that works longer works for nobody. */
const REQUEST_SECONDS = 29;
/** The most memory that a new account may give a function, megabytes. */
const MOST_MEMORY_MB = 3_008;

const crud = (handler: string): Sizing => ({ handler, memoryMb: 512, timeoutSeconds: REQUEST_SECONDS });

export const SIZING = {
  // The worst body takes 273 MB (measured; the bench allows 400) beside the runtime's own hundred.
  capture: { handler: "functions/capture/handler.ts", memoryMb: 640, timeoutSeconds: REQUEST_SECONDS },
  // Compressing the largest script takes a part of a second of a whole core; it is kept.
  browser: crud("functions/browser/handler.ts"),
  "customer-analytics": crud("functions/customer-analytics/handler.ts"),
  billing: crud("functions/billing/handler.ts"),
  code: crud("functions/code/handler.ts"),
  closing: { handler: "functions/closing/handler.ts", memoryMb: 512, timeoutSeconds: 300 },
  docs: crud("functions/docs/handler.ts"),
  endpoints: crud("functions/endpoints/handler.ts"),
  // Two cores for the engine's two threads, and a disk for the columns that queries fetch.
  "endpoint-runs": {
    handler: "functions/endpoint-runs/handler.ts",
    memoryMb: MOST_MEMORY_MB,
    timeoutSeconds: REQUEST_SECONDS,
    diskMb: 6_144,
  },
  "endpoint-trials": {
    handler: "functions/endpoint-trials/handler.ts",
    memoryMb: MOST_MEMORY_MB,
    timeoutSeconds: REQUEST_SECONDS,
    diskMb: 6_144,
  },
  "error-tracking": crud("functions/error-tracking/handler.ts"),
  keys: crud("functions/keys/handler.ts"),
  "llm-analytics": {
    handler: "functions/llm-analytics/handler.ts",
    memoryMb: MOST_MEMORY_MB,
    timeoutSeconds: REQUEST_SECONDS,
    diskMb: 6_144,
  },
  organizations: crud("functions/organizations/handler.ts"),
  // One core and 64 MB of decoded events at a time.
  "ingest-live": {
    handler: "functions/ingest/live-handler.ts",
    memoryMb: 1_769,
    timeoutSeconds: 120,
    batch: { messages: 1_000, windowSeconds: 10, maxConcurrency: 3 },
  },
  "ingest-historical": {
    handler: "functions/ingest/historical-handler.ts",
    memoryMb: 1_769,
    timeoutSeconds: 240,
    batch: { messages: 10_000, windowSeconds: 20, maxConcurrency: 2 },
  },
  jobs: {
    handler: "functions/jobs/handler.ts",
    memoryMb: MOST_MEMORY_MB,
    timeoutSeconds: 900,
    diskMb: 6_144,
    // One at a time: a job that is out of memory or time ends its function, and must end no other job with it.
    batch: { messages: 1, windowSeconds: 0, maxConcurrency: 2 },
  },
  "quota-limits": crud("functions/quota-limits/handler.ts"),
  sweep: { handler: "functions/sweep/handler.ts", memoryMb: 256, timeoutSeconds: 60 },
} as const satisfies Readonly<Record<string, Sizing>>;

export type FunctionName = keyof typeof SIZING;

export const isFunctionName = (name: string): name is FunctionName => Object.hasOwn(SIZING, name);

/** The name of a registered value as one that has a size; a `Defect` for one that was registered and not sized. */
export const functionName = (name: string): FunctionName => {
  if (!isFunctionName(name)) throw new Defect(`${name} has no size in infra/sizing.ts`);
  return name;
};

export const sizingOf = (name: FunctionName): Sizing => SIZING[name];

/**
 * How long a message is hidden while it is worked: six times the function's own time, as the platform advises, because a batch may wait
 * for its function. A message that comes alone and may be worked twice waits only as long as it takes to be sure that its function is over.
 */
export const visibilitySeconds = (sizing: Sizing): number => (sizing.batch?.messages === 1 ? 2 : 6) * sizing.timeoutSeconds;

/**
 * Deliveries before a message is given up on. A drain that is short of time defers messages, and deferral must never end here. A job is
 * deferred by nobody, and the sweep asks for it again: so few are enough to know, and somebody is told within hours.
 */
export const MAX_DELIVERIES: Readonly<Record<QueueName, number>> = { live: 10, historical: 10, jobs: 4 };
