/** The platform cannot answer anybody now, but may later. The message is public. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}

/** The message of an `Unavailable` while the platform shuts down. */
export const STOPPING = "The platform is being stopped.";

/** How the system, the table and the queues of a laptop, and the engine say that their disk is full. */
const FULL = /ENOSPC|no space left on device|database or disk is full/i;

/** As many causes are looked through: no fault of ours has more. */
const MAX_CAUSES = 5;

/** Whether a text of a fault says that the disk is full. */
export const saysDiskFull = (text: string): boolean => FULL.test(text);

/** Whether a fault, or what caused it, is a full disk. */
export const isDiskFull = (thrown: unknown, depth = MAX_CAUSES): boolean =>
  thrown instanceof Error &&
  (saysDiskFull(`${thrown.name} ${thrown.message} ${unreadAnswer(thrown)}`) || (depth > 0 && isDiskFull(thrown.cause, depth - 1)));

/** What a store answered that its client could not read: the objects of a laptop say in JSON, where S3 has XML, that their disk is full. */
const unreadAnswer = (thrown: Error): string => ("$responseBodyText" in thrown ? String(thrown.$responseBodyText) : "");
