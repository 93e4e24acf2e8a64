import type { Delivery, QueueSource } from "../../../lib/ports/queues.ts";

export type ReceivedBatch = Awaited<ReturnType<QueueSource["receive"]>>;
export type Received = ReceivedBatch[number];

/** Messages that were received and are not in work: the batch that is being gathered, and behind it what did not fit into that. */
export interface GatheredMessages {
  /** Begins another batch with what did not fit into the one before. It grows by what is added. */
  begin(): readonly Received[];
  /** Adds what fits to the batch; the rest opens the next one. */
  add(received: ReceivedBatch): void;
  /** Takes out what is wanted, from behind the batch, too. */
  take(isWanted: (delivery: Delivery) => boolean): ReceivedBatch;
  /** Of the batch. */
  bytes(): number;
  bytesBehind(): number;
}

/** With batches of so many bytes at most. */
export const openGatheredMessages = (maxBytes: number): GatheredMessages => {
  const behind: Received[] = [];
  let batch: Received[] = [];

  const add = (received: ReceivedBatch): void => {
    let bytes = bodyBytes(batch);
    behind.push(...received);
    const fits = behind.findIndex(({ body }) => {
      bytes += body.length;
      return bytes > maxBytes;
    });
    batch.push(...behind.splice(0, fits < 0 ? behind.length : fits));
  };

  return {
    begin() {
      batch = [];
      add([]);
      return batch;
    },
    add,
    take: (isWanted) =>
      [batch, behind].flatMap((list) => {
        const wanted = new Set(list.filter(isWanted));
        list.splice(0, list.length, ...list.filter((each) => !wanted.has(each)));
        return [...wanted];
      }),
    bytes: () => bodyBytes(batch),
    bytesBehind: () => bodyBytes(behind),
  };
};

const bodyBytes = (messages: readonly Delivery[]): number => messages.reduce((sum, { body }) => sum + body.length, 0);
