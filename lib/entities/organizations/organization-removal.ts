import * as z from "zod";
import { abreast } from "../../core/abreast.ts";
import { tombstone } from "../../lake/catalogue/head.ts";
import { POLICIES } from "../../lake/catalogue/policy.ts";
import type { Budget } from "../../ports/budget.ts";
import { ConditionFailed, type Item, type Query, type Table } from "../../ports/table.ts";
import { pages, removing, updating } from "../../table/store.ts";
import { releasing, transact } from "../../table/transact.ts";
import { type Account, Accounts } from "../customers/accounts.ts";
import { externalIdMarker } from "../customers/group-accounts.ts";
import { ProjectSecretKeys } from "../keys/project-secret-keys.ts";
import { puttingToken } from "../keys/project-tokens.ts";
import { TeamSecretTokens } from "../keys/team-secret-tokens.ts";
import { type Project, Projects } from "../projects/projects.ts";
import { type Organization, Organizations, slugMarker } from "./organizations.ts";

/** Where the removals that are not finished lie, of all organizations: few, so one partition of the index holds them. */
const REMOVALS_PK = "organization-removals";
const REMOVAL_SK = "removal";

/** A removal is asked for again after this, should the one who was asked have died. */
const AGAIN_MS = 3_600_000;

/** Items deleted side by side. */
const ABREAST = 16;

/** No further partition is begun when less than this is left. */
const BEGIN_WITH_MS = 30_000;

/** The message that asks the jobs worker to delete what belonged to a removed organization. */
export const OrganizationRemoval = z.object({ v: z.literal(1), kind: z.literal("remove-organization"), organization: z.guid() });
export type OrganizationRemoval = z.output<typeof OrganizationRemoval>;

const organizationPk = (id: string): string => `organization#${id}`;
const removalKey = (id: string) => ({ pk: organizationPk(id), sk: REMOVAL_SK });
const dueAt = (at: number) => ({ duepk: REMOVALS_PK, duesk: String(at).padStart(13, "0") });

const ACTIVE = { kind: "equals", attribute: "state", value: "active" } as const;

/**
 * Removes an organization. The first write is the removal: nobody is let in any more, and what is left to do is written down with
 * it. Then its projects are closed, so that their keys and tokens stop, too; a worker does the rest, and this if it breaks off.
 * Throws `ConditionFailed` where it is removed already.
 */
export const removeOrganization = async (table: Table, { id, slug }: Organization, now: number): Promise<void> => {
  await transact(table, [
    updating(Organizations, { id }, { set: { state: "removed", updated_at: new Date(now).toISOString() } }, ACTIVE),
    releasing(slugMarker(slug), id),
    { kind: "put", item: { ...removalKey(id), entity: "organization-removal", v: 1, organization: id, ...dueAt(now) } },
  ]);
  await closeProjects(table, id, now);
};

/** The organizations whose removal is to be gone on with now. */
export const dueRemovals = async (table: Table, now: number): Promise<readonly string[]> => {
  const { items } = await table.query({ index: "due", pk: REMOVALS_PK, sk: { to: dueAt(now).duesk } });
  return items.map(({ pk }) => pk.slice(organizationPk("").length));
};

/** Notes that somebody was asked to go on. */
export const putOffRemoval = async (table: Table, organization: string, now: number): Promise<void> => {
  try {
    await table.update(removalKey(organization), { set: dueAt(now + AGAIN_MS) }, { kind: "present" });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
};

/**
 * Deletes everything that belonged to a removed organization but the tombstones, whose ids are never used again. Events are deleted
 * by the lake's own job, which each closed project asks for, and usage stays, because it is owed for. Safe to run again and beside
 * itself. Where there is no time for all, the rest is due at once.
 */
export const deleteRemovedOrganization = async (
  table: Table,
  organization: string,
  { now, budget }: { readonly now: number; readonly budget: Budget },
): Promise<void> => {
  await closeProjects(table, organization, now);
  for await (const projects of pages(table, Projects, "ofOrganization", { organization_id: organization })) {
    for (const project of projects) {
      if (budget.remainingMs() < BEGIN_WITH_MS) return void (await table.update(removalKey(organization), { set: dueAt(now) }));
      await deleteProject(table, project);
    }
  }
  const kept = new Set(["organization", REMOVAL_SK]);
  await deleteItems(table, { pk: organizationPk(organization), consistent: true }, ({ sk }) => !kept.has(sk));
  await table.remove(removalKey(organization));
};

const closeProjects = async (table: Table, organization: string, now: number): Promise<void> => {
  for await (const projects of pages(table, Projects, "ofOrganization", { organization_id: organization })) {
    await abreast(
      projects.filter(({ state }) => state === "active"),
      ABREAST,
      (project) => closeProject(table, project, now),
    );
  }
};

const closeProject = async (table: Table, { id, organization_id, api_token }: Project, now: number): Promise<void> => {
  try {
    await transact(table, [
      updating(Projects, { id }, { set: { state: "removed", updated_at: new Date(now).toISOString() } }, ACTIVE),
      puttingToken(api_token, { project_id: id, organization_id, state: "removed" }),
      tombstone(id, now, now + POLICIES.deployed.removalDelayMs),
    ]);
  } catch (error) {
    // Somebody else has closed it.
    if (!(error instanceof ConditionFailed)) throw error;
  }
};

const deleteProject = async (table: Table, { id }: Project): Promise<void> => {
  for await (const keys of pages(table, ProjectSecretKeys, "ofProject", { project_id: id })) await deleteKeys(table, keys);
  for await (const tokens of pages(table, TeamSecretTokens, "ofProject", { project_id: id })) await deleteKeys(table, tokens);
  for await (const accounts of pages(table, Accounts, "key", { project_id: id }, { consistent: true }))
    await abreast(accounts, ABREAST, (account) => deleteAccount(table, account));
  await deleteItems(table, { pk: `project#${id}`, consistent: true }, ({ sk }) => sk !== "project");
};

const deleteKeys = (table: Table, keys: readonly { readonly hash: string }[]): Promise<void> =>
  abreast(keys, ABREAST, ({ hash }) => table.remove({ pk: `key#${hash}`, sk: "key" }));

/** The marker goes with its account, so that neither is left without the other. */
const deleteAccount = (table: Table, { id, project_id, external_id }: Account): Promise<void> =>
  transact(table, [removing(Accounts, { project_id, id }), releasing(externalIdMarker(project_id, external_id), id)]);

const deleteItems = async (table: Table, query: Query, goes: (item: Item) => boolean): Promise<void> => {
  let cursor: string | null = null;
  do {
    const found = await table.query({ ...query, cursor });
    await abreast(found.items.filter(goes), ABREAST, ({ pk, sk }) => table.remove({ pk, sk }));
    cursor = found.cursor;
  } while (cursor !== null);
};
