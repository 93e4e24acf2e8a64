import type { Clock, Log } from "./system.ts";

/** What functions count for an alarm, by the name of its metric: rare things only, because each count may wait for a call. */
export type CountName =
  | "RequestsTooLarge"
  | "ClickHouseUnreachable"
  | "PaymentsToReview"
  | "AcceptedNotQueryable"
  | "DrainsWithUnreadExceptions";

export interface Counts {
  /** Counts one. Resolves within `COUNT_WAIT_MS` and never rejects: what could not be put is put with the next count. */
  add(counted: CountName): Promise<void>;
}

/** Puts amounts into the metrics; rejects where it is not sure that they are there. */
export type PutCounts = (amounts: ReadonlyMap<CountName, number>) => Promise<void>;

/** A reply waits for its count at most so long. It has to wait, because a function stands still once it has answered. */
export const COUNT_WAIT_MS = 300;
/** The first count is put at once, those after it together, this long after the last put. */
export const PUT_EVERY_MS = 10_000;

/** Counts that are put now and then. A put that fails is tried again with the next count, and said once until one works. */
export const gatheredCounts = (put: PutCounts, clock: Clock, log: Log): Counts => {
  const waiting = new Map<CountName, number>();
  const gather = (counted: CountName, amount: number): void => void waiting.set(counted, (waiting.get(counted) ?? 0) + amount);
  let nextPut = Number.NEGATIVE_INFINITY;
  let said = false;
  return {
    async add(counted) {
      gather(counted, 1);
      const now = clock.now();
      if (now < nextPut) return;
      nextPut = now + PUT_EVERY_MS;
      const amounts = new Map(waiting);
      waiting.clear();
      try {
        await inTime(put(amounts));
        said = false;
      } catch (cause) {
        for (const [each, amount] of amounts) gather(each, amount);
        if (!said) log.line("warn", "counts.unsent", { reason: String(cause) });
        said = true;
      }
    },
  };
};

const inTime = async (work: Promise<void>): Promise<void> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer within ${COUNT_WAIT_MS} ms`)), COUNT_WAIT_MS);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
};
