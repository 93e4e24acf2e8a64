import { setTimeout as pause } from "node:timers/promises";
import type * as z from "zod";
import type { Table } from "../ports/table.ts";
import type { Entity, KeyTemplate, Patterns } from "./entity.ts";
import { queryOf } from "./store.ts";

/** How long an index that lags is waited for: nearly always it has caught up at the first look. */
export const LAG_PAUSES_MS = [50, 150, 400] as const;

/**
 * Settles once an index has an item that was just made, so that whoever was told of it finds it in the list. An index that lags for
 * longer is not waited for: the item is there.
 */
export const untilListed = async <S extends z.ZodObject, K extends KeyTemplate, P extends Patterns>(
  table: Table,
  of: Entity<S, K, P>,
  pattern: keyof P,
  item: z.output<S>,
): Promise<void> => {
  const query = { ...queryOf(of, pattern, item), countOnly: true };
  for (const pauseMs of [...LAG_PAUSES_MS, 0]) {
    if ((await table.query(query)).count > 0) return;
    await pause(pauseMs);
  }
};
