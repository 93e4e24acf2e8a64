import type { Clock, Ids } from "../../../lib/ports/system.ts";
import type { Table } from "../../../lib/ports/table.ts";

/** The parts of a world that applying a document needs. */
export interface Parts {
  readonly table: Table;
  readonly ids: Ids;
  readonly clock: Clock;
}

export const isoNow = ({ clock }: Parts): string => new Date(clock.now()).toISOString();
