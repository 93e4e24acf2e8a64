import type { StoredQuery } from "../definition.ts";
import type { VersionTypes } from "../version-types.ts";

/** What a version's table is to be made of. */
export interface Materialisable {
  readonly query: StoredQuery;
  readonly ast: Uint8Array;
  readonly property_types: VersionTypes;
  readonly bucket_overrides: Readonly<Record<string, string>> | null;
}
