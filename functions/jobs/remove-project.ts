import { forEachConcurrent } from "../../lib/core/concurrency.ts";
import { type Account, Accounts } from "../../lib/customers/accounts.ts";
import { externalIdMarker } from "../../lib/customers/group-accounts.ts";
import { Dashboards } from "../../lib/dashboards/dashboards.ts";
import { SharedLinks } from "../../lib/dashboards/shared-links.ts";
import { SavedEndpoints } from "../../lib/endpoints/saved-endpoints.ts";
import { ProjectSecretKeys } from "../../lib/keys/project-secret-keys.ts";
import { TeamSecretTokens } from "../../lib/keys/team-secret-tokens.ts";
import { deleteRemoved } from "../../lib/lake/audit.ts";
import type { Policy } from "../../lib/lake/policy.ts";
import type { Budget } from "../../lib/ports/system.ts";
import type { Table } from "../../lib/ports/table.ts";
import { keyIn, partitionKey, partitionsRemovedWith } from "../../lib/table/partitions.ts";
import { pages, remove, removing } from "../../lib/table/store.ts";
import { releasing, transact } from "../../lib/table/transact.ts";
import { forgetTables } from "./registered-tables.ts";
import { usageJob } from "./usage.ts";
import type { PublishWorld } from "./world.ts";

/** Left for the rest of a removal, which goes on with the next message. */
const RESERVE_MS = 120_000;

/** Items deleted side by side. */
const CONCURRENCY = 16;

/** The sort key of the item that stays of a project. */
const TOMBSTONE_SK = "project";

/** Deletes the data of a closed project, its events last. */
export const projectRemovalJob = async (world: PublishWorld, policy: Policy, project: number, budget: Budget): Promise<void> => {
  // What was stored until then is owed for, and can be counted only while its manifests are there.
  await usageJob(world, policy, { project });
  // A drain that was under way when the project was closed may have left issues of its exceptions.
  if (!(await deleteProject(world.table, project, () => budget.remainingMs() > RESERVE_MS))) return;
  await forgetTables(world, project);
  return deleteRemoved(world, policy, project);
};

/**
 * Deletes everything of a closed project but its tombstone: what lies in partitions of its own, and what other items of it lead to,
 * which goes first. False where there was no time for all. Runs of an endpoint that was deleted before end by their time to live.
 */
export const deleteProject = async (table: Table, project: number, mayGoOn: () => boolean): Promise<boolean> => {
  for await (const keys of pages(table, ProjectSecretKeys, "ofProject", { project_id: project })) await deleteKeys(table, keys);
  for await (const tokens of pages(table, TeamSecretTokens, "ofProject", { project_id: project })) await deleteKeys(table, tokens);
  for await (const accounts of pages(table, Accounts, "key", { project_id: project }, { consistent: true })) {
    if (!mayGoOn()) return false;
    await forEachConcurrent(accounts, CONCURRENCY, (account) => deleteAccount(table, account));
  }
  for await (const dashboards of pages(table, Dashboards, "key", { project }, { consistent: true })) {
    if (!mayGoOn()) return false;
    await forEachConcurrent(dashboards, CONCURRENCY, ({ link_hash }) => deleteLink(table, link_hash));
  }
  for await (const endpoints of pages(table, SavedEndpoints, "key", { project }, { consistent: true })) {
    for (const { id } of endpoints) {
      if (!(await deletePartition(table, partitionKey("endpointLog", { project, endpoint: id }), mayGoOn))) return false;
    }
  }
  for (const pk of partitionsRemovedWith("with its project", project)) {
    if (!(await deletePartition(table, pk, mayGoOn, [TOMBSTONE_SK]))) return false;
  }
  return true;
};

/** Deletes what lies in a partition, a page at a time, but for some sort keys. False where there was no time for all. */
export const deletePartition = async (
  table: Table,
  pk: string,
  mayGoOn: () => boolean,
  keeping: readonly string[] = [],
): Promise<boolean> => {
  let cursor: string | null = null;
  do {
    if (!mayGoOn()) return false;
    const page = await table.query({ pk, consistent: true, cursor });
    const goes = page.items.filter(({ sk }) => !keeping.includes(sk));
    await forEachConcurrent(goes, CONCURRENCY, ({ sk }) => table.remove({ pk, sk }));
    cursor = page.cursor;
  } while (cursor !== null);
  return true;
};

const deleteKeys = async (table: Table, keys: readonly { readonly hash: string }[]): Promise<void> => {
  await forEachConcurrent(keys, CONCURRENCY, ({ hash }) => table.remove(keyIn("keys", "key", { hash })));
};

const deleteLink = async (table: Table, hash: string | null): Promise<void> => {
  if (hash !== null) await remove(table, SharedLinks, { hash });
};

/** The marker goes with its account, so that neither is left without the other. */
const deleteAccount = (table: Table, { id, project_id, external_id }: Account): Promise<void> =>
  transact(table, [removing(Accounts, { project_id, id }), releasing(externalIdMarker(project_id, external_id), id)]);
