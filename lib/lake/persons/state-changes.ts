import { derivePersonId } from "../../event/identity.ts";
import { type Bounded, boundedGroup, boundedLog, boundedPerson } from "./bounds.ts";
import type { Deltas } from "./deltas.ts";
import { type GroupLog, groupLogs, joinGroups } from "./group-log.ts";
import { type IdLog, type IdLogs, joinLogs, mergeLogs, neighbours } from "./person-log.ts";
import { type Person, replay } from "./person-replay.ts";
import { personRow } from "./person-row.ts";
import type { PersonRow, StateKind, StateMap } from "./state-rows.ts";

/** Finds what the state holds of some keys. */
export interface StateLookup {
  logs(ids: ReadonlySet<string>): Promise<ReadonlyMap<string, IdLog>>;
  /** All logs that merges tie to others; some more do no harm. */
  tied(): Promise<ReadonlyMap<string, IdLog>>;
  groups(names: ReadonlySet<string>): Promise<ReadonlyMap<string, GroupLog>>;
}

/** Rows that replace those of the state with the same key; null where a row is gone. Keys as in `StateValues`. */
export type StateChanges = { readonly [K in StateKind]: StateMap<K> };

/** The same, and how many properties persons and groups had above what each may have. */
export interface BoundedChanges {
  readonly changes: StateChanges;
  readonly dropped: number;
}

/**
 * What deltas change in the state: exactly the rows that a replay of everything would give other values. Only the components that the
 * deltas touch are replayed.
 */
export const stateChanges = async (project: number, deltas: readonly Deltas[], state: StateLookup): Promise<StateChanges> =>
  (await boundedChanges(project, deltas, state)).changes;

/** The same, with what had to be dropped. */
export const boundedChanges = async (project: number, deltas: readonly Deltas[], state: StateLookup): Promise<BoundedChanges> => {
  const arrived = mergeLogs(deltas);
  const stored = await component(arrived.keys(), state);
  // Of what was there only who was whom counts: a component may be large, and its rows need not be held twice.
  const before = personOfEach(replay(stored));
  const joined = new Map<string, IdLog>();
  const counted = counter();
  for (const [id, log] of stored) joined.set(id, counted.of(boundedLog(log)));
  for (const [id, log] of arrived) joined.set(id, counted.of(boundedLog(joinLogs(joined.get(id), log))));
  const persons = replay(joined);
  const others = persons.filter((person) => !isAsBefore(person, arrived, before));
  const history = new Map([...arrived.keys()].map((id): [string, IdLog | null] => [id, joined.get(id) ?? null]));
  const changes = {
    persons: changedPersons(project, others, before, (person) => counted.of(boundedPerson(person, joined))),
    distinctIds: changedIds(project, others, before),
    groups: await changedGroups(deltas, state, counted),
    history,
  };
  return { changes, dropped: counted.dropped() };
};

interface Counter {
  of<T>(bounded: Bounded<T>): T;
  dropped(): number;
}

const counter = (): Counter => {
  let sum = 0;
  return {
    of: ({ left, dropped }) => {
      sum += dropped;
      return left;
    },
    dropped: () => sum,
  };
};

/** Look-ups one after the other that a component may take: in a chain of merges each finds only the next link. */
const MOST_ROUNDS = 8;

/** The stored logs of some ids and of all ids that merges tie to them, stored or arrived: `ids` names both ends of an arrived merge. */
export const component = async (ids: Iterable<string>, state: Pick<StateLookup, "logs" | "tied">): Promise<IdLogs> => {
  const found = new Map<string, IdLog>();
  const asked = new Set<string>();
  let frontier: ReadonlySet<string> = new Set(ids);
  let tied: ReadonlyMap<string, IdLog> | undefined;
  for (let round = 1; frontier.size > 0; round += 1) {
    for (const id of frontier) asked.add(id);
    if (round > MOST_ROUNDS) tied ??= await state.tied();
    const logs = tied ?? (await state.logs(frontier));
    const further = new Set<string>();
    for (const id of frontier) {
      const log = logs.get(id);
      if (log === undefined) continue;
      found.set(id, log);
      for (const other of neighbours(log)) if (!asked.has(other)) further.add(other);
    }
    frontier = further;
  }
  return found;
};

/** Of a person no more than tells whether another one is the same. */
interface PersonName {
  readonly root: string;
  readonly ids: number;
}
type PersonNames = ReadonlyMap<string, PersonName>;

const personOfEach = (persons: readonly Person[]): PersonNames => {
  const known = new Map<string, PersonName>();
  for (const { root, ids } of persons) {
    const person: PersonName = { root, ids: ids.length };
    for (const id of ids) known.set(id, person);
  }
  return known;
};

/**
 * Whether a person has the ids that it had, and nothing new was said of any of them: then all that made it what it is happened among
 * its own ids, before as now. A component may hold many persons, where an id is of none of those who were to be merged with it.
 */
const isAsBefore = ({ root, ids }: Person, arrived: IdLogs, before: PersonNames): boolean =>
  before.get(root)?.ids === ids.length && ids.every((id) => before.get(id)?.root === root && !arrived.has(id));

const changedPersons = (
  project: number,
  others: readonly Person[],
  before: PersonNames,
  bounded: (person: Person) => Person,
): StateMap<"persons"> => {
  const rows = new Map<string, PersonRow | null>();
  // Whoever is gone is now part of a person that is another than before.
  for (const { ids } of others) for (const id of ids) if (before.get(id)?.root === id) rows.set(derivePersonId(project, id), null);
  for (const person of others) rows.set(derivePersonId(project, person.root), personRow(bounded(person)));
  return rows;
};

/** The ids whose person is another one than before: with that person, or null where it is their own again. */
const changedIds = (project: number, others: readonly Person[], before: PersonNames): StateMap<"distinctIds"> => {
  const changed = new Map<string, string | null>();
  for (const { root, ids } of others) {
    const personId = derivePersonId(project, root);
    for (const id of ids) if ((before.get(id)?.root ?? id) !== root) changed.set(id, id === root ? null : personId);
  }
  return changed;
};

const changedGroups = async (deltas: readonly Deltas[], state: StateLookup, counted: Counter): Promise<ReadonlyMap<string, GroupLog>> => {
  const arrived = groupLogs(deltas.flatMap(({ groups }) => groups));
  const stored = arrived.size === 0 ? new Map<string, GroupLog>() : await state.groups(new Set(arrived.keys()));
  return new Map([...arrived].map(([name, log]) => [name, counted.of(boundedGroup(joinGroups(stored.get(name), log)))]));
};
