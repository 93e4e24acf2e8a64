import { faultText } from "../../lib/core/unreachable.ts";
import { closeProjects, finishRemoval, removalKey, resumeRemovalAt } from "../../lib/organizations/removal.ts";
import type { Budget } from "../../lib/ports/system.ts";
import type { Table } from "../../lib/ports/table.ts";
import { Projects } from "../../lib/projects/projects.ts";
import { partitionsRemovedWith } from "../../lib/table/partitions.ts";
import { pages } from "../../lib/table/store.ts";
import { deletePartition, deleteProject } from "./remove-project.ts";
import type { JobWorld } from "./world.ts";

/** Nothing further is begun when less than this is left. */
const BEGIN_WITH_MS = 30_000;

/** The sort key of the item that stays of an organization. */
const TOMBSTONE_SK = "organization";

/** Deletes what belonged to a removed organization. False when it failed: its message comes again, and in an hour the sweep asks again. */
export const organizationRemovalJob = async ({ table, clock, log }: JobWorld, organization: string, budget: Budget): Promise<boolean> => {
  try {
    await deleteRemovedOrganization(table, organization, { now: clock.now(), budget });
    return true;
  } catch (thrown) {
    log.line("error", "job_failed", { organization, kind: "remove-organization", error: faultText(thrown) });
    return false;
  }
};

/**
 * Deletes everything that belonged to a removed organization but the tombstones, whose ids are never used again: what that is, the
 * table of partitions says. Events are deleted by the lake's own job, which each closed project asks for; usage and the books stay,
 * because they are owed for. Safe to run again and beside itself. Where there is no time for all, the rest is due at once.
 */
const deleteRemovedOrganization = async (
  table: Table,
  organization: string,
  { now, budget }: { readonly now: number; readonly budget: Budget },
): Promise<void> => {
  const mayGoOn = (): boolean => budget.remainingMs() >= BEGIN_WITH_MS;
  await closeProjects(table, organization, now);
  if (!(await deleteAll(table, organization, mayGoOn))) return resumeRemovalAt(table, organization, now);
  await finishRemoval(table, organization);
};

/** False where there was no time for all. */
const deleteAll = async (table: Table, organization: string, mayGoOn: () => boolean): Promise<boolean> => {
  for await (const projects of pages(table, Projects, "ofOrganization", { organization_id: organization })) {
    for (const { id } of projects) if (!(await deleteProject(table, id, mayGoOn))) return false;
  }
  for (const pk of partitionsRemovedWith("with its organization", organization)) {
    if (!(await deletePartition(table, pk, mayGoOn, [TOMBSTONE_SK, removalKey(organization).sk]))) return false;
  }
  return true;
};
