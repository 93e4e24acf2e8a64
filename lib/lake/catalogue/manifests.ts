import { cache, perOwner } from "../../core/cache.ts";
import { forEachConcurrent } from "../../core/concurrency.ts";
import { isReadable, writtenVersion } from "../../core/formats.ts";
import { OBJECT_WORTH_PACKING, packSized, unpackSized } from "../../core/pack.ts";
import { Defect } from "../../core/unreachable.ts";
import type { Objects } from "../../ports/objects.ts";
import {
  CATALOGUE_FORMAT,
  type FileFacts,
  type Leaf,
  type Manifest,
  type ManifestRoot,
  STATE_ENTRY,
  type StateManifest,
} from "../catalogue.ts";
import type { Head } from "../head.ts";
import { leafKey, manifestKey } from "../paths.ts";

/** The size of the cache of manifests and leaves that a process has read, in bytes of memory. */
const CACHE_BYTES = 64_000_000;

/** Bytes of memory for each byte of a manifest's JSON: measured 0.8 to 1.7. */
const MEMORY_PER_BYTE = 1.75;

/** Leaves of a manifest read side by side. */
const CONCURRENCY = 16;

/** The object of a leaf. */
interface StoredLeaf {
  readonly v: number;
  readonly held: readonly FileFacts[];
}

/** Of the manifest of a partition as it is stored, `files` and `loose` are those that it holds itself. */
type Stored = Manifest | StateManifest | StoredLeaf;
interface WeighedObject {
  readonly stored: Stored;
  readonly bytes: number;
}

/** These objects never change, so each store's are kept for ever, as far as there is room. */
const objectCache = perOwner((_: Objects) => cache<string, WeighedObject>({ capacity: CACHE_BYTES, weigh: ({ bytes }) => bytes }));

/** Writes a manifest before anything names it. Its leaves were written before. */
export const putManifest = (objects: Objects, project: number, entry: string, manifest: Manifest | StateManifest): Promise<void> =>
  putStored(objects, manifestKey(project, entry, manifest.id), "files" in manifest ? withoutLeafFiles(manifest) : manifest);

/** Writes a leaf before any manifest names it. */
export const putLeaf = (objects: Objects, project: number, partition: string, id: string, files: readonly FileFacts[]): Promise<void> =>
  putStored(objects, leafKey(project, partition, id), { v: writtenVersion(CATALOGUE_FORMAT), held: files });

const putStored = async (objects: Objects, key: string, stored: Stored): Promise<void> => {
  const { bytes, length } = packSized(stored, OBJECT_WORTH_PACKING);
  await objects.put(key, bytes);
  objectCache(objects).set(key, { stored, bytes: MEMORY_PER_BYTE * length });
};

const withoutLeafFiles = (manifest: Manifest): Manifest => {
  if (manifest.leaves === undefined) return manifest;
  const held = new Set(manifest.leaves.flatMap((leaf) => leaf.held ?? []).map(({ key }) => key));
  const inside = (files: readonly FileFacts[]): readonly FileFacts[] => files.filter(({ key }) => !held.has(key));
  const leaves = manifest.leaves.map(({ held: _, ...leaf }) => leaf);
  return { ...manifest, files: inside(manifest.files), loose: inside(manifest.loose), leaves };
};

/**
 * The manifest of a partition with all its files, or with those that it holds itself and those of the leaves that are wanted.
 * Undefined when the store no longer has it: the caller's head is too old.
 */
export const getManifest = async (
  objects: Objects,
  project: number,
  partition: string,
  id: string,
  isWanted: (leaf: Leaf) => boolean = () => true,
): Promise<Manifest | undefined> => {
  const root = await getStoredManifest(objects, project, partition, id);
  if (root?.leaves === undefined) return root;
  const held = new Map<string, readonly FileFacts[]>();
  const wanted = root.leaves.filter(isWanted);
  await forEachConcurrent(wanted, CONCURRENCY, async (leaf) => {
    const stored = await getStored(objects, leafKey(project, partition, leaf.id));
    if (stored && "held" in stored) held.set(leaf.id, stored.held);
  });
  if (held.size < wanted.length) return undefined;
  const read = (loose: boolean): readonly FileFacts[] =>
    root.leaves?.flatMap((leaf) => (leaf.loose === loose && held.get(leaf.id)) || []) ?? [];
  const leaves = root.leaves.map((leaf): Leaf => {
    const files = held.get(leaf.id);
    return files ? { ...leaf, held: files } : leaf;
  });
  return { ...root, files: [...read(false), ...root.files], loose: [...read(true), ...root.loose], leaves };
};

/** The manifest of a partition without its files: one object, however many these are. Undefined as above. */
export const getManifestRoot = (objects: Objects, project: number, partition: string, id: string): Promise<ManifestRoot | undefined> =>
  getStoredManifest(objects, project, partition, id);

const getStoredManifest = async (objects: Objects, project: number, partition: string, id: string): Promise<Manifest | undefined> => {
  const found = await getStored(objects, manifestKey(project, partition, id));
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
  const found = await getStored(objects, manifestKey(project, entry, id));
  return found === undefined || "persons" in found ? found : wrongKind(id);
};

/** The same of the state that a head names; null where it names none. */
export const getHeadState = async (
  objects: Objects,
  { project, manifests }: Pick<Head, "project" | "manifests">,
): Promise<StateManifest | null | undefined> => {
  const id = manifests[STATE_ENTRY];
  return id === undefined ? null : getStateManifest(objects, project, STATE_ENTRY, id);
};

const wrongKind = (id: string): never => {
  throw new Defect(`manifest ${id} is of another kind`);
};

const getStored = async (objects: Objects, key: string): Promise<Stored | undefined> => {
  const known = objectCache(objects).get(key);
  if (known) return known.stored;
  const bytes = await objects.get(key);
  if (bytes === undefined) return undefined;
  const read = decodeStored(bytes);
  objectCache(objects).set(key, read);
  return read.stored;
};

/** Only this file writes below these keys, so the object is of a format that is checked here. */
const decodeStored = (bytes: Uint8Array): WeighedObject => {
  const { value, length } = unpackSized(bytes);
  const stored = value as Stored;
  if (!isReadable(stored.v, CATALOGUE_FORMAT)) throw new Defect(`manifest format ${stored.v} is newer than this version`);
  return { stored, bytes: MEMORY_PER_BYTE * length };
};
