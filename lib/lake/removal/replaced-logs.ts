import { derivePersonId } from "../../event/identity.ts";
import type { Deltas } from "../persons/deltas.ts";
import { type GroupLog, groupLogs } from "../persons/group-log.ts";
import { type IdLog, type IdLogs, mergeLogs } from "../persons/person-log.ts";
import { type Person, replay } from "../persons/person-replay.ts";
import { component, type StateChanges, type StateLookup } from "../persons/state-changes.ts";
import { boundedGroup, boundedLog, boundedPerson } from "../persons/bounds.ts";
import { personRow } from "../persons/person-row.ts";
import type { PersonRow } from "../persons/state-rows.ts";

/**
 * What changes in a state when the logs of some ids are replaced by what rows say: these have to be all rows of the ids that the state knows
 * of. Of other ids' logs only what ties them to these changes. Groups likewise, by name.
 */
export const replacedLogs = async (
  project: number,
  { ids, groups, said }: { readonly ids: readonly string[]; readonly groups: readonly string[]; readonly said: Deltas },
  state: StateLookup,
): Promise<StateChanges> => {
  const anew = mergeLogs([said]);
  const stored = await component(new Set([...ids, ...anew.keys()]), state);
  const logs = withReplaced(stored, new Set(ids), anew);
  const changed = new Map([...logs.changed].map((id): [string, IdLog | null] => [id, logs.all.get(id) ?? null]));
  const before = ownersOf(replay(stored));
  const after = replay(logs.all);
  return {
    persons: changedPersons(project, before, after, logs.all),
    distinctIds: changedIds(project, before, ownersOf(after)),
    groups: changedGroups(groups, said),
    history: changed,
  };
};

/** All logs with those of some ids replaced, and the ids whose logs are others than before. */
const withReplaced = (
  stored: IdLogs,
  ids: ReadonlySet<string>,
  anew: IdLogs,
): { readonly all: IdLogs; readonly changed: ReadonlySet<string> } => {
  const all = new Map(stored);
  const changed = new Set(ids);
  for (const id of ids) {
    const { seen = null, ops = [] } = anew.get(id) ?? {};
    // Who names an id as the source of a merge says so itself: its own row stays or is replaced likewise.
    const targets = stored.get(id)?.targets ?? [];
    all.set(id, boundedLog({ seen, ops, targets }).left);
  }
  for (const id of ids) {
    const sources = new Set(all.get(id)?.ops.flatMap(({ merge }) => (merge ? [merge.source] : [])));
    const lost = (stored.get(id)?.ops ?? []).flatMap(({ merge }) => (merge && !sources.has(merge.source) ? [merge.source] : []));
    for (const source of lost) retarget(all, changed, source, (targets) => targets.filter((target) => target !== id));
    for (const source of sources) retarget(all, changed, source, (targets) => [...new Set([...targets, id])].sort());
  }
  for (const [id, { seen, ops, targets }] of all) if (seen === null && ops.length + targets.length === 0) all.delete(id);
  return { all, changed };
};

const retarget = (
  all: Map<string, IdLog>,
  changed: Set<string>,
  id: string,
  change: (targets: readonly string[]) => readonly string[],
): void => {
  const log = all.get(id) ?? { seen: null, ops: [], targets: [] };
  const targets = change(log.targets);
  if (targets.join("\0") === log.targets.join("\0")) return;
  all.set(id, { ...log, targets });
  changed.add(id);
};

/** By id, the root of the person that it is one of. */
type Owners = ReadonlyMap<string, string>;

const ownersOf = (persons: readonly Person[]): Owners => new Map(persons.flatMap(({ root, ids }) => ids.map((id) => [id, root] as const)));

/** Every person of the components is written anew: they are few. */
const changedPersons = (project: number, before: Owners, after: readonly Person[], logs: IdLogs): ReadonlyMap<string, PersonRow | null> => {
  const rows = new Map<string, PersonRow | null>();
  for (const root of before.values()) rows.set(derivePersonId(project, root), null);
  for (const person of after) rows.set(derivePersonId(project, person.root), personRow(boundedPerson(person, logs).left));
  return rows;
};

const changedIds = (project: number, before: Owners, after: Owners): ReadonlyMap<string, string | null> => {
  const changed = new Map<string, string | null>();
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const root = after.get(id) ?? id;
    if ((before.get(id) ?? id) !== root) changed.set(id, root === id ? null : derivePersonId(project, root));
  }
  return changed;
};

const changedGroups = (groups: readonly string[], said: Deltas): ReadonlyMap<string, GroupLog | null> => {
  const anew = groupLogs(said.groups);
  return new Map(
    groups.map((name) => {
      const log = anew.get(name);
      return [name, log === undefined ? null : boundedGroup(log).left];
    }),
  );
};
