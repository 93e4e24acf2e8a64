import { memoryObjects } from "../simulation/ports/objects.ts";
import { memoryRowFiles, readRows, rowLists } from "../simulation/ports/row-files.ts";
import { countRows } from "../support/samples/event-rows.ts";
import { rowFilesSuite } from "./row-files.suite.ts";

rowFilesSuite("lists in memory", async () => {
  const objects = memoryObjects();
  const lists = rowLists();
  return {
    rowFiles: memoryRowFiles(objects, lists, { countUsage: countRows }),
    store: objects.put,
    async read(key) {
      const rows = await readRows(objects, lists, { key });
      return rows.map(({ uuid, event, distinct_id, timestamp, properties }) => ({ uuid, event, distinct_id, timestamp, properties }));
    },
    close: async () => undefined,
  };
});
