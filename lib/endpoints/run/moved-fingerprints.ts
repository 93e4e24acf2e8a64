import { MovedFingerprints } from "../../error-tracking/fingerprints.ts";
import type { MovedFingerprint } from "../../hogql/options.ts";
import type { Table } from "../../ports/table.ts";
import { pages } from "../../table/store.ts";

/** Moved fingerprints that a query goes by: people move them by hand. */
const MOST = 20_000;

/** Where fingerprints lead that merging or splitting issues has moved, in one order, so that equal ones give equal queries. */
export const readMovedFingerprints = async (table: Table, project: number): Promise<readonly MovedFingerprint[]> => {
  const moved: MovedFingerprint[] = [];
  for await (const some of pages(table, MovedFingerprints, "key", { project }, { consistent: true })) {
    for (const { fingerprint, issue_id } of some) moved.push([fingerprint, issue_id]);
    if (moved.length >= MOST) break;
  }
  return moved;
};
