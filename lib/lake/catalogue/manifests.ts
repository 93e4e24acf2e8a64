import { cache, perOwner } from "../../core/cache.ts";
import { OBJECT_WORTH_PACKING, packSized, unpackSized } from "../../core/pack.ts";
import { Defect } from "../../core/unreachable.ts";
import type { Objects } from "../../ports/objects.ts";
import { CATALOGUE_FORMAT, type Manifest, type StateManifest } from "../catalogue.ts";
import { manifestKey } from "../paths.ts";

/** The size of the cache of manifests that a process has read, in bytes of memory. */
const CACHE_BYTES = 64_000_000;

/** Bytes of memory for each byte of a manifest's JSON: measured 0.8 to 1.7. */
const MEMORY_PER_BYTE = 1.75;

type AnyManifest = Manifest | StateManifest;
interface WeighedManifest {
  readonly manifest: AnyManifest;
  readonly bytes: number;
}

/** Manifests never change, so each store's are kept for ever, as far as there is room. */
const manifestCache = perOwner((_: Objects) => cache<string, WeighedManifest>({ capacity: CACHE_BYTES, weigh: ({ bytes }) => bytes }));

/** Writes a manifest before anything names it. */
export const putManifest = async (objects: Objects, project: number, entry: string, manifest: AnyManifest): Promise<void> => {
  const { bytes, length } = packSized(manifest, OBJECT_WORTH_PACKING);
  await objects.put(manifestKey(project, entry, manifest.id), bytes);
  manifestCache(objects).set(manifestKey(project, entry, manifest.id), { manifest, bytes: MEMORY_PER_BYTE * length });
};

/** The manifest of a partition, or undefined when the store no longer has it: the caller's head is too old. */
export const getManifest = async (objects: Objects, project: number, partition: string, id: string): Promise<Manifest | undefined> => {
  const found = await anyManifest(objects, manifestKey(project, partition, id));
  return found === undefined || "files" in found ? found : wrongKind(id);
};

/** Whether the store has a manifest now; one that was removed may still be remembered here. */
export const hasManifest = async (objects: Objects, project: number, partition: string, id: string): Promise<boolean> =>
  id !== "" && (await objects.get(manifestKey(project, partition, id))) !== undefined;

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
  const known = manifestCache(objects).get(key);
  if (known) return known.manifest;
  const bytes = await objects.get(key);
  if (bytes === undefined) return undefined;
  const read = decodeManifest(bytes);
  manifestCache(objects).set(key, read);
  return read.manifest;
};

/** Only `putManifest` writes below these keys, so the object is a manifest of a format that is checked here. */
const decodeManifest = (bytes: Uint8Array): WeighedManifest => {
  const { value, length } = unpackSized(bytes);
  const manifest = value as AnyManifest;
  if (!(manifest.v <= CATALOGUE_FORMAT)) throw new Defect(`manifest format ${manifest.v} is newer than this version`);
  return { manifest, bytes: MEMORY_PER_BYTE * length };
};
