import { createHash } from "node:crypto";
import { cache } from "../../core/cache.ts";
import { HOUR_MS } from "../../core/time.ts";
import { waitingKey } from "../../lake/paths.ts";
import type { Objects } from "../../ports/objects.ts";

/** Puts what waits over a pinned state where ClickHouse can read it, and gives its key. */
export type PutWaiting = (project: number, bytes: Uint8Array) => Promise<string>;

/** After this time an object is put again: one that nobody puts is removed after a day. */
const REMEMBERED_MS = 6 * HOUR_MS;
const MOST_REMEMBERED = 10_000;

/** Objects are named by what they hold, so that each is written once for all queries of a state. */
export const openWaitingObjects = (objects: Pick<Objects, "put">, clock: { now(): number }): PutWaiting => {
  const put = cache<string, true>({ capacity: MOST_REMEMBERED });
  return async (project, bytes) => {
    const key = waitingKey(project, createHash("sha256").update(bytes).digest("hex"));
    await put.of(key, clock.now(), REMEMBERED_MS, async () => {
      await objects.put(key, bytes);
      return true;
    });
    return key;
  };
};
