import { readCommits } from "./catalogue/commits.ts";
import { leafKeys } from "./catalogue/leaves.ts";
import { getManifest, getManifestRoot, getStateManifest } from "./catalogue/manifests.ts";
import type { ReadParts } from "./catalogue/parts.ts";
import { readRetired } from "./catalogue/retired.ts";
import { type Commit, type FileFacts, type ManifestRoot, STATE_ENTRY, type StateManifest } from "./catalogue.ts";
import { type Head, readHead } from "./head.ts";
import { footerKeys } from "./parquet/footers.ts";
import { manifestKey } from "./paths.ts";
import { removalKeys } from "./removals.ts";

/** What the catalogue says of an object that it names. */
export interface NamedObject {
  readonly what:
    | "manifest"
    | "leaf"
    | "footers"
    | "file"
    | "segment"
    | "deltas"
    | "corrections"
    | "removals"
    | "persons and groups"
    | "published"
    | "retired";
  /** Whether a reader of what the head says now asks for it; else it stays for those who read what the head said before. */
  readonly isNeeded: boolean;
  /** Where the catalogue says so. */
  readonly bytes?: number;
  readonly rows?: number;
  /** Of a file of events. */
  readonly footer?: Pick<FileFacts, "footerBytes" | "footer" | "footerAt">;
}

/** The keys that a project's published tables name now: what they named before is retired. */
export type PublishedKeys = () => Promise<Iterable<string>>;

/** Every object that a project's part of the catalogue names. */
export interface CatalogueNames {
  readonly objects: ReadonlyMap<string, NamedObject>;
  /** Those of the head. */
  readonly manifests: readonly ManifestRoot[];
  /** Manifests, or leaves of them, that the store does not have: what they name is not among the objects. */
  readonly gone: readonly string[];
}

/**
 * Reads one: by commits, by the manifests of the head, by published tables, and by retired items, which are read last. A manifest that is
 * gone was mostly replaced in between: then the names have to be read again. `onUnreadable` is told of one that cannot be decoded, which
 * otherwise is thrown.
 */
export const readNames = async (
  parts: ReadParts,
  project: number,
  published: PublishedKeys,
  onUnreadable: (key: string, thrown: unknown) => void = (_, thrown) => {
    throw thrown;
  },
): Promise<CatalogueNames | "removed"> => {
  const commits = await readCommits(parts.table, project);
  const head = await readHead(parts.table, project);
  if (head.removedAt !== null) return "removed";
  const found: Found = { project, objects: new Map(), manifests: [], absorbed: new Map(), unknown: new Set(), gone: [] };
  for (const [entry, id] of Object.entries(head.manifests)) {
    const key = manifestKey(project, entry, id);
    found.objects.set(key, { what: "manifest", isNeeded: true });
    try {
      if (entry === STATE_ENTRY) addState(found, await getStateManifest(parts.objects, project, entry, id), key);
      else await addManifest(parts, found, entry, id);
    } catch (thrown) {
      onUnreadable(key, thrown);
      found.unknown.add(entry);
    }
  }
  if (head.removals !== null)
    for (const key of await removalKeys(parts.objects, project, head.removals))
      addUnlessKnown(found, key, { what: "removals", isNeeded: true });
  addCommits(found, commits);
  for (const key of await published()) addUnlessKnown(found, key, { what: "published", isNeeded: true });
  for (const key of await readRetired(parts.table, project)) addUnlessKnown(found, key, { what: "retired", isNeeded: false });
  return found;
};

interface Found extends CatalogueNames {
  readonly project: Head["project"];
  readonly objects: Map<string, NamedObject>;
  readonly manifests: ManifestRoot[];
  /** The commits that each entry of the head contains. */
  readonly absorbed: Map<string, ReadonlySet<string>>;
  /** Those entries whose manifest is gone or cannot be read: what they have absorbed nobody knows. */
  readonly unknown: Set<string>;
  readonly gone: string[];
}

const addUnlessKnown = ({ objects }: Found, key: string, named: NamedObject): void => {
  if (!objects.has(key)) objects.set(key, named);
};

const addManifest = async ({ objects: store }: ReadParts, found: Found, partition: string, id: string): Promise<void> => {
  const { project, objects } = found;
  const manifest = await getManifest(store, project, partition, id);
  if (manifest === undefined) {
    found.gone.push(manifestKey(project, partition, id));
    found.unknown.add(partition);
    const root = await getManifestRoot(store, project, partition, id);
    for (const key of leafKeys(project, root ?? null)) objects.set(key, { what: "leaf", isNeeded: true });
    return;
  }
  const { files, loose, ...root } = manifest;
  found.manifests.push(root);
  found.absorbed.set(partition, new Set(manifest.absorbed));
  for (const file of [...files, ...loose]) objects.set(file.key, eventFile("file", true, file));
  for (const { key } of manifest.corrections ?? []) objects.set(key, { what: "corrections", isNeeded: true });
  for (const key of footerKeys(manifest)) objects.set(key, { what: "footers", isNeeded: true });
  for (const key of leafKeys(project, manifest)) objects.set(key, { what: "leaf", isNeeded: true });
};

const addState = (found: Found, state: StateManifest | undefined, key: string): void => {
  if (state === undefined) {
    found.gone.push(key);
    found.unknown.add(STATE_ENTRY);
    return;
  }
  found.absorbed.set(STATE_ENTRY, new Set(state.absorbed));
  for (const file of [...state.persons, ...state.distinctIds, ...state.groups, ...state.history])
    found.objects.set(file.key, { what: "persons and groups", isNeeded: true, bytes: file.bytes, rows: file.rows });
};

const eventFile = (
  what: NamedObject["what"],
  isNeeded: boolean,
  { bytes, rows, footerBytes, footer, footerAt }: FileFacts,
): NamedObject => ({
  what,
  isNeeded,
  bytes,
  rows,
  footer: { footerBytes, ...(footer !== undefined && { footer }), ...(footerAt !== undefined && { footerAt }) },
});

/** What a manifest has absorbed of a commit is read no more. */
const addCommits = (found: Found, commits: readonly Commit[]): void => {
  const isWaiting = (entry: string, id: string): boolean => !found.unknown.has(entry) && !found.absorbed.get(entry)?.has(id);
  for (const { id, segments, deltas } of commits) {
    for (const segment of segments) addUnlessKnown(found, segment.key, eventFile("segment", isWaiting(segment.partition, id), segment));
    if (deltas && "key" in deltas)
      addUnlessKnown(found, deltas.key, {
        what: "deltas",
        isNeeded: isWaiting(STATE_ENTRY, id),
        bytes: deltas.bytes,
        ...(deltas.entries !== undefined && { rows: deltas.entries }),
      });
  }
};
