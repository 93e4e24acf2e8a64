import { forgetRows, removeKept } from "../endpoints/forget-rows.ts";
import type { EnginePorts } from "../engine/engine.ts";
import type { Policy } from "../lake/policy.ts";
import { readRemovals } from "../lake/removals-in-force.ts";
import type { Budget } from "../ports/system.ts";
import { Imports, importsOfProject } from "../projects/imports.ts";
import { Projects } from "../projects/projects.ts";
import { get, update } from "../table/store.ts";
import { finishErasure, resumeErasure } from "./erase.ts";
import { erasuresOfProject } from "./erasures.ts";

/**
 * Carries out the erasures of a project that were requested or interrupted, until nothing is left of these people but bytes of old files.
 * `more` where the budget ran out before.
 */
export const runPendingErasures = async (world: EnginePorts, policy: Policy, id: number, budget: Budget): Promise<"done" | "more"> => {
  const project = await get(world.table, Projects, { id }, { consistent: true });
  if (project?.state !== "active") return "done";
  for (const found of await erasuresOfProject(world.table, id)) {
    if (found.state === "done") continue;
    if (budget.remainingMs() <= 0) return "more";
    const { erasure, outcome } = await resumeErasure(world, policy, project, found, budget);
    if (outcome === "more") return "more";
    await finishErasure(world, project, erasure);
  }
  return "done";
};

/**
 * The last part of removals of rows, outside of the lake: deletes results that were kept by queries under way meanwhile, and marks imports as
 * undone. `wasOpen` where some removal was carried out only now.
 */
export const finishRemovalsOutsideLake = async (
  world: EnginePorts,
  project: number,
  { wasOpen }: { readonly wasOpen: boolean },
): Promise<void> => {
  if (wasOpen) await forgetRows(world, project);
  else await removeKept(world, project);
  await markUndone(world, project);
};

/** Where the command that undid an import was interrupted, this is what marks it. */
const markUndone = async (world: EnginePorts, project: number): Promise<void> => {
  const removals = await readRemovals(world, project);
  const undone = new Set(removals?.imports.map(({ id }) => id));
  if (undone.size === 0) return;
  for (const { id, state } of await importsOfProject(world.table, project)) {
    if (state === "undone" || !undone.has(id)) continue;
    await update(world.table, Imports, { project, id }, { set: { state: "undone", undone_at: new Date(world.clock.now()).toISOString() } });
  }
};
