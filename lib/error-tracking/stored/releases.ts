import { cache, perOwner } from "../../core/cache.ts";
import { isCanonicalUuid } from "../../core/uuid.ts";
import { plainAttributes, plainKey } from "../../table/entity.ts";
import { keyIn } from "../../table/partitions.ts";
import { markerOwner } from "../../table/transact.ts";
import type { ReleaseInfo } from "../pipeline/output.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import type { Release } from "../releases.ts";
import { RELEASE_LAYOUT } from "./layouts.ts";

/** How long a process knows a release, milliseconds, and that there is none: one may be made at any moment. */
const KEPT_MS = 30_000;
const ABSENT_MS = 5_000;
const MAX_KEPT = 10_000;

/** The length of the longest `hash_id` that a release can have: 128 characters, of two units each at most. */
const MAX_HASH_ID = 256;

/** By project and name; null for a name that no release has. */
const remembered = perOwner((_: TrackingParts) => cache<string, ReleaseInfo | null>({ capacity: MAX_KEPT }));

/** The releases of a project by what events name them: their `hash_id`, or else their own id. Each is read once, and remembered. */
export const findReleases = async (
  parts: TrackingParts,
  project: number,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, ReleaseInfo>> => {
  const memory = remembered(parts);
  const now = parts.clock.now();
  const wanted = [...new Set(names)].filter((name) => name !== "" && name.length <= MAX_HASH_ID);
  const known = new Map(wanted.map((name) => [name, memory.get(`${project}#${name}`, now)]));
  const unknown = wanted.filter((name) => known.get(name) === undefined);
  const read = await readReleases(parts, project, unknown);
  for (const name of unknown) {
    const release = read.get(name) ?? null;
    memory.set(`${project}#${name}`, release, now + (release === null ? ABSENT_MS : KEPT_MS));
  }
  const found = new Map<string, ReleaseInfo>();
  for (const name of wanted) {
    const release = known.get(name) ?? read.get(name);
    if (release) found.set(name, release);
  }
  return found;
};

const readReleases = async (
  { table }: TrackingParts,
  project: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, ReleaseInfo>> => {
  if (names.length === 0) return new Map();
  const markers = await table.getMany(names.map((hash_id) => keyIn("releaseHashes", "hash", { project, hash_id })));
  const ids = new Set([...markers.flatMap((marker) => markerOwner(marker) ?? []), ...names.filter(isCanonicalUuid)]);
  if (ids.size === 0) return new Map();
  const items = await table.getMany([...ids].map((id) => plainKey(RELEASE_LAYOUT, { team_id: project, id })));
  const releases = items.map((item) => releaseInfo(plainAttributes<Release>(RELEASE_LAYOUT, item)));
  // Where one release's id is the `hash_id` of another, the `hash_id` leads.
  return new Map([...releases.map((each) => [each.id, each] as const), ...releases.map((each) => [each.hash_id, each] as const)]);
};

const releaseInfo = ({ id, hash_id, team_id, created_at, metadata, version, project }: Release): ReleaseInfo => ({
  id,
  hash_id,
  team_id,
  created_at,
  metadata: metadata === null ? null : JSON.parse(metadata),
  version,
  project,
});
