import type { World } from "../../lib/app/world.ts";
import { findVersion, requireEndpoint } from "../../lib/endpoints/load.ts";
import { disableAllTables, switchOff, switchOn, type TableChange } from "../../lib/endpoints/materialise.ts";
import type { RequestedVersion } from "../../lib/endpoints/requested-version.ts";
import {
  type EndpointVersion,
  EndpointVersions,
  endpointsOfProject,
  type SavedEndpoint,
  SavedEndpoints,
} from "../../lib/endpoints/saved-endpoints.ts";
import { conflict, invalid, notFound } from "../../lib/http/errors.ts";
import { ConditionFailed, type Write } from "../../lib/ports/table.ts";
import { takeFromList } from "../../lib/table/bounded-list.ts";
import { pages, putting, removing, updating } from "../../lib/table/store.ts";
import { unchanged } from "../../lib/table/transact.ts";
import { untilWritten } from "../../lib/table/until-written.ts";
import type { EndpointBody } from "./bodies.ts";
import type { Author, SaveWorld } from "./create.ts";
import { type EndpointUpdate, planUpdate, type UpdatePlan } from "./update-plan.ts";

/** The outcome of an update: the endpoint, and the version it went to. */
export interface UpdateResult {
  readonly endpoint: SavedEndpoint;
  readonly version: EndpointVersion;
  /** Why a new version has no table, though it was to have one. */
  readonly materialization_error?: string;
}

/** How often an update that met others is made anew: one of those that meet is always done. */
const TRIES = 12;

/**
 * Applies an update to an endpoint and one of its versions: the current one, or the one that `number` names. A query that
 * differs from the current one makes a new version. Of updates at once each is made of what those before it left.
 */
export const updateEndpoint = async (
  world: SaveWorld,
  author: Author,
  endpoint: SavedEndpoint,
  body: EndpointBody,
  number: RequestedVersion | undefined,
): Promise<UpdateResult> => {
  if (number !== undefined && body.query)
    throw invalid("query", "A version's query never changes. Leave out the version to save a new one.");
  const { update, plan, table } = await saved(world, author, endpoint, body, number);
  const updated = { ...update.endpoint, ...plan.endpoint };
  await table.follow();
  if (!updated.is_active) await disableAllTables(world, endpoint);
  return { endpoint: updated, version: plan.version, ...(plan.refusal !== null && { materialization_error: plan.refusal }) };
};

const saved = async (
  world: SaveWorld,
  author: Author,
  first: SavedEndpoint,
  body: EndpointBody,
  number: RequestedVersion | undefined,
): Promise<{ readonly update: EndpointUpdate; readonly plan: UpdatePlan; readonly table: TableChange }> => {
  return untilWritten({ most: TRIES, otherwise: changedMeanwhile }, async (attempt) => {
    const endpoint = attempt === 1 ? first : await requireEndpoint(world.table, first.project, first.name);
    const target = await findVersion(world.table, endpoint, number ?? endpoint.current_version);
    if (target === undefined) throw invalid("version", `Version ${number} of this endpoint does not exist.`);
    const update = { endpoint, target, isNamed: number !== undefined, body };
    const plan = await planUpdate(world, author, update);
    const table = tableChange(world, update, plan);
    await save(world, update, plan, table.writes);
    return { update, plan, table };
  });
};

const changedMeanwhile = (): Error => conflict("The endpoint was changed by other requests at the same time. Read it and try again.");

/** Every update moves the endpoint's time of update, so what was read is what is there as long as that stands. */
const save = async (
  { table }: SaveWorld,
  { endpoint, target }: EndpointUpdate,
  plan: UpdatePlan,
  more: readonly Write[],
): Promise<void> => {
  const { project, name } = endpoint;
  await table.transact([
    updating(SavedEndpoints, { project, name }, { set: plan.endpoint }, unchanged(endpoint, "id", "updated_at")),
    plan.changes === undefined
      ? putting(EndpointVersions, plan.version, { kind: "absent" })
      : updating(EndpointVersions, versionKey(target), { set: plan.changes }),
    ...more,
  ]);
};

/** In the transaction of the version that says so: of updates at once the table follows the one that is written last. */
const tableChange = (world: SaveWorld, { endpoint }: EndpointUpdate, { version, before, changes }: UpdatePlan): TableChange => {
  if (version.has_table) return switchOn(world, endpoint, version, before);
  if (before !== undefined && changes !== undefined) return switchOff(world, before);
  return { writes: [], follow: async () => undefined };
};

const versionKey = ({ project, endpoint_id, version }: EndpointVersion) => ({ project, endpoint_id, version });

/** Writes in one transaction at most. */
const WRITES = 100;

/** Removes an endpoint, which frees its name at once, and then its versions, which nothing can reach any more. */
export const deleteEndpoint = async (
  world: Pick<World, "table" | "queues" | "clock">,
  { project, name, id }: SavedEndpoint,
): Promise<void> => {
  const { table } = world;
  try {
    await takeFromList(world, endpointsOfProject(project), [
      removing(SavedEndpoints, { project, name }, { kind: "equals", attribute: "id", value: id }),
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
