import type { ReceivedMessage } from "./received-message.ts";

/** Bytes of decoded events that one drain holds at most; what the messages say of themselves decides. */
const MAX_DRAIN_BYTES = 64 * 1024 * 1024;
/** What an event counts for at least: so much memory its row takes, however few bytes it came in. */
const LEAST_EVENT_BYTES = 2_048;

/** Drains of a batch that a project alone in it may have; where others wait it may have one. */
const MOST_DRAINS_ALONE = 8;

/** The messages of a batch in drains, in the order in which they are to be stored, and those that others in the queue go before. */
export interface BatchInTurns {
  /** At least one, which is empty where there are no messages. */
  readonly drains: readonly (readonly ReceivedMessage[])[];
  readonly surplus: readonly ReceivedMessage[];
}

/**
 * Has the projects of a batch take turns by bytes, so that small ones are all in the first drain. Of a project that sent more than all others
 * together, what the first drain has no room for is surplus: the batch ends sooner for whoever waits behind it.
 */
export const inTurns = (received: readonly ReceivedMessage[]): BatchInTurns => {
  const drains = inDrains(byTurns(received));
  const greatest = largestSender(received);
  const mayBe = received.every((each) => sender(each) === greatest) ? MOST_DRAINS_ALONE : 1;
  const isSurplus = (each: ReceivedMessage): boolean => sender(each) === greatest;
  const later = drains.slice(mayBe).flat();
  const rest = later.filter((each) => !isSurplus(each));
  return {
    drains: [...drains.slice(0, mayBe), ...(rest.length === 0 ? [] : inDrains(rest))],
    surplus: later.filter(isSurplus),
  };
};

const sender = ({ message }: ReceivedMessage): string | number => message.token ?? message.project;

const sizeOf = ({ message }: ReceivedMessage): number => Math.max(message.decodedBytes, message.events * LEAST_EVENT_BYTES);

/** The project that sent more than all others together, if there is one. */
const largestSender = (received: readonly ReceivedMessage[]): string | number | undefined => {
  const sums = new Map<string | number, number>();
  for (const each of received) sums.set(sender(each), (sums.get(sender(each)) ?? 0) + sizeOf(each));
  const all = [...sums.values()].reduce((sum, bytes) => sum + bytes, 0);
  return [...sums].find(([, bytes]) => bytes > all / 2)?.[0];
};

/** The messages ordered by what their project has sent up to and with each. */
const byTurns = (received: readonly ReceivedMessage[]): readonly ReceivedMessage[] => {
  const sums = new Map<string | number, number>();
  return received
    .map((each) => {
      const bytes = (sums.get(sender(each)) ?? 0) + sizeOf(each);
      sums.set(sender(each), bytes);
      return { each, bytes };
    })
    .toSorted((a, b) => a.bytes - b.bytes)
    .map(({ each }) => each);
};

const inDrains = (received: readonly ReceivedMessage[]): readonly (readonly ReceivedMessage[])[] => {
  const drains: ReceivedMessage[][] = [[]];
  let bytes = 0;
  for (const each of received) {
    if (bytes > 0 && bytes + sizeOf(each) > MAX_DRAIN_BYTES) {
      drains.push([]);
      bytes = 0;
    }
    drains.at(-1)?.push(each);
    bytes += sizeOf(each);
  }
  return drains;
};
