import type { World } from "../../lib/app/world.ts";
import { decodeMessage } from "../../lib/event/message.ts";
import type { Commit } from "../../lib/lake/catalogue.ts";
import { COMMIT_SIZES, type CommitSizes } from "../../lib/lake/commit.ts";
import type { BatchResult, Delivery, Newcomers } from "../../lib/ports/queues.ts";
import type { Budget } from "../../lib/ports/system.ts";
import { drain } from "./drain.ts";
import { faultReason, type ReceivedMessage } from "./received-message.ts";
import { storeInTurns } from "./turns.ts";

/** No drain is begun when less than this share of the time is left. */
const LEAST_TIME_SHARE = 1 / 3;

/**
 * Stores the events of all messages, in drains of a bounded size. Names those to deliver again: of projects that could not be
 * committed, and those that cannot be read. What there was no time to begin, and what others go before, is sent anew.
 */
export const ingest = async (
  deliveries: readonly Delivery[],
  world: World,
  budget: Budget,
  lane: Commit["lane"],
  { newcomers, sizes = COMMIT_SIZES }: IngestOptions = {},
): Promise<BatchResult> => {
  const whole = budget.remainingMs();
  const failed: string[] = [];
  const late = await storeInTurns(
    deliveries.flatMap((delivery) => decoded(delivery, world, failed)),
    {
      drain: async (messages) => void failed.push(...(await drain(messages, world, lane, sizes))),
      newcomers: newcomers && ((isWanted) => takeReadable(newcomers, isWanted)),
      hasTime: () => budget.remainingMs() >= whole * LEAST_TIME_SHARE,
      now: () => world.clock.now(),
    },
  );
  failed.push(...(await defer(late, world, lane)));
  return { failed };
};

export interface IngestOptions {
  readonly newcomers?: Newcomers | undefined;
  readonly sizes?: CommitSizes;
}

type Reading = { readonly message: ReceivedMessage } | { readonly fault: unknown };

/** Of messages that were looked at before their turn came. */
const readings = new WeakMap<Delivery, Reading>();

const read = (delivery: Delivery): Reading => {
  const known = readings.get(delivery);
  if (known !== undefined) return known;
  const reading = readNow(delivery);
  readings.set(delivery, reading);
  return reading;
};

const readNow = (delivery: Delivery): Reading => {
  try {
    return { message: { ...delivery, message: decodeMessage(delivery.body) } };
  } catch (fault) {
    return { fault };
  }
};

const decoded = (delivery: Delivery, world: World, failed: string[]): readonly ReceivedMessage[] => {
  const reading = read(delivery);
  if ("message" in reading) return [reading.message];
  const { id, attempts } = delivery;
  failed.push(id);
  world.log.line("error", "ingest.unreadable", { message: id, attempts, ...faultReason(reading.fault) });
  return [];
};

/** What cannot be read is left to the batch that it comes in. */
const takeReadable = (newcomers: Newcomers, isWanted: (message: ReceivedMessage) => boolean): readonly ReceivedMessage[] =>
  newcomers
    .take((delivery) => {
      const reading = read(delivery);
      return "message" in reading && isWanted(reading.message);
    })
    .flatMap((delivery) => {
      const reading = read(delivery);
      return "message" in reading ? [reading.message] : [];
    });

/**
 * Puts what was not begun at the end of its own queue and returns the ids of what the queue did not confirm. To return it as
 * failed would count as a delivery, and ten of those make a dead letter of a message that nothing is wrong with. A copy that both
 * ways deliver gives rows that are there already.
 */
const defer = async (late: readonly ReceivedMessage[], world: World, lane: Commit["lane"]): Promise<readonly string[]> => {
  if (late.length === 0) return [];
  const failed = await sendAnew(late, world, lane);
  world.log.line("warn", "ingest.deferred", { lane, messages: late.length, failed: failed.length });
  return failed;
};

const sendAnew = async (late: readonly ReceivedMessage[], world: World, lane: Commit["lane"]): Promise<readonly string[]> => {
  try {
    return await world.queues.send(
      lane,
      late.map(({ id, body }) => ({ id, body })),
    );
  } catch {
    return late.map(({ id }) => id);
  }
};
