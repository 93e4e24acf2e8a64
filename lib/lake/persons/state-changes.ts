import { jsonText } from "../../event/hot.ts";
import { personIdOf } from "../../event/identity.ts";
import { type Bounded, boundedGroup, boundedLog, boundedPerson } from "./bounds.ts";
import type { Deltas } from "./deltas.ts";
import { type GroupLog, groupLogsOf, joinGroups } from "./group-log.ts";
import { type IdLog, type IdLogs, joinLogs, logsOf, neighbours } from "./person-log.ts";
import { type Person, replay } from "./person-replay.ts";
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
  const arrived = logsOf(deltas);
  const stored = await component(arrived.keys(), state);
  // Of what was there only the keys count: a component may be large, and its rows need not be held twice.
  const before = keysOf(project, replay(stored));
  const joined = new Map<string, IdLog>();
  const counted = counter();
  for (const [id, log] of stored) joined.set(id, counted.of(boundedLog(log)));
  for (const [id, log] of arrived) joined.set(id, counted.of(boundedLog(joinLogs(joined.get(id), log))));
  const persons = replay(joined).map((person) => counted.of(boundedPerson(person, joined)));
  const after = view(project, persons);
  const history = new Map([...arrived.keys()].map((id): [string, IdLog | null] => [id, joined.get(id) ?? null]));
  const changes = {
    persons: replacing(before.persons, after.persons),
    distinctIds: replacing(before.distinctIds, after.distinctIds),
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

/** Persons by their id, and the ids whose person is not their own hash. */
const view = (project: number, persons: readonly Person[]) => {
  const rows = new Map<string, PersonRow | null>();
  const distinctIds = new Map<string, string | null>();
  for (const person of persons) {
    const personId = personIdOf(project, person.root);
    rows.set(personId, rowOf(person));
    for (const id of person.ids) if (id !== person.root) distinctIds.set(id, personId);
  }
  return { persons: rows, distinctIds };
};

const rowOf = ({ root, createdAt, lastSeen, isIdentified, properties }: Person): PersonRow => ({
  distinct_id: root,
  created_at: createdAt,
  properties: jsonText(Object.fromEntries([...properties].sort(([a], [b]) => (a < b ? -1 : 1)))),
  is_identified: isIdentified,
  last_seen_at: lastSeen,
});

const keysOf = (project: number, persons: readonly Person[]) => ({
  persons: persons.map(({ root }) => personIdOf(project, root)),
  distinctIds: persons.flatMap(({ root, ids }) => ids.filter((id) => id !== root)),
});

/** The rows after, and null for each of those before that is no longer there. */
const replacing = <T>(before: readonly string[], after: Map<string, T | null>): ReadonlyMap<string, T | null> => {
  for (const key of before) if (!after.has(key)) after.set(key, null);
  return after;
};

const changedGroups = async (deltas: readonly Deltas[], state: StateLookup, counted: Counter): Promise<ReadonlyMap<string, GroupLog>> => {
  const arrived = groupLogsOf(deltas.flatMap(({ groups }) => groups));
  const stored = arrived.size === 0 ? new Map<string, GroupLog>() : await state.groups(new Set(arrived.keys()));
  return new Map([...arrived].map(([name, log]) => [name, counted.of(boundedGroup(joinGroups(stored.get(name), log)))]));
};
