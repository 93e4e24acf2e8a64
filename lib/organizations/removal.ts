import { forEachConcurrent } from "../core/concurrency.ts";
import { HOUR_MS } from "../core/time.ts";
import { ConditionFailed, type Key, type Table } from "../ports/table.ts";
import { closeProject } from "../projects/close-project.ts";
import { Projects } from "../projects/projects.ts";
import { keyIn, partitionKey } from "../table/partitions.ts";
import { pages, updating } from "../table/store.ts";
import { releasing, transact } from "../table/transact.ts";
import { type Organization, Organizations, slugMarker } from "./organizations.ts";
import { disownWrites } from "./owned-organizations.ts";

/** Where the removals that are not finished lie, of all organizations: few, so one partition of the index holds them. */
const REMOVALS_PK = "organization-removals";

/** A removal is asked for again after this, should the one who was asked have died. */
const AGAIN_MS = HOUR_MS;

/** Items deleted side by side. */
const CONCURRENCY = 16;

const organizationPk = (organization: string): string => partitionKey("organization", { organization });
export const removalKey = (organization: string): Key => keyIn("organization", "removal", { organization });
const dueAt = (at: number) => ({ duepk: REMOVALS_PK, duesk: String(at).padStart(13, "0") });

const ACTIVE = { kind: "equals", attribute: "state", value: "active" } as const;

/**
 * Removes an organization. The first write is the removal: nobody is let in any more, and what is left to do is written down with
 * it. Then its projects are closed, so that their keys and tokens stop, too; a worker does the rest, and this if it breaks off.
 * Throws `ConditionFailed` where it is removed already.
 */
export const removeOrganization = async (table: Table, { id, slug }: Organization, now: number): Promise<void> => {
  const disowning = await disownWrites({ table, clock: { now: () => now } }, id);
  await transact(table, [
    updating(Organizations, { id }, { set: { state: "removed", updated_at: new Date(now).toISOString() } }, ACTIVE),
    releasing(slugMarker(slug), id),
    { kind: "put", item: { ...removalKey(id), entity: "organization-removal", v: 1, organization: id, ...dueAt(now) } },
    ...disowning,
  ]);
  await closeProjects(table, id, now);
};

/** The organizations whose removal is to be gone on with now. */
export const dueRemovals = async (table: Table, now: number): Promise<readonly string[]> => {
  const { items } = await table.query({ index: "due", pk: REMOVALS_PK, sk: { to: dueAt(now).duesk } });
  return items.map(({ pk }) => pk.slice(organizationPk("").length));
};

/** Notes that the worker was asked for a removal: the sweep asks again in an hour. */
export const postponeRemoval = async (table: Table, organization: string, now: number): Promise<void> => {
  try {
    await table.update(removalKey(organization), { set: dueAt(now + AGAIN_MS) }, { kind: "present" });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
};

/** Says that a removal has to be gone on with at once. */
export const resumeRemovalAt = async (table: Table, organization: string, now: number): Promise<void> => {
  await table.update(removalKey(organization), { set: dueAt(now) });
};

/** Says that nothing of a removal is left to do. */
export const finishRemoval = (table: Table, organization: string): Promise<void> => table.remove(removalKey(organization));

/** Closes the projects of a removed organization that are still open, so that their keys and tokens stop. Safe to run again. */
export const closeProjects = async (table: Table, organization: string, now: number): Promise<void> => {
  for await (const projects of pages(table, Projects, "ofOrganization", { organization_id: organization })) {
    await forEachConcurrent(
      projects.filter(({ state }) => state === "active"),
      CONCURRENCY,
      async (project) => void (await closeProject(table, project, now)),
    );
  }
};
