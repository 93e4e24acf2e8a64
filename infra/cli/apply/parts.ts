import type { Clock, Ids } from "../../../lib/ports/system.ts";
import type { Table } from "../../../lib/ports/table.ts";
import type { TokenKeys } from "../../../lib/ports/token-keys.ts";

/** The parts of a world that applying a document needs. */
export interface Parts {
  readonly table: Table;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly tokenKeys: TokenKeys;
}

export const isoNow = ({ clock }: Parts): string => new Date(clock.now()).toISOString();
