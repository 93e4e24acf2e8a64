import type { Clock } from "../../../lib/ports/clock.ts";
import type { Ids } from "../../../lib/ports/ids.ts";
import type { Table } from "../../../lib/ports/table.ts";

/** What applying a document needs of a world. */
export interface Parts {
  readonly table: Table;
  readonly ids: Ids;
  readonly clock: Clock;
}

export const isoNow = ({ clock }: Parts): string => new Date(clock.now()).toISOString();
