import type { World } from "../../lib/app/world.ts";
import { distinctRows } from "../../lib/event/identity.ts";
import { importOfRequest } from "../../lib/event/imports.ts";
import { readRemovals, refusedRows } from "../../lib/lake/removals-in-force.ts";
import type { ProjectBatch } from "./by-project.ts";

/**
 * Takes the rows of undone imports out of a batch in which an event came more than once. What the process remembers of removals is up to half
 * a minute old, and a copy that nobody may see must not take the place of one that came after the undo: that would be lost with it. Where no
 * event came twice the lake itself sees to it that nobody reads these rows.
 */
export const dropUndoneCopies = async (batch: ProjectBatch, world: World): Promise<void> => {
  const { project, rows, imports } = batch;
  if (imports.size === 0 || distinctRows(rows).length === rows.length) return;
  const removals = await readRemovals(world, project);
  if (removals === null) return;
  const { isUndone } = refusedRows(removals);
  const isSeen = ({ request }: { readonly request: string }): boolean => !isUndone(importOfRequest(request));
  batch.rows = rows.filter(isSeen);
  batch.exceptions = batch.exceptions.filter(({ row }) => isSeen(row));
  batch.dropped += rows.length - batch.rows.length;
};
