import { GROUP_SLOTS } from "../../event/event.ts";
import { ConditionFailed, type Item, type Table } from "../../ports/table.ts";
import { lakePk } from "../catalogue/paths.ts";

/** Names of a project's group types by slot; at most five, never freed. */
export type GroupTypes = readonly string[];

/** The group types that a project has so far. */
export const readGroupTypes = async (table: Table, project: number): Promise<GroupTypes> =>
  typesOf(await table.get(itemKey(project), { consistent: true }));

/** Gives each of the wanted types a slot while there are any left, and returns all types of the project. */
export const assignGroupTypes = async (table: Table, project: number, wanted: Iterable<string>): Promise<GroupTypes> => {
  let types = await readGroupTypes(table, project);
  for (const type of wanted) {
    while (!types.includes(type) && types.length < GROUP_SLOTS) types = await takeSlot(table, project, types, type);
  }
  return types;
};

/** Takes the lowest free slot; slots fill in order, so a race for it shows in the condition. */
const takeSlot = async (table: Table, project: number, types: GroupTypes, type: string): Promise<GroupTypes> => {
  const attribute = slotAttribute(types.length);
  try {
    return typesOf(await table.update(itemKey(project), { set: { [attribute]: type } }, { kind: "lacks", attribute }));
  } catch (error) {
    if (error instanceof ConditionFailed) return readGroupTypes(table, project);
    throw error;
  }
};

const itemKey = (project: number): { readonly pk: string; readonly sk: string } => ({ pk: lakePk(project), sk: "groups" });
const slotAttribute = (slot: number): string => `type_${slot}`;

const typesOf = (item: Item | undefined): GroupTypes => {
  const types: string[] = [];
  for (let slot = 0; slot < GROUP_SLOTS; slot++) {
    const type = item?.[slotAttribute(slot)];
    if (typeof type !== "string") break;
    types.push(type);
  }
  return types;
};
