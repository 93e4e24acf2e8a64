import type { World } from "../../lib/app/world.ts";
import { RUN_PARTITIONS } from "../../lib/endpoints/run-partitions.ts";
import { TABLE_LANE } from "../../lib/endpoints/table-lane.ts";
import { invocable } from "../../lib/lambda/invocable.ts";
import type { Budget } from "../../lib/ports/system.ts";

/**
 * Makes the tables of saved queries, in a lane of their own: one after another, each in its turn, for as long as any is due. The sweep
 * starts it, and so does whoever switches a table on.
 */
export const tables = invocable({
  name: "tables",
  uses: {
    table: { read: [...RUN_PARTITIONS, "lanes", "organization"], lists: ["materialise"], write: ["project", "lanes"], removes: true },
    objects: { read: ["fresh", "events", "state", "tables"], write: ["tables"], remove: ["tables"] },
    engine: true,
  },
  timeoutSeconds: 900,
  atOnce: TABLE_LANE.atOnce,
  async run(world: World, budget: Budget): Promise<void> {
    await (await loadTables()).makeDueTables(world, budget);
  },
});

/** The language is large, and the registry is read by many that never run it. */
const loadTables = () => import("../../lib/endpoints/make-due-tables.ts");
