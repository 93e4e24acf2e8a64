import type { Table } from "../../../lib/table/table.ts";
import type { Clock } from "../../../lib/world/clock.ts";
import type { Ids } from "../../../lib/world/ids.ts";

/** What applying a document needs of a world. */
export interface Parts {
  readonly table: Table;
  readonly ids: Ids;
  readonly clock: Clock;
}

export const isoNow = ({ clock }: Parts): string => new Date(clock.now()).toISOString();
