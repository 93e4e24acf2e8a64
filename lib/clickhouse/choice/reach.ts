import { isYoung } from "../../core/time.ts";
import type { Counts } from "../../ports/counts.ts";
import type { Clock, Log } from "../../ports/system.ts";
import { Unreachable } from "../http/unreachable.ts";
import { Unprintable } from "../printer/unprintable.ts";

/** How long nobody asks a ClickHouse that failed; then one query finds out for all. */
export const AWAY_MS = 10_000;

/** Asks ClickHouse, or throws `Unreachable` at once while it is known to be away: one run waits for a connection, and not each. */
export type Reach = <T>(ask: () => Promise<T>) => Promise<T>;

export const openReach = ({ clock, log, counts }: { readonly clock: Clock; readonly log: Log; readonly counts: Counts }): Reach => {
  /** When it was found to be away, milliseconds since 1970; undefined while it answers. */
  let awaySince: number | undefined;
  return async (ask) => {
    const before = awaySince;
    if (before !== undefined) {
      if (isYoung(before, AWAY_MS, clock.now())) throw new Unreachable("it did not answer a moment ago");
      awaySince = clock.now();
    }
    try {
      const answer = await ask();
      awaySince = undefined;
      return answer;
    } catch (thrown) {
      if (thrown instanceof Unreachable) {
        awaySince = clock.now();
        log.line("warn", "clickhouse.unreachable", { reason: thrown.message });
        await counts.add("ClickHouseUnreachable");
      } else {
        // What cannot be printed was not asked; every other fault is an answer.
        awaySince = thrown instanceof Unprintable ? before : undefined;
      }
      throw thrown;
    }
  };
};
