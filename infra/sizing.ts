import type { FunctionNeeds } from "../lib/app/uses.ts";
import type { Consumer } from "../lib/lambda/consumer.ts";
import type { QueueName } from "../lib/ports/queues.ts";

/** The memory, time and disk of one function. */
export interface Sizing {
  /** The file that exports `handler`. */
  readonly handler: string;
  /** Processor time comes with memory: a whole core at 1,769 MB. */
  readonly memoryMb: number;
  readonly timeoutSeconds: number;
  /** Local disk, where the 512 MB that every function has do not do. */
  readonly diskMb?: number;
}

/** A REST API of the gateway ends after 29 seconds: a function that works longer works for nobody. */
const REQUEST_SECONDS = 29;
const MEMORY_MB = 512;
/** The most memory that a new account may give a function: two cores for the engine's two threads. And a disk for the columns that queries fetch. */
const WITH_ENGINE = { memoryMb: 3_008, diskMb: 6_144 };

/** The sizes that follow from the declaration of a function. */
export const functionSizing = ({ name, uses, handler, ...stated }: FunctionNeeds): Sizing => ({
  handler: handler ?? `functions/${name}/handler.ts`,
  memoryMb: stated.memoryMb ?? MEMORY_MB,
  timeoutSeconds: stated.timeoutSeconds ?? REQUEST_SECONDS,
  ...(uses.engine && WITH_ENGINE),
});

/**
 * How long a message is hidden while it is worked: while its batch is gathered, and six times the function's own time, as the platform
 * advises, because a batch may wait for its function. A message that comes alone and may be worked twice waits only as long as it takes to
 * be sure that its function is over.
 */
export const visibilitySeconds = (consumer: Consumer): number =>
  consumer.batch.windowSeconds + (consumer.batch.messages === 1 ? 2 : 6) * functionSizing(consumer).timeoutSeconds;

/**
 * Deliveries before a message is given up on. A drain that is short of time defers messages, and deferral must never end here. A job is
 * deferred by nobody, and the sweep asks for it again: so few are enough to know, and somebody is told within hours.
 */
export const MAX_DELIVERIES: Readonly<Record<QueueName, number>> = { live: 10, historical: 10, jobs: 4 };

const MIB = 1024 * 1024;
/** Of a function's disk, what the engine's files and spills may take; the rest is for the bundle's own. */
const ENGINE_DISK_SHARE = 0.9;
/** Of a function's memory, what the engine may take; the rest is the runtime's and the rows' of a reply. */
const ENGINE_MEMORY_SHARE = 0.5;

/** The memory and disk of a function that the engine may use. */
export const engineLimits = ({
  memoryMb,
  diskMb = 512,
}: Pick<Sizing, "memoryMb" | "diskMb">): { readonly engineMemoryMb: number; readonly engineDiskBytes: number } => ({
  engineMemoryMb: Math.floor(ENGINE_MEMORY_SHARE * memoryMb),
  engineDiskBytes: Math.floor(ENGINE_DISK_SHARE * diskMb) * MIB,
});
