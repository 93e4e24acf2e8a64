import { DAY_MS, isoDay } from "../core/time.ts";
import type { Ports } from "../ports/ports.ts";
import type { Item, Table } from "../ports/table.ts";
import { TTL_ATTRIBUTE } from "../table/layout.ts";
import { keyIn, partitionKey } from "../table/partitions.ts";

/** Events called `$exception` that hold no exception: they are stored, and have no issue. */
export interface UnreadExceptions {
  readonly count: number;
  /** What was wrong with the first of them. */
  readonly reason: string;
}

/** The same of one day on which they came, `yyyy-mm-dd` in UTC; the reason is the last drain's. */
export interface UnreadDay extends UnreadExceptions {
  readonly day: string;
}

const KEPT_MS = 90 * DAY_MS;

/** Adds what a drain found. A message that comes again is counted again. */
export const countUnread = async (
  { table, clock }: Pick<Ports, "table" | "clock">,
  project: number,
  { count, reason }: UnreadExceptions,
): Promise<void> => {
  const now = clock.now();
  const key = keyIn("unreadExceptions", "day", { project, day: isoDay(Math.floor(now / DAY_MS)) });
  const set = { entity: "unread_exceptions", v: 1, reason, [TTL_ATTRIBUTE]: Math.ceil((now + KEPT_MS) / 1_000) };
  await table.update(key, { set, add: { count } });
};

/** A project's unread exceptions of the last ninety days, by day. */
export const readUnread = async (table: Table, project: number): Promise<readonly UnreadDay[]> => {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: partitionKey("unreadExceptions", { project }), cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return items.map(({ sk, count, reason }) => ({ day: sk.slice("day#".length), count: Number(count), reason: String(reason) }));
};
