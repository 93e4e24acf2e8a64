import type { DatabaseSync } from "node:sqlite";
import type { Stores } from "./object-files.ts";

/** The queues' file, as the store keeps it: a message that was handed out has a receipt. */
type QueueFile = Pick<DatabaseSync, "exec" | "prepare">;

type SqsQueue = NonNullable<ReturnType<Stores["sqsStore"]["getQueueByName"]>>;

/**
 * So often a message may have been in work when the platform was killed without that counting. Whoever is in work more often than that
 * may be what kills it, and is given up on like what fails.
 */
const FORGIVEN_KILLS = 10;

/**
 * Gives all messages back that are in work, as if they had never been handed out: whoever had them was told to stop, and they are no worse
 * for that.
 */
export const giveBack = (file: QueueFile): void =>
  file.exec(`
    UPDATE sqs_messages SET approximate_receive_count = approximate_receive_count - 1 WHERE receipt_handle IS NOT NULL;
    UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL`);

/**
 * Makes what was in work when the last platform was killed come again at once, mostly without counting, as well as what waited for
 * another try. Returns how many messages were in work: none after a platform that was stopped.
 */
export const takeUp = (file: QueueFile): number => {
  const found = Number(file.prepare("SELECT count(*) AS found FROM sqs_messages WHERE receipt_handle IS NOT NULL").get()?.found);
  file.exec(`
    BEGIN;
    CREATE TABLE IF NOT EXISTS kills (message_id TEXT PRIMARY KEY, times INTEGER NOT NULL);
    INSERT INTO kills SELECT message_id, 1 FROM sqs_messages WHERE receipt_handle IS NOT NULL
      ON CONFLICT (message_id) DO UPDATE SET times = times + 1;
    UPDATE sqs_messages SET approximate_receive_count = approximate_receive_count - 1
      WHERE receipt_handle IS NOT NULL AND message_id IN (SELECT message_id FROM kills WHERE times <= ${FORGIVEN_KILLS});
    UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL;
    DELETE FROM kills WHERE message_id NOT IN (SELECT message_id FROM sqs_messages);
    COMMIT`);
  return found;
};

/** Takes the receipt of a message that failed and waits for another try out of the file: it is not in work, and that delivery counts. */
export const markDelayed = (file: QueueFile, queue: SqsQueue): void => {
  const mark = file.prepare("UPDATE sqs_messages SET receipt_handle = NULL WHERE message_id = ?");
  const changeVisibility = queue.changeVisibility.bind(queue);
  queue.changeVisibility = (receipt, seconds) => {
    const held = queue.inflightMessages.get(receipt);
    changeVisibility(receipt, seconds);
    if (held) mark.run(held.message.messageId);
  };
};

/** Tells how many messages a queue of dead letters holds, whenever that changes. */
export const watchDeadLetters = (queue: SqsQueue, tell: (messages: number) => void): void => {
  const report = (): void => tell(queue.messages.length + queue.inflightMessages.size);
  const enqueue = queue.enqueue.bind(queue);
  const remove = queue.deleteMessage.bind(queue);
  queue.enqueue = (message) => {
    enqueue(message);
    report();
  };
  queue.deleteMessage = (receipt) => {
    const removed = remove(receipt);
    report();
    return removed;
  };
  report();
};

/** Tells, once, that a queue has a message: at once where one waits already. */
export const watchFirstMessage = (queue: SqsQueue, tell: () => void): void => {
  if (queue.messages.length > 0) {
    tell();
    return;
  }
  const enqueue = queue.enqueue.bind(queue);
  queue.enqueue = (message) => {
    enqueue(message);
    queue.enqueue = enqueue;
    tell();
  };
};
