import { rawGroup } from "../../lib/app/raw-group.ts";
import { ACCESS_LIST, CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { BEGINNING, bodyBytes } from "./paths.ts";
import { serve } from "./serve.ts";

/**
 * The lake's open tables as a read-only catalogue, by the REST API that Apache Iceberg has for one. It reads its requests itself, because
 * paths, errors and methods are those of that standard, which describes them; so the description of our own API only names it.
 */
export const iceberg = rawGroup({
  name: "iceberg",
  gateway: "management",
  uses: {
    table: {
      read: [...CALLER_PARTITIONS.read, "lake"],
      lists: [...CALLER_PARTITIONS.lists, ACCESS_LIST],
      write: CALLER_PARTITIONS.write,
    },
    objects: { read: ["iceberg"] },
    fileAccess: true,
  },
  settings: ["publishing"],
  paths: [`${BEGINNING}{proxy+}`],
  bodyBytes,
  serve,
});
