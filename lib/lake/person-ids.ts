import { derivePersonId } from "../event/identity.ts";
import type { ReadParts } from "./catalogue/parts.ts";
import type { PinnedState } from "./catalogue.ts";
import { type IdLog, type IdLogs, joinLogs, mergeLogs } from "./persons/person-log.ts";
import { type Person, replay } from "./persons/person-replay.ts";
import { component, type StateLookup } from "./persons/state-changes.ts";
import { findRows } from "./persons/state-files.ts";
import { stateLookup } from "./persons/state-lookup.ts";
import { readDeltas } from "./persons/stored-deltas.ts";
import { pin } from "./pin.ts";

/** A person as they are known now, folded or not. */
export interface KnownPerson {
  readonly personId: string;
  /** All distinct_ids that are theirs. */
  readonly distinctIds: readonly string[];
  readonly properties: ReadonlyMap<string, unknown>;
}

/** Whom somebody means: by an id that events name, or by the person's own. */
export type PersonName = { readonly distinctId: string } | { readonly personId: string };

/**
 * The person that a name means. An id that events name without a person of its own is a person with this id alone; undefined for a
 * person's id that nobody has.
 */
export const findPerson = async (parts: ReadParts, project: number, name: PersonName): Promise<KnownPerson | undefined> => {
  const pinned = await pin(parts, project, null, { events: false, state: true });
  const arrived = mergeLogs(await Promise.all(pinned.waitingDeltas.map(({ deltas }) => readDeltas(parts.objects, deltas))));
  const id = "distinctId" in name ? name.distinctId : await rootOf(parts, project, name.personId, pinned, arrived);
  if (id === undefined) return undefined;
  const persons = replay(await component([id], withArrived(stateLookup(parts.objects, pinned.state), arrived)));
  const person = persons.find(({ ids }) => ids.includes(id));
  if (person !== undefined) return known(project, person);
  return { personId: derivePersonId(project, id), distinctIds: [id], properties: new Map() };
};

const known = (project: number, { root, ids, properties }: Person): KnownPerson => ({
  personId: derivePersonId(project, root),
  distinctIds: ids,
  properties,
});

/** The distinct_id whose hash a person's id is. */
const rootOf = async (
  parts: ReadParts,
  project: number,
  personId: string,
  { state }: PinnedState,
  arrived: IdLogs,
): Promise<string | undefined> => {
  const stored = await findRows(parts.objects, "persons", state?.persons ?? [], new Set([personId]));
  return stored.get(personId)?.distinct_id ?? [...arrived.keys()].find((id) => derivePersonId(project, id) === personId);
};

/** Looks logs up as a fold of everything that waits would leave them. */
const withArrived = (stored: StateLookup, arrived: IdLogs): Pick<StateLookup, "logs" | "tied"> => ({
  logs: async (ids) => joined(await stored.logs(ids), arrived, (id) => ids.has(id)),
  tied: async () => joined(await stored.tied(), arrived, () => true),
});

const joined = (stored: IdLogs, arrived: IdLogs, isAsked: (id: string) => boolean): IdLogs => {
  const logs = new Map<string, IdLog>(stored);
  for (const [id, log] of arrived) if (isAsked(id)) logs.set(id, joinLogs(stored.get(id), log));
  return logs;
};
