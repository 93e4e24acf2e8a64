import type { Clock } from "../../../lib/ports/clock.ts";
import type { Ids } from "../../../lib/ports/ids.ts";
import type { Table } from "../../../lib/ports/table.ts";

/** The parts of a world that applying a document needs. */
export interface Parts {
  readonly table: Table;
  readonly ids: Ids;
  readonly clock: Clock;
}

export const isoNow = ({ clock }: Parts): string => new Date(clock.now()).toISOString();
