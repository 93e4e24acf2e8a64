import type { World } from "../../lib/app/world.ts";
import { disableAllTables } from "../../lib/endpoints/materialise.ts";
import { EndpointVersions, type SavedEndpoint, SavedEndpoints } from "../../lib/endpoints/saved-endpoints.ts";
import { notFound } from "../../lib/http/errors.ts";
import { ConditionFailed } from "../../lib/ports/table.ts";
import { counting } from "../../lib/table/paging.ts";
import { counterOf } from "../../lib/table/partitions.ts";
import { pages, removing } from "../../lib/table/store.ts";

/** Writes in one transaction at most. */
const WRITES = 100;

/** Removes an endpoint, which frees its name at once, and then its versions, which nothing can reach any more. */
export const deleteEndpoint = async (world: Pick<World, "table" | "queues">, { project, name, id }: SavedEndpoint): Promise<void> => {
  const { table } = world;
  try {
    await table.transact([
      removing(SavedEndpoints, { project, name }, { kind: "equals", attribute: "id", value: id }),
      counting(counterOf("endpointCount", project), -1),
    ]);
  } catch (error) {
    if (error instanceof ConditionFailed) throw notFound();
    throw error;
  }
  await disableAllTables(world, { project, id });
  for await (const versions of pages(table, EndpointVersions, "key", { project, endpoint_id: id }, { limit: WRITES })) {
    await table.transact(versions.map(({ version }) => removing(EndpointVersions, { project, endpoint_id: id, version })));
  }
};
