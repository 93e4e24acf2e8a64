import type { ReceivedMessage } from "./received-message.ts";

/** Bytes of decoded events that one drain holds at most; what the messages say of themselves decides. */
const MAX_DRAIN_BYTES = 64 * 1024 * 1024;
/** What an event counts for at least: so much memory its row takes, however few bytes it came in. */
const LEAST_EVENT_BYTES = 2_048;

/**
 * A drain of so many bytes takes a third of a second. A smaller batch needs no turns, because nobody waits long behind it; in a larger one
 * the project that sent most is stored in drains of this size, where newcomers can be stored between them.
 */
const PIECE_BYTES = 16 * 1024 * 1024;
/** The project that sent most counts as alone while all others together have less than this in a batch. */
const LITTLE_BYTES = PIECE_BYTES;
/** How long a project that counts as alone may go on, milliseconds. */
const ALONE_MS = 5_000;

/** What storing a batch in turns needs. */
export interface TurnParts {
  drain(messages: readonly ReceivedMessage[]): Promise<void>;
  /** Takes into the batch what came since and is wanted; undefined where nobody can know of it. */
  readonly newcomers: ((isWanted: (message: ReceivedMessage) => boolean) => readonly ReceivedMessage[]) | undefined;
  /** Whether there is time to begin another drain. */
  hasTime(): boolean;
  /** Of any clock, in milliseconds. */
  now(): number;
}

/**
 * Stores a batch, small projects first. Of a project that sent more than all others together, these have drains of their own before any of
 * its; it has one drain, or as many as a few seconds have room for where the others have little. Whoever comes meanwhile is stored between
 * these. Returns what others in the queue go before.
 */
export const storeInTurns = async (
  received: readonly ReceivedMessage[],
  { drain, newcomers, hasTime, now }: TurnParts,
): Promise<readonly ReceivedMessage[]> => {
  const greatest = sizeOf(received) > PIECE_BYTES ? largestSender(received) : undefined;
  const isGreatest = (each: ReceivedMessage): boolean => sender(each) === greatest;
  const late: ReceivedMessage[] = [];
  let othersBytes = 0;

  const storeOthers = async (others: readonly ReceivedMessage[]): Promise<void> => {
    othersBytes += sizeOf(others);
    for (const messages of inDrains(byTurns(others), MAX_DRAIN_BYTES)) {
      if (hasTime()) await drain(messages);
      else late.push(...messages);
    }
  };

  await storeOthers(received.filter((each) => !isGreatest(each)));
  const began = now();
  let bytes = 0;
  let isOver = false;
  for (const messages of inDrains(received.filter(isGreatest), newcomers ? PIECE_BYTES : MAX_DRAIN_BYTES)) {
    if (newcomers) await storeOthers(newcomers((each) => !isGreatest(each)));
    bytes += sizeOf(messages);
    const mayGoOn = bytes <= MAX_DRAIN_BYTES || (othersBytes < LITTLE_BYTES && now() - began < ALONE_MS);
    isOver ||= !(mayGoOn && hasTime());
    if (isOver) late.push(...messages);
    else await drain(messages);
  }
  return late;
};

const sender = ({ message }: ReceivedMessage): string | number => message.token ?? message.project;

const sizeOf = (messages: readonly ReceivedMessage[]): number => messages.reduce((sum, each) => sum + messageSize(each), 0);

const messageSize = ({ message }: ReceivedMessage): number => Math.max(message.decodedBytes, message.events * LEAST_EVENT_BYTES);

/** The project that sent more than all others together, if there is one. */
const largestSender = (received: readonly ReceivedMessage[]): string | number | undefined => {
  const sums = new Map<string | number, number>();
  for (const each of received) sums.set(sender(each), (sums.get(sender(each)) ?? 0) + messageSize(each));
  const all = [...sums.values()].reduce((sum, bytes) => sum + bytes, 0);
  return [...sums].find(([, bytes]) => bytes > all / 2)?.[0];
};

/** The messages ordered by what their project has sent up to and with each. */
const byTurns = (received: readonly ReceivedMessage[]): readonly ReceivedMessage[] => {
  const sums = new Map<string | number, number>();
  return received
    .map((each) => {
      const bytes = (sums.get(sender(each)) ?? 0) + messageSize(each);
      sums.set(sender(each), bytes);
      return { each, bytes };
    })
    .toSorted((a, b) => a.bytes - b.bytes)
    .map(({ each }) => each);
};

const inDrains = (received: readonly ReceivedMessage[], most: number): readonly (readonly ReceivedMessage[])[] => {
  const drains: ReceivedMessage[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const each of received) {
    if (bytes + messageSize(each) > most) {
      drains.push([]);
      bytes = 0;
    }
    drains.at(-1)?.push(each);
    bytes += messageSize(each);
  }
  return drains;
};
