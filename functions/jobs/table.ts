import type { World } from "../../lib/app/world.ts";
import { MaterialiseJob } from "../../lib/endpoints/materialisation/job.ts";
import type { Delivery } from "../../lib/ports/queues.ts";

/** Whether a message asks for the table of a saved query. */
export const makesTable = ({ body }: Delivery): boolean => /"kind":"table"/.test(body.slice(0, KIND_WITHIN));
const KIND_WITHIN = 100;

/** Makes the table of a version. What fails is kept with the version and due again by itself, so its message never comes back. */
export const tableJob = async (world: World, { body }: Delivery): Promise<void> => {
  try {
    await (await loadRefresh()).refresh(world, MaterialiseJob.parse(JSON.parse(body)));
  } catch (thrown) {
    world.log.line("error", "table_failed", { error: thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : "unknown" });
  }
};

/** The language is large, and the other jobs never need it. */
const loadRefresh = () => import("../../lib/endpoints/materialisation/refresh.ts");
