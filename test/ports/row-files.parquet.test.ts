import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine } from "../../lib/engine/open.ts";
import { readParquet } from "../../lib/lake/parquet.ts";
import { memoryObjects } from "../support/memory-objects.ts";
import { countRows } from "../support/samples/event-rows.ts";
import { rowFilesSuite, type Seen } from "./row-files.suite.ts";

rowFilesSuite(
  "Parquet",
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "row-files-"));
    const objects = memoryObjects();
    const config = { engineDiskBytes: 1_000_000_000, engineMemoryMb: 500 };
    const engine = await openEngine({ objects, directory, config, countUsage: countRows });
    return {
      rowFiles: engine.rowFiles,
      store: objects.put,
      async read(key) {
        const rows = await readParquet(objects.contents.get(key) ?? new Uint8Array());
        return rows.map(
          (row): Seen => ({
            uuid: String(row.uuid),
            event: String(row.event),
            distinct_id: String(row.distinct_id),
            timestamp: BigInt(String(row.timestamp)),
            properties: String(row.properties),
          }),
        );
      },
      async close() {
        await engine.close();
        await rm(directory, { recursive: true, force: true });
      },
    };
  },
  25,
);
