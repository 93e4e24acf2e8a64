import type { World } from "../../lib/app/world.ts";
import type { CaptureMessage } from "../../lib/event/message.ts";
import { tokenItem } from "../../lib/keys/credential.ts";
import { decodeProjectToken } from "../../lib/keys/project-tokens.ts";
import { readHead } from "../../lib/lake/head.ts";
import { getHeadRemovals } from "../../lib/lake/removals.ts";
import { refusedRows } from "../../lib/lake/removals-in-force.ts";
import { projectMemory } from "./project-memory.ts";

/** The project that a message's events belong to; null when there is none, or it was removed: then they are dropped. */
export const findOwner = async (message: CaptureMessage, world: World): Promise<number | null> => {
  const project = message.token === undefined ? message.project : await projectOfToken(message.token, world);
  return project === null || (await isRemoved(project, world)) ? null : project;
};

const projectOfToken = async (token: string, world: World): Promise<number | null> => {
  const item = await world.table.get(tokenItem(token), { consistent: true });
  return item === undefined ? null : decodeProjectToken(item).project_id;
};

/** How long a process may take a project to be there, milliseconds. What is committed to a removed one is swept away. */
const KNOWN_MS = 30_000;

const isRemoved = async (project: number, world: World): Promise<boolean> => {
  const memory = projectMemory(world, project);
  const now = world.clock.now();
  if (now < memory.presentUntil) return false;
  const head = await readHead(world.table, project);
  if (head.removedAt !== null) return true;
  // Where others took their place since, the lake itself sees to it that nobody reads these rows.
  const removals = await getHeadRemovals(world.objects, head);
  if (removals !== undefined) memory.refused = removals && refusedRows(removals);
  memory.presentUntil = now + KNOWN_MS;
  return false;
};
