import type { World } from "../../lib/app/world.ts";
import { isoMicros } from "../../lib/core/time.ts";
import { rememberVersion } from "../../lib/endpoints/load.ts";
import { type EndpointVersion, EndpointVersions, type SavedEndpoint, SavedEndpoints } from "../../lib/endpoints/saved-endpoints.ts";
import { ConditionFailed } from "../../lib/ports/table.ts";
import { update } from "../../lib/table/store.ts";

/** A record's time of last use moves at most this often: a run must not cost a write. */
const EVERY_MS = 1_800_000;

/** Records on the endpoint and on its version that a key ran them, where the last record is older than half an hour. */
export const recordLastUse = async (
  world: Pick<World, "table" | "clock">,
  endpoint: SavedEndpoint,
  version: EndpointVersion,
  now: number,
): Promise<void> => {
  const { table } = world;
  const set = { last_executed_at: isoMicros(now) };
  const { project, name, id } = endpoint;
  const sameEndpoint = { kind: "equals", attribute: "id", value: id } as const;
  if (isStale(version.last_executed_at, now)) rememberVersion(world, endpoint, { ...version, ...set });
  await Promise.all([
    isStale(endpoint.last_executed_at, now) && unlessGone(update(table, SavedEndpoints, { project, name }, { set }, sameEndpoint)),
    isStale(version.last_executed_at, now) &&
      unlessGone(update(table, EndpointVersions, { project, endpoint_id: id, version: version.version }, { set })),
  ]);
};

const isStale = (iso: string | null, now: number): boolean => iso === null || now - Date.parse(iso) >= EVERY_MS;

/** An endpoint that was deleted during its run has nothing to record. */
const unlessGone = async (write: Promise<unknown>): Promise<void> => {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
};
