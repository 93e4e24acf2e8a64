import { RELEASE_LAYOUT } from "../../entities/error-tracking/layouts.ts";
import { releaseHashOf } from "../../entities/error-tracking/release-hash.ts";
import type { Release } from "../../entities/error-tracking/releases.ts";
import { plainAttributes, plainKey } from "../../table/plain-item.ts";
import { ownerOf } from "../../table/transact.ts";
import type { ReleaseInfo } from "../output.ts";
import type { TrackingParts } from "../parts.ts";

/** How long a process knows a release, or that there is none, milliseconds. */
const KEPT_MS = 30_000;
const MAX_KEPT = 10_000;

/** The longest `hash_id` that a release can have. */
const MAX_HASH_ID = 128;

interface Kept {
  readonly until: number;
  readonly release: ReleaseInfo | null;
}

const memories = new WeakMap<object, Map<string, Kept>>();

/** The releases of a project that events name by their `hash_id`: each is read once, and remembered. */
export const releasesNamed = async (
  parts: TrackingParts,
  project: number,
  hashIds: Iterable<string>,
): Promise<ReadonlyMap<string, ReleaseInfo>> => {
  const memory = memories.get(parts) ?? new Map<string, Kept>();
  memories.set(parts, memory);
  const now = parts.clock.now();
  const wanted = [...new Set(hashIds)].filter((hashId) => hashId !== "" && hashId.length <= MAX_HASH_ID);
  const unknown = wanted.filter((hashId) => (memory.get(`${project}#${hashId}`)?.until ?? 0) <= now);
  if (memory.size + unknown.length > MAX_KEPT) memory.clear();
  const read = await readReleases(parts, project, unknown);
  const found = new Map<string, ReleaseInfo>();
  for (const hashId of unknown) memory.set(`${project}#${hashId}`, { until: now + KEPT_MS, release: read.get(hashId) ?? null });
  for (const hashId of wanted) {
    const release = memory.get(`${project}#${hashId}`)?.release ?? read.get(hashId);
    if (release) found.set(hashId, release);
  }
  return found;
};

const readReleases = async (
  { table }: TrackingParts,
  project: number,
  hashIds: readonly string[],
): Promise<ReadonlyMap<string, ReleaseInfo>> => {
  if (hashIds.length === 0) return new Map();
  const markers = await table.getMany(hashIds.map((hashId) => releaseHashOf(project, hashId)));
  const ids = markers.flatMap((marker) => ownerOf(marker) ?? []);
  if (ids.length === 0) return new Map();
  const items = await table.getMany(ids.map((id) => plainKey(RELEASE_LAYOUT, { team_id: project, id })));
  const releases = items.map((item) => plainAttributes<Release>(RELEASE_LAYOUT, item));
  return new Map(releases.map((release) => [release.hash_id, infoOf(release)]));
};

const infoOf = ({ id, hash_id, team_id, created_at, metadata, version, project }: Release): ReleaseInfo => ({
  id,
  hash_id,
  team_id,
  created_at,
  metadata: metadata === null ? null : JSON.parse(metadata),
  version,
  project,
});
