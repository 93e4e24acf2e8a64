import type { Item, Table } from "../../ports/table.ts";
import { headKey, IS_REMOVED, readHead } from "../catalogue/head.ts";
import type { ReadParts } from "../catalogue/parts.ts";
import { HEAD_SK, lakePk, laterKeys, projectPrefixes } from "../catalogue/paths.ts";
import type { Policy } from "../catalogue/policy.ts";

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
