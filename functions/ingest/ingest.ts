import type { World } from "../../lib/app/world.ts";
import { decodeMessage } from "../../lib/event/message.ts";
import type { Commit } from "../../lib/lake/catalogue.ts";
import { COMMIT_SIZES, type CommitSizes } from "../../lib/lake/commit.ts";
import type { BatchResult, Delivery } from "../../lib/ports/queues.ts";
import type { Budget } from "../../lib/ports/system.ts";
import { drain } from "./drain.ts";
import { faultReason, type ReceivedMessage } from "./received-message.ts";
import { inTurns } from "./turns.ts";

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
  sizes: CommitSizes = COMMIT_SIZES,
): Promise<BatchResult> => {
  const least = budget.remainingMs() * LEAST_TIME_SHARE;
  const failed: string[] = [];
  const { drains, surplus } = inTurns(deliveries.flatMap((delivery) => decoded(delivery, world, failed)));
  const late = [...surplus];
  for (const messages of drains) {
    if (budget.remainingMs() < least) late.push(...messages);
    else failed.push(...(await drain(messages, world, lane, sizes)));
  }
  failed.push(...(await defer(late, world, lane)));
  return { failed };
};

const decoded = (delivery: Delivery, world: World, failed: string[]): readonly ReceivedMessage[] => {
  const { id, body, attempts } = delivery;
  try {
    return [{ ...delivery, message: decodeMessage(body) }];
  } catch (fault) {
    failed.push(id);
    world.log.line("error", "ingest.unreadable", { message: id, attempts, ...faultReason(fault) });
    return [];
  }
};

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
