import type { Counts } from "../../ports/counts.ts";
import type { Clock, Log } from "../../ports/system.ts";
import { Unreachable } from "../http/unreachable.ts";
import { Unprintable } from "../printer/unprintable.ts";

/** How long nobody asks a ClickHouse that failed; then one query finds out for all. */
export const AWAY_MS = 10_000;

/** Asks ClickHouse, or throws `Unreachable` at once while it is known to be away: one run waits for a connection, and not each. */
export type Reach = <T>(ask: () => Promise<T>) => Promise<T>;

export const openReach = ({ clock, log, counts }: { readonly clock: Clock; readonly log: Log; readonly counts: Counts }): Reach => {
  /** Milliseconds since 1970; undefined while it answers. */
  let awayUntil: number | undefined;
  return async (ask) => {
    const before = awayUntil;
    if (before !== undefined) {
      if (clock.now() < before) throw new Unreachable("it did not answer a moment ago");
      awayUntil = clock.now() + AWAY_MS;
    }
    try {
      const answer = await ask();
      awayUntil = undefined;
      return answer;
    } catch (thrown) {
      if (thrown instanceof Unreachable) {
        awayUntil = clock.now() + AWAY_MS;
        log.line("warn", "clickhouse.unreachable", { reason: thrown.message });
        await counts.add("ClickHouseUnreachable");
      } else {
        // What cannot be printed was not asked; every other fault is an answer.
        awayUntil = thrown instanceof Unprintable ? before : undefined;
      }
      throw thrown;
    }
  };
};
