import type { World } from "../../lib/app/world.ts";
import { faultText } from "../../lib/core/unreachable.ts";
import type { Job } from "../../lib/jobs/jobs.ts";

/** Makes the table of a version. What fails is kept with the version and due again by itself, so its message never comes back. */
export const tableJob = async (world: World, job: Job<"table">): Promise<true> => {
  try {
    await (await loadRefresh()).refresh(world, job);
    return true;
  } catch (thrown) {
    return tableFailed(world, thrown);
  }
};

export const tableFailed = ({ log }: Pick<World, "log">, thrown: unknown): true => {
  log.line("error", "table_failed", { error: faultText(thrown) });
  return true;
};

/** The language is large, and the other jobs never need it. */
const loadRefresh = () => import("../../lib/endpoints/refresh.ts");
