import type { World } from "../../lib/app/world.ts";
import { isExactNumber } from "../../lib/core/exact-json.ts";
import { type GroupSighting, keepGroupAccounts } from "../../lib/customers/group-accounts.ts";
import { keyIn } from "../../lib/table/partitions.ts";
import type { ProjectBatch } from "./by-project.ts";
import { type ProjectMemory, projectMemory } from "./project-memory.ts";

/** Characters of a name that are kept. */
const NAME_CHARACTERS = 400;

/** How long a process takes the group type that makes accounts to stay what it is, milliseconds. */
const KNOWN_MS = 30_000;

/** Accounts that a process remembers to be there, of one project; past that it asks again. */
const MAX_REMEMBERED = 20_000;

/** Makes accounts of the groups that a batch identifies, where they are of the type that the project makes accounts of. */
export const keepAccounts = async (world: World, { project, changes }: ProjectBatch): Promise<void> => {
  const groups = [...changes].flatMap(([row, { group }]) => (group === null ? [] : [{ ...group, time: row.timestamp }]));
  if (groups.length === 0) return;
  const memory = projectMemory(world, project);
  const type = await accountType(world, project, memory);
  if (type === null) return;
  const slot = (await memory.groupTypes(new Set([type]))).indexOf(type);
  const sightings = latest(groups.filter((group) => group.slot === slot));
  const news = sightings.filter((each) => !isKnown(memory, each));
  noteAgain(memory, sightings);
  if (news.length === 0) return;
  await keepGroupAccounts(world, project, news);
  if (memory.accounts.size > MAX_REMEMBERED) memory.accounts.clear();
  for (const { key, name, at } of news) {
    const known = memory.accounts.get(key);
    if (known === undefined || (name !== undefined && at > known.at)) memory.accounts.set(key, { name, at });
  }
};

const isKnown = ({ accounts }: ProjectMemory, { key, name, at }: GroupSighting): boolean => {
  const known = accounts.get(key);
  return known !== undefined && (name === undefined || known.name === name || (known.name !== undefined && known.at >= at));
};

/** A name that was given once more is as new as that, so that an older one that comes late does not take its place. */
const noteAgain = ({ accounts }: ProjectMemory, sightings: readonly GroupSighting[]): void => {
  for (const { key, name, at } of sightings) {
    const known = accounts.get(key);
    if (known !== undefined && known.name === name && known.at < at) accounts.set(key, { name, at });
  }
};

const accountType = async (world: World, project: number, memory: ProjectMemory): Promise<string | null> => {
  const now = world.clock.now();
  if (memory.accountType !== undefined && now < memory.accountType.until) return memory.accountType.type;
  const item = await world.table.get(keyIn("project", "project", { project }), { consistent: true });
  const type = typeof item?.account_group_type === "string" ? item.account_group_type : null;
  memory.accountType = { type, until: now + KNOWN_MS };
  return type;
};

/** One sighting of each group, with the name that its events gave it last. */
const latest = (
  groups: readonly { readonly key: string; readonly set: Readonly<Record<string, unknown>>; readonly time: bigint }[],
): readonly GroupSighting[] => {
  const byKey = new Map<string, GroupSighting>();
  for (const { key, set, time } of groups) {
    if (key.trim() === "") continue;
    const at = Number(time / 1_000n);
    const name = accountName(set.name);
    const known = byKey.get(key);
    if (known === undefined || (name !== undefined && (known.name === undefined || at >= known.at))) byKey.set(key, { key, name, at });
  }
  return [...byKey.values()];
};

const accountName = (value: unknown): string | undefined => {
  const text = nameText(value);
  return text === "" ? undefined : text.slice(0, NAME_CHARACTERS);
};

const nameText = (value: unknown): string => {
  if (typeof value === "string") return value.trim();
  if (isExactNumber(value)) return value.rawJSON;
  return typeof value === "number" ? String(value) : "";
};
