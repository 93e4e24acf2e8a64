import { type GroupSlot, readGroupSlots, removeGroupType, renameGroupType } from "../../lib/lake/group-types.ts";
import type { Table } from "../../lib/ports/table.ts";
import { UserError } from "../local/user-error.ts";
import { chosenProject } from "./chosen-project.ts";
import { columns, type Run } from "./command.ts";

/** Longest name of a group type, in characters. */
const MAX_NAME = 400;

export const listGroups: Run = async ({ world }, { flags: { project } }) => {
  const slots = await readSlots(world.table, project);
  const rows = slots.map(({ slot, type, usedAt }) => [
    String(slot),
    type,
    usedAt === null ? "" : new Date(usedAt).toISOString().slice(0, 10),
  ]);
  return { json: slots, lines: columns(["slot", "group type", "last used"], rows) };
};

export const renameGroup: Run = async ({ world }, { words: [type = "", name = ""], flags: { project } }) => {
  const slots = await readSlots(world.table, project);
  const slot = slotNamed(slots, type);
  if (name === "" || name.length > MAX_NAME || !name.isWellFormed()) throw new UserError(`A name has 1 to ${MAX_NAME} characters.`);
  if (slots.some((other) => other.type === name)) throw new UserError(`The project has a group type "${name}" already.`);
  if (!(await renameGroupType(world.table, Number(project), slot, name))) throw changed(type);
  return { json: { renamed: type, name }, lines: [`Renamed ${type} to ${name}. ${SOON}`] };
};

export const removeGroup: Run = async ({ world }, { words: [type = ""], flags: { project } }) => {
  const slot = slotNamed(await readSlots(world.table, project), type);
  if (!(await removeGroupType(world.table, Number(project), slot))) throw changed(type);
  return { json: { removed: type }, lines: [`Removed ${type}. ${SOON}`] };
};

/** Ingest remembers a project's types for so long. */
const SOON = "Events that come within a minute may still be stored as before.";

const readSlots = async (table: Table, project: string | undefined): Promise<readonly GroupSlot[]> => {
  const { id } = await chosenProject(table, project);
  return readGroupSlots(table, id);
};

const slotNamed = (slots: readonly GroupSlot[], type: string): GroupSlot => {
  const slot = slots.find((each) => each.type === type);
  if (slot === undefined) throw new UserError(`The project has no group type "${type}": groups list shows them.`);
  return slot;
};

const changed = (type: string): UserError => new UserError(`The group type "${type}" was changed meanwhile. Try again.`);
