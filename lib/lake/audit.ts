import type { Item, Table } from "../ports/table.ts";
import type { ReadParts } from "./catalogue/parts.ts";
import { sealDue } from "./compaction/layout.ts";
import { headKey, IS_REMOVED, NOT_REMOVED, readHead } from "./head.ts";
import { type CatalogueNames, type PublishedKeys, readNames } from "./names.ts";
import { HEAD_SK, lakePk, lakePrefixes, laterKeys, projectPrefixes, resultKey } from "./paths.ts";
import type { Policy } from "./policy.ts";

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
  const suspects = await unnamed(parts, policy, project, first.objects, now);
  if (suspects.length > 0) {
    const second = await names(parts, project, published);
    if (second === "removed") return [];
    await parts.objects.remove(suspects.filter((key) => !second.objects.has(key)));
  }
  await parts.table.update(headKey(project), { set: laterKeys(project, now + policy.auditEveryMs, HEAD_SK) }, NOT_REMOVED);
  return first.manifests.filter((manifest) => sealDue(manifest, policy, now)).map(({ partition }) => partition);
};

const unnamed = async (
  parts: ReadParts,
  policy: Policy,
  project: number,
  named: Pick<ReadonlyMap<string, unknown>, "has">,
  now: number,
): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const prefix of lakePrefixes(project)) {
    const before = unnamedBefore(policy, project, prefix, now);
    let cursor: string | null = null;
    do {
      const page = await parts.objects.list(prefix, cursor);
      for (const { key, modified } of page.objects) if (modified < before && !named.has(key)) found.push(key);
      cursor = page.cursor;
    } while (cursor !== null);
  }
  return found;
};

/** What is older than this, below one of the project's prefixes, is named by now or never. */
export const unnamedBefore = (policy: Policy, project: number, prefix: string, now: number): number =>
  now - (prefix.startsWith(resultKey(project, "")) ? policy.resultAgeMs : policy.orphanAgeMs);

/** The names as one reading finds them in which no manifest was replaced and deleted. */
const names = async (parts: ReadParts, project: number, published: PublishedKeys): Promise<CatalogueNames | "removed"> => {
  for (let attempt = 1; ; attempt += 1) {
    const read = await readNames(parts, project, published);
    if (read === "removed" || read.gone.length === 0) return read;
    if (attempt === TRIES) throw new Error(`the manifests of project ${project} changed too often to audit it`);
  }
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
