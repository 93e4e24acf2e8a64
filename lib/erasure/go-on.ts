import { forgetRows, removeKept } from "../endpoints/forget-rows.ts";
import type { EnginePorts } from "../engine/engine.ts";
import type { Policy } from "../lake/policy.ts";
import { readRemovals } from "../lake/removals-in-force.ts";
import type { Budget } from "../ports/system.ts";
import { importsOfProject, Imports } from "../projects/imports.ts";
import { type Project, Projects } from "../projects/projects.ts";
import { get, update } from "../table/store.ts";
import { finishErasure, goOnWithErasure } from "./erase.ts";
import { erasuresOfProject } from "./erasures.ts";

/**
 * Goes on with the erasures of a project that were asked for or cut off, so that no query sees anything of these people. `more` where there
 * was no time for all.
 */
export const goOnWithErasures = async (world: EnginePorts, policy: Policy, project: number, budget: Budget): Promise<"done" | "more"> => {
  const found = await activeProject(world, project);
  if (found === undefined) return "done";
  for (const erasure of await erasuresOfProject(world.table, project)) {
    if (erasure.state !== "asked" && erasure.state !== "begun") continue;
    if (budget.remainingMs() <= 0) return "more";
    const { outcome } = await goOnWithErasure(world, policy, found, erasure, budget);
    if (outcome === "more") return "more";
  }
  return "done";
};

/**
 * Does what removals of rows leave to be done beside the lake: takes erased people out of everything else, says of imports that they are
 * undone, and deletes what queries kept that were under way meanwhile. `wasOpen` where some removal was carried out only now.
 */
export const finishBesideLake = async (world: EnginePorts, project: number, { wasOpen }: { readonly wasOpen: boolean }): Promise<void> => {
  const found = await activeProject(world, project);
  if (found === undefined) return;
  if (wasOpen) await forgetRows(world, project);
  else await removeKept(world, project);
  for (const erasure of await erasuresOfProject(world.table, project))
    if (erasure.state === "gone") await finishErasure(world, found, erasure);
  await noteUndone(world, project);
};

/** An import whose undoing was cut off, and was carried out by a job. */
const noteUndone = async (world: EnginePorts, project: number): Promise<void> => {
  const removals = await readRemovals(world, project);
  const undone = new Set(removals?.imports.map(({ id }) => id));
  if (undone.size === 0) return;
  for (const { id, state } of await importsOfProject(world.table, project)) {
    if (state === "undone" || !undone.has(id)) continue;
    await update(world.table, Imports, { project, id }, { set: { state: "undone", undone_at: new Date(world.clock.now()).toISOString() } });
  }
};

const activeProject = async ({ table }: Pick<EnginePorts, "table">, id: number): Promise<Project | undefined> => {
  const project = await get(table, Projects, { id }, { consistent: true });
  return project?.state === "active" ? project : undefined;
};
