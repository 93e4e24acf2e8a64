import type { World } from "../../lib/app/world.ts";
import type { CaptureMessage, PlacedEvent } from "../../lib/event/message.ts";
import { encodeDrain } from "../../lib/lake/commit.ts";
import { NO_TYPES, typeLearner } from "../../lib/lake/learn-types.ts";
import { eventReader, keptEvents, type RowContext, type StoredEvent } from "../../lib/lake/rows.ts";

/** The events of a message, without those that cannot be stored. */
export interface IsolatedEvents {
  readonly stored: readonly StoredEvent[];
  /** Positions in the request of what cannot be stored, and why the first of them cannot. */
  readonly poisonEvents: readonly number[];
  readonly fault: unknown;
}

/** A message with more of them has a fault of its own: it waits whole. Bounds what looking for them costs, too. */
const MAX_POISON_EVENTS = 100;

/**
 * Tries the events of a message that failed before one by one, up to the segment that would hold them, so that only those that cannot
 * be stored wait. Throws their fault when there are too many.
 */
export const isolatePoisonEvents = async (
  message: CaptureMessage,
  events: readonly PlacedEvent[],
  context: RowContext,
  segments: World["segments"],
): Promise<IsolatedEvents> => {
  const read = eventReader(message, context);
  const poisonEvents: number[] = [];
  let first: unknown;
  const reject = (position: number, fault: unknown): void => {
    first ??= fault;
    poisonEvents.push(position);
    if (poisonEvents.length > MAX_POISON_EVENTS) throw first;
  };
  const readable = events.flatMap((placed) => {
    try {
      return read(placed) ?? [];
    } catch (fault) {
      reject(placed.position, fault);
      return [];
    }
  });
  const writable = async (some: readonly StoredEvent[]): Promise<readonly StoredEvent[]> => {
    try {
      await tryToWrite(some, context.project, segments);
      return some;
    } catch (fault) {
      const half = some.length >> 1;
      if (half === 0) {
        for (const { row } of some) reject(row.index, fault);
        return [];
      }
      return [...(await writable(some.slice(0, half))), ...(await writable(some.slice(half)))];
    }
  };
  return { stored: await writable(readable), poisonEvents, fault: first };
};

const tryToWrite = async (some: readonly StoredEvent[], project: number, segments: World["segments"]): Promise<void> => {
  if (some.length === 0) return;
  const types = typeLearner(NO_TYPES);
  const { rows, changes } = keptEvents(some, types);
  types.learnt(changes);
  await encodeDrain(segments, project, rows, changes);
};
