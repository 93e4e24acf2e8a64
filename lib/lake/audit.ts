import type { Item, Table } from "../ports/table.ts";
import { readCommits } from "./catalogue/commits.ts";
import { leafKeys } from "./catalogue/leaves.ts";
import { getManifest, getStateManifest } from "./catalogue/manifests.ts";
import type { ReadParts } from "./catalogue/parts.ts";
import { readRetired } from "./catalogue/retired.ts";
import { type Head, headKey, IS_REMOVED, type ManifestRoot, NOT_REMOVED, readHead, STATE_ENTRY } from "./catalogue.ts";
import { sealDue } from "./compaction/layout.ts";
import { footerKeys } from "./parquet/footers.ts";
import { HEAD_SK, lakePk, lakePrefixes, laterKeys, manifestKey, projectPrefixes, resultKey } from "./paths.ts";
import type { Policy } from "./policy.ts";
import { removalKeys } from "./removals.ts";

/** The keys that a project's published tables name now: what they named before is retired. */
export type PublishedKeys = () => Promise<Iterable<string>>;

/** Tries to read all names at one go. */
const TRIES = 5;

/**
 * Deletes what lies in a project's part of the store, is older than two days, and is named by nothing: left by drains and jobs that
 * died. What is older than two days is named by now or never, and moves between the places that name it only in transactions of
 * which a query may see one half; so the names are read twice, and only what both readings lack is deleted.
 *
 * Returns the partitions that should be sealed and are not: once rows are gathered, nothing but a message reminds of what is left to be
 * done for a partition whose time is over, and a message may be given up.
 */
export const audit = async (
  parts: ReadParts,
  policy: Policy,
  project: number,
  published: PublishedKeys = async () => [],
): Promise<readonly string[]> => {
  const now = parts.clock.now();
  const first = await names(parts, project, published);
  if (first === "removed") return [];
  const suspects = await unnamed(parts, policy, project, first.keys, now);
  if (suspects.length > 0) {
    const second = await names(parts, project, published);
    if (second === "removed") return [];
    await parts.objects.remove(suspects.filter((key) => !second.keys.has(key)));
  }
  await parts.table.update(headKey(project), { set: laterKeys(project, now + policy.auditEveryMs, HEAD_SK) }, NOT_REMOVED);
  return first.manifests.filter((manifest) => sealDue(manifest, policy, now)).map(({ partition }) => partition);
};

const unnamed = async (
  parts: ReadParts,
  policy: Policy,
  project: number,
  named: ReadonlySet<string>,
  now: number,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const prefix of lakePrefixes(project)) {
    const before = now - (prefix.startsWith(resultKey(project, "")) ? policy.resultAgeMs : policy.orphanAgeMs);
    let cursor: string | null = null;
    do {
      const page = await parts.objects.list(prefix, cursor);
      for (const { key, modified } of page.objects) if (modified < before && !named.has(key)) found.push(key);
      cursor = page.cursor;
    } while (cursor !== null);
  }
  return found;
};

interface Names {
  readonly keys: ReadonlySet<string>;
  /** Those of the head. */
  readonly manifests: readonly ManifestRoot[];
}

/** Every key that the catalogue names: by commits, by the manifests of the head, by published tables, and by retired items, which are read last. */
const names = async (parts: ReadParts, project: number, published: PublishedKeys): Promise<Names | "removed"> => {
  for (let attempt = 1; ; attempt += 1) {
    const keys = new Set<string>();
    for (const { segments, deltas } of await readCommits(parts.table, project)) {
      for (const { key } of segments) keys.add(key);
      if (deltas && "key" in deltas) keys.add(deltas.key);
    }
    const head = await readHead(parts.table, project);
    if (head.removedAt !== null) return "removed";
    if (head.removals !== null) for (const key of await removalKeys(parts.objects, project, head.removals)) keys.add(key);
    const manifests = await addManifests(parts, head, keys);
    for (const key of await published()) keys.add(key);
    for (const key of await readRetired(parts.table, project)) keys.add(key);
    if (manifests) return { keys, manifests };
    if (attempt === TRIES) throw new Error(`the manifests of project ${project} changed too often to audit it`);
  }
};

/** The manifests of partitions; undefined when one was replaced and deleted in between. */
const addManifests = async (parts: ReadParts, head: Head, keys: Set<string>): Promise<readonly ManifestRoot[] | undefined> => {
  const manifests: ManifestRoot[] = [];
  for (const [entry, id] of Object.entries(head.manifests)) {
    keys.add(manifestKey(head.project, entry, id));
    if (entry === STATE_ENTRY) {
      const state = await getStateManifest(parts.objects, head.project, entry, id);
      if (!state) return undefined;
      for (const { key } of [...state.persons, ...state.distinctIds, ...state.groups, ...state.history]) keys.add(key);
    } else {
      const manifest = await getManifest(parts.objects, head.project, entry, id);
      if (!manifest) return undefined;
      const { files: _files, loose: _loose, ...root } = manifest;
      manifests.push(root);
      for (const { key } of [...manifest.files, ...manifest.loose, ...(manifest.corrections ?? [])]) keys.add(key);
      for (const key of [...footerKeys(manifest), ...leafKeys(head.project, manifest)]) keys.add(key);
    }
  }
  return manifests;
};

/**
 * Deletes a removed project's objects and lake items, and leaves its tombstone. Safe to run again: a drain that began before the
 * tombstone may still leave something, so it runs once more when such leftovers are two days old, and whenever a sweep finds a commit.
 */
export const deleteRemoved = async (parts: ReadParts, policy: Policy, project: number): Promise<void> => {
  const now = parts.clock.now();
  const { removedAt } = await readHead(parts.table, project);
  if (removedAt === null || now < removedAt + policy.removalDelayMs) return;
  for (const item of await lakeItems(parts.table, project)) await parts.table.remove({ pk: item.pk, sk: item.sk });
  for (const prefix of projectPrefixes(project)) await removePrefix(parts, prefix);
  const again = removedAt + policy.removalDelayMs + policy.orphanAgeMs;
  await parts.table.update(
    headKey(project),
    now < again ? { set: laterKeys(project, again, HEAD_SK) } : { remove: ["duepk", "duesk"] },
    IS_REMOVED,
  );
};

const lakeItems = async (table: Table, project: number): Promise<readonly Item[]> => {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: lakePk(project), consistent: true, cursor });
    items.push(...page.items.filter(({ sk }) => sk !== HEAD_SK));
    cursor = page.cursor;
  } while (cursor !== null);
  return items;
};

const removePrefix = async (parts: ReadParts, prefix: string): Promise<void> => {
  let cursor: string | null = null;
  do {
    const page = await parts.objects.list(prefix, cursor);
    await parts.objects.remove(page.objects.map(({ key }) => key));
    cursor = page.cursor;
  } while (cursor !== null);
};
