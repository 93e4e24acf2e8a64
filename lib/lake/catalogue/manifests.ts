import { Defect } from "../../core/unreachable.ts";
import type { Objects } from "../../ports/objects.ts";
import { CATALOGUE_FORMAT, type Manifest, type StateManifest } from "./catalogue.ts";
import { OBJECT_WORTH_PACKING, packSized, unpackSized } from "./pack.ts";
import { manifestKey } from "./paths.ts";

/** What a process keeps of manifests it has read, in bytes of memory. */
const CACHE_BYTES = 64_000_000;

/** Bytes of memory for each byte of a manifest's JSON: measured 0.8 to 1.7. */
const MEMORY_PER_BYTE = 1.75;

type AnyManifest = Manifest | StateManifest;
interface Kept {
  readonly manifest: AnyManifest;
  readonly bytes: number;
}

/** Manifests never change, so each store's are kept for ever, as far as there is room. */
const caches = new WeakMap<Objects, { readonly kept: Map<string, Kept>; bytes: number }>();

/** Writes a manifest before anything names it. */
export const putManifest = async (objects: Objects, project: number, entry: string, manifest: AnyManifest): Promise<void> => {
  const { bytes, length } = packSized(manifest, OBJECT_WORTH_PACKING);
  await objects.put(manifestKey(project, entry, manifest.id), bytes);
  keep(objects, manifestKey(project, entry, manifest.id), { manifest, bytes: MEMORY_PER_BYTE * length });
};

/** The manifest of a partition, or undefined when the store no longer has it: the caller's head is too old. */
export const getManifest = async (objects: Objects, project: number, partition: string, id: string): Promise<Manifest | undefined> => {
  const found = await anyManifest(objects, manifestKey(project, partition, id));
  return found === undefined || "files" in found ? found : wrongKind(id);
};

/** The manifest of persons, groups and the identity map; undefined as above. */
export const getStateManifest = async (
  objects: Objects,
  project: number,
  entry: string,
  id: string,
): Promise<StateManifest | undefined> => {
  const found = await anyManifest(objects, manifestKey(project, entry, id));
  return found === undefined || "persons" in found ? found : wrongKind(id);
};

const wrongKind = (id: string): never => {
  throw new Defect(`manifest ${id} is of another kind`);
};

const anyManifest = async (objects: Objects, key: string): Promise<AnyManifest | undefined> => {
  const cache = caches.get(objects);
  const known = cache?.kept.get(key);
  if (cache && known) {
    cache.kept.delete(key);
    cache.kept.set(key, known);
    return known.manifest;
  }
  const bytes = await objects.get(key);
  if (bytes === undefined) return undefined;
  const kept = decodeManifest(bytes);
  keep(objects, key, kept);
  return kept.manifest;
};

/** Only `putManifest` writes below these keys, so the object is a manifest of a format that is checked here. */
const decodeManifest = (bytes: Uint8Array): Kept => {
  const { value, length } = unpackSized(bytes);
  const manifest = value as AnyManifest;
  if (!(manifest.v <= CATALOGUE_FORMAT)) throw new Defect(`manifest format ${manifest.v} is newer than this version`);
  return { manifest, bytes: MEMORY_PER_BYTE * length };
};

const keep = (objects: Objects, key: string, entry: Kept): void => {
  const cache = caches.get(objects) ?? { kept: new Map<string, Kept>(), bytes: 0 };
  caches.set(objects, cache);
  if (cache.kept.has(key)) return;
  cache.kept.set(key, entry);
  cache.bytes += entry.bytes;
  for (const [oldest, { bytes }] of cache.kept) {
    if (cache.bytes <= CACHE_BYTES) return;
    cache.kept.delete(oldest);
    cache.bytes -= bytes;
  }
};
