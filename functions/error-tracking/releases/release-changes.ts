import type { World } from "../../../lib/app/world.ts";
import { isoMicros } from "../../../lib/core/time.ts";
import { type Release, Releases, releaseHashMarker } from "../../../lib/error-tracking/releases.ts";
import { conflict, invalid, notFound } from "../../../lib/http/errors.ts";
import { ConditionFailed, type Table } from "../../../lib/ports/table.ts";
import { counting } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { putting, removing, require, updating } from "../../../lib/table/store.ts";
import { ABSENT, claiming, failedAt, markerOwner, releasing, transact } from "../../../lib/table/transact.ts";
import type { SentRelease } from "./release-body.ts";

/** Makes a release. Its hash id leads to it from now on, and to no other of the project. */
export const createRelease = async (
  { table, clock, ids }: Pick<World, "table" | "clock" | "ids">,
  team: number,
  sent: SentRelease,
): Promise<Release> => {
  const { version, project, metadata = null } = sent;
  if (version === undefined) throw invalid(null, "A version is required.");
  if (project === undefined) throw invalid(null, "A project is required.");
  const id = ids.uuid();
  const { hash_id = id } = sent;
  const release = { team_id: team, id, hash_id, created_at: isoMicros(clock.now()), metadata, version, project };
  try {
    await transact(table, [
      claiming(releaseHashMarker(team, hash_id), id),
      putting(Releases, release, ABSENT),
      counting(counterKey("releaseCount", team), 1),
    ]);
  } catch (error) {
    if (failedAt(error, 0)) throw taken(hash_id);
    throw error;
  }
  return release;
};

/** Changes what was sent and not empty; 404 when there is no such release. */
export const updateRelease = async (table: Table, release: Release, sent: SentRelease): Promise<void> => {
  const { team_id, id, hash_id: before } = release;
  const { metadata, hash_id, ...named } = sent;
  const renamed = hash_id !== undefined && hash_id !== before;
  const set = { ...named, ...(metadata !== undefined && metadata !== "{}" && { metadata }), ...(renamed && { hash_id }) };
  if (Object.keys(set).length === 0) return;
  // Only a new hash id depends on the one before: who changes other fields at the same moment gets their way, too.
  const when = renamed ? ({ kind: "equals", attribute: "hash_id", value: before } as const) : undefined;
  const change = updating(Releases, { team_id, id }, { set }, when);
  const hashes = renamed ? [claiming(releaseHashMarker(team_id, hash_id), id), releasing(releaseHashMarker(team_id, before), id)] : [];
  try {
    await transact(table, [change, ...hashes]);
  } catch (error) {
    if (renamed && failedAt(error, 1)) throw taken(hash_id);
    await explainChanged(table, release, error);
  }
};

/** Removes a release and frees its hash id. */
export const removeRelease = async (table: Table, release: Release): Promise<void> => {
  const { team_id, id, hash_id } = release;
  try {
    await transact(table, [
      removing(Releases, { team_id, id }, { kind: "equals", attribute: "hash_id", value: hash_id }),
      releasing(releaseHashMarker(team_id, hash_id), id),
      counting(counterKey("releaseCount", team_id), -1),
    ]);
  } catch (error) {
    await explainChanged(table, release, error);
  }
};

const taken = (hashId: string) =>
  invalid(null, `The hash id ${hashId} is used by another release. Choose another, or update that release.`);

/** Between reading and writing somebody removed the release, or gave it another hash id. */
const explainChanged = async (table: Table, { team_id, id }: Release, error: unknown): Promise<never> => {
  if (!(error instanceof ConditionFailed)) throw error;
  await require(table, Releases, { team_id, id }, { consistent: true });
  throw conflict("The release was changed at the same moment. Try again.");
};

/** The release that a hash id leads to; 404 when there is none. */
export const releaseOfHash = async (table: Table, team: number, hashId: string): Promise<Release> => {
  // Such a hash id cannot be written as one part of a path.
  if (/[/.]/.test(hashId) || hashId.length > MOST_PATH_CHARACTERS) throw notFound();
  const id = markerOwner(await table.get(releaseHashMarker(team, hashId)));
  if (id === undefined) throw notFound();
  return require(table, Releases, { team_id: team, id });
};

const MOST_PATH_CHARACTERS = 256;
