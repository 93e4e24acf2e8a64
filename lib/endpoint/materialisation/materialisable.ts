import type { StoredQuery } from "../definition.ts";

/** What a version's table is to be made of. */
export interface Materialisable {
  readonly query: StoredQuery;
  readonly ast: Uint8Array;
  readonly bucket_overrides: Readonly<Record<string, string>> | null;
}
