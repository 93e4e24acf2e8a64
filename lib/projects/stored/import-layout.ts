import type { Layout } from "../../table/entity.ts";
import { within } from "../../table/partitions.ts";

/** Where imports lie. Apart from their schema, because ingest writes them and carries no schema library. */
export const IMPORT_LAYOUT = {
  name: "import",
  version: 1,
  key: within("imports", "import#{id}"),
  patterns: {},
} as const satisfies Layout;
