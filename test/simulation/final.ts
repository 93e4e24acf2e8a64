import { unpack } from "../../lib/core/pack.ts";
import { partitionEnd } from "../../lib/event/time-partitions.ts";
import { leafKeys } from "../../lib/lake/catalogue/leaves.ts";
import { type FileFacts, type Manifest, STATE_ENTRY, type StateManifest } from "../../lib/lake/catalogue.ts";
import { parseHead } from "../../lib/lake/head.ts";
import { HEAD_SK, lakePk, manifestKey, projectPrefixes, publishedSk, removalsKey, TYPES_SK } from "../../lib/lake/paths.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import { type Ledger, Violation } from "./ledger.ts";
import type { MemoryObjects } from "./ports/objects.ts";
import type { RowLists } from "./ports/row-files.ts";
import type { MemoryTable } from "./ports/table.ts";

/** At any moment: what a head's manifests name exists, and no swap has retired it. */
export const checkNamed = (table: MemoryTable, objects: MemoryObjects, project: number): void => {
  const items = table.everything().filter(({ pk }) => pk === lakePk(project));
  const stored = objects.everything();
  const retired = new Set(items.flatMap(({ keys }) => (keys instanceof Uint8Array ? (unpackedOnce(keys) as readonly string[]) : [])));
  const head = parseHead(
    project,
    items.find(({ sk }) => sk === HEAD_SK),
  );
  for (const [partition, id] of Object.entries(head.manifests)) {
    const bytes = stored.get(manifestKey(project, partition, id));
    if (bytes === undefined) throw new Violation(`manifest ${id} of ${partition} is named and gone`);
    for (const { key } of namedIn(bytes, objects, project)) {
      if (!stored.has(key)) throw new Violation(`${key} is named and gone`);
      if (retired.has(key)) throw new Violation(`${key} is named and retired`);
    }
  }
};

/** A day after everything came to rest: no object holds a row that was removed, whether or not anything names it. */
export const checkBytes = (objects: MemoryObjects, lists: RowLists, project: number, ledger: Ledger): void => {
  const prefixes = [`fresh/${project}/`, `events/project=${project}/`];
  const stored = objects.everything();
  for (const key of stored.keys()) {
    const content = prefixes.some((prefix) => key.startsWith(prefix)) ? stored.get(key) : undefined;
    const row = content && lists.rowsIn(content)?.find((each) => ledger.wasRemoved(each));
    if (row) throw new Violation(`${key} still holds a row of ${row.distinct_id}, which was removed`);
  }
};

/** The manifests that a project's head names, as text. */
export const namedBy = (table: MemoryTable, project: number): string => {
  const head = table.everything().find(({ pk, sk }) => pk === lakePk(project) && sk === HEAD_SK);
  return JSON.stringify(Object.entries(parseHead(project, head).manifests).sort());
};

/** When all work is done: no item is left but the heads and the types of properties, no object but what they name, and what is over is sealed. */
export const checkStore = (
  table: MemoryTable,
  objects: MemoryObjects,
  projects: readonly number[],
  removed: ReadonlySet<number>,
  now: number,
  policy: Policy,
  published: readonly string[],
): void => {
  const items = table.everything();
  const kept = new Set(projects.filter((project) => !removed.has(project)).map(lakePk));
  const left = items.find(
    ({ pk, sk }) =>
      pk.startsWith(LAKE) && sk !== HEAD_SK && !((sk === TYPES_SK || sk === GROUPS_SK || sk.startsWith(publishedSk(""))) && kept.has(pk)),
  );
  if (left) throw new Violation(`${left.pk} ${left.sk} is left over`);
  const stored = objects.everything();
  const named = new Set<string>(published);
  for (const project of projects) {
    if (removed.has(project)) continue;
    const head = parseHead(
      project,
      items.find(({ pk }) => pk === lakePk(project)),
    );
    if (head.removals !== null) named.add(removalsKey(project, head.removals));
    for (const [partition, id] of Object.entries(head.manifests)) {
      const key = manifestKey(project, partition, id);
      named.add(key);
      const bytes = stored.get(key);
      if (bytes === undefined) throw new Violation(`the head names ${key}, which is gone`);
      for (const { key: own } of namedIn(bytes, objects, project)) named.add(own);
      const sealed = partition === STATE_ENTRY || (unpackedOnce(bytes) as Manifest).sealed;
      if (!sealed && now > partitionEnd(partition) + policy.sealAfterMs) throw new Violation(`${key} is not sealed`);
    }
  }
  for (const key of named) if (!stored.has(key)) throw new Violation(`${key} is named and gone`);
  const own = projects.flatMap((project) => projectPrefixes(project));
  for (const key of stored.keys().filter((each) => own.some((prefix) => each.startsWith(prefix))))
    if (!named.has(key)) throw new Violation(`${key} is garbage that nobody collected`);
};

/** The group types that have a slot. */
const GROUPS_SK = "groups";
const LAKE = lakePk(0).slice(0, -1);

/** What a manifest names, be it of a partition or of the state; only the lake writes them. */
export const namedIn = (bytes: Uint8Array, objects: MemoryObjects, project: number): readonly { readonly key: string }[] => {
  const manifest = unpackedOnce(bytes) as Manifest | StateManifest;
  if ("files" in manifest) {
    const files = filesNamed(manifest, objects, project);
    const leaves = leafKeys(project, manifest).map((key) => ({ key }));
    const footers = files.flatMap(({ footerAt }) => (footerAt ? [footerAt] : []));
    return [...files, ...footers, ...leaves, ...(manifest.corrections ?? [])];
  }
  return [...manifest.persons, ...manifest.distinctIds, ...manifest.groups, ...manifest.history];
};

/** All files of a stored manifest, those of its leaves among them. */
export const filesNamed = (manifest: Manifest, objects: MemoryObjects, project: number): readonly FileFacts[] => {
  const held = leafKeys(project, manifest).flatMap((key) => {
    const bytes = objects.everything().get(key);
    if (bytes === undefined) throw new Violation(`${key} is named and gone`);
    return (unpackedOnce(bytes) as { readonly held: readonly FileFacts[] }).held;
  });
  return [...manifest.files, ...manifest.loose, ...held];
};

/** Nothing that is packed is ever changed, and the checks look at all of it after each job. */
export const unpackedOnce = (bytes: Uint8Array): NonNullable<unknown> => {
  const known = unpackedBytes.get(bytes) ?? asObject(unpack(bytes));
  unpackedBytes.set(bytes, known);
  return known;
};

const unpackedBytes = new WeakMap<Uint8Array, NonNullable<unknown>>();

/** What is packed is an object or a list. */
const asObject = (value: unknown): NonNullable<unknown> => value as NonNullable<unknown>;
