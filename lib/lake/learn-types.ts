import { DAY_MS } from "../core/time.ts";
import { Defect } from "../core/unreachable.ts";
import type { EventRow } from "../event/event.ts";
import type { Fields } from "../event/fields.ts";
import type { Key, Table } from "../ports/table.ts";
import { keyIn } from "../table/partitions.ts";
import { putRevision } from "../table/revision.ts";
import { isAlwaysText, typeOfValue } from "./property-types/property-kinds.ts";
import { isClosed, isConfirmed, isCrowded, MAX_NAME_LENGTH, type QuotaOutcome, withLearnt } from "./property-types/property-quota.ts";
import { decodeTypes, encodeTypes, NOTHING_STORED, type StoredTypes } from "./property-types/stored-types.ts";
import { mergedMarks, readMarks, type TypeMarks } from "./property-types/type-marks.ts";
import {
  GROUP_OWNERS,
  NO_EVIDENCE,
  type OwnedEvidence,
  type OwnedTypes,
  ownedBy,
  ownedName,
  PROPERTY_OWNERS,
  type PropertyOwner,
  type PropertyType,
  settledAs,
  type TypeEvidence,
  withEvent,
} from "./property-types.ts";

/** The types of a project's properties, as far as its events have told them. */
export interface PropertyTypes {
  readonly of: OwnedTypes;
  /** Events' evidence for the types of names that are not settled. */
  readonly open: OwnedEvidence;
  /** Names may be evicted: those that queries ask for have to be marked. */
  readonly isCrowded: boolean;
  /** Properties that are marked, where names may be evicted. */
  readonly used: TypeMarks;
}

/** The type of a property. One that is not known, or never had a value, has none: it reads as text. */
export const knownType = (types: PropertyTypes, owner: PropertyOwner, name: string): PropertyType | undefined => types.of[owner].get(name);

/** A project's types as one consistent read finds them. */
export const readPropertyTypes = async (table: Table, project: number): Promise<PropertyTypes> =>
  asPropertyTypes(await withOthersMarks(table, project, decodeTypes(await table.get(itemKey(project), { consistent: true }))));

/** What is stored, with the marks that queries wrote beside it, which count where it is crowded. */
const withOthersMarks = async (table: Table, project: number, stored: StoredTypes): Promise<StoredTypes> =>
  isCrowded(stored) ? { ...stored, used: mergedMarks(stored.used, await readMarks(table, project)) } : stored;

/** What was learnt, and what a writer may now take for known: names that have to be said to be seen again are left out. */
export interface LearningOutcome extends Omit<QuotaOutcome, "stored"> {
  readonly types: PropertyTypes;
  /** Unknown names need not be looked at on this day. */
  readonly isClosed: boolean;
}

/**
 * Adds what events said to what is stored. Writes only when something is new: a name, an event for or against a type that is not
 * settled, or, where a project has very many, the day on which it was seen. `now` in milliseconds.
 */
export const learnPropertyTypes = async (table: Table, project: number, learnt: OwnedEvidence, now: number): Promise<LearningOutcome> => {
  const day = dayAt(now);
  const { stored, rejected, unnoted, evicted } = await changeTypes(table, project, (before) => withLearnt(before, learnt, day));
  const types = isCrowded(stored) ? asPropertyTypes(confirmed(stored, day)) : asPropertyTypes(stored);
  return { types, isClosed: isClosed(stored, day), rejected, unnoted, evicted };
};

/** A race for the item is lost to a writer that learnt something, and one of them wins each round. */
const TRIES = 50;

/** Writes what `change` makes of the types, unless it changes nothing; returns what it came to. */
const changeTypes = async (table: Table, project: number, change: (before: StoredTypes) => QuotaOutcome): Promise<QuotaOutcome> => {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const item = await table.get(itemKey(project), { consistent: true });
    const own = decodeTypes(item);
    const before = await withOthersMarks(table, project, own);
    const outcome = change(before);
    // The marks that lie elsewhere stay there.
    if (
      outcome.stored === before ||
      (await putRevision(table, item, { ...itemKey(project), ...encodeTypes({ ...outcome.stored, used: own.used }) }))
    )
      return outcome;
  }
  throw new Defect(`the property types of project ${project} could not be written in ${TRIES} tries`);
};

const itemKey = (project: number): Key => keyIn("lake", "types", { project });

export const dayAt = (now: number): number => Math.floor(now / DAY_MS);

const asPropertyTypes = (stored: StoredTypes): PropertyTypes => ({
  of: ownedBy((owner) => new Map([...stored.names[owner]].map(([name, { type }]) => [name, type]))),
  open: ownedBy(
    (owner) => new Map([...stored.names[owner]].flatMap(([name, { evidence }]) => (evidence === null ? [] : [[name, evidence]]))),
  ),
  isCrowded: isCrowded(stored),
  used: stored.used,
});

const confirmed = (stored: StoredTypes, day: number): StoredTypes => ({
  ...stored,
  names: ownedBy((owner) => new Map([...stored.names[owner]].filter(([, { seen }]) => isConfirmed(seen, day)))),
});

export const NO_TYPES: PropertyTypes = Object.freeze(asPropertyTypes(NOTHING_STORED));

/** What an event changes of persons and groups, as far as it says types. */
export interface ChangedProperties {
  readonly person: { readonly set: Fields | null; readonly setOnce: Fields | null } | null;
  readonly group: { readonly slot: number; readonly set: Fields } | null;
}

/** Gathers what the events of a drain say of the types of properties, beyond what is known. */
export interface TypeLearner {
  /** `identity` is that of the event that has the properties. */
  see(owner: PropertyOwner, properties: Fields, identity: bigint): void;
  /** What was new, that of persons and groups in the drain's changes included; null for nothing. */
  learnt(changes: Iterable<readonly [Pick<EventRow, "identity">, ChangedProperties]>): OwnedEvidence | null;
}

/** Unknown names that one drain looks at: any number of them may be sent, and this is far more than a project has room for at once. */
const MAX_UNKNOWN = 5_000;

/** With `isClosed`, unknown names are looked at only where queries ask for them: the project takes no others today. */
export const typeLearner = (known: PropertyTypes, options: { readonly isClosed?: boolean } = {}): TypeLearner => {
  const fresh = ownedBy(() => new Map<string, TypeEvidence>());
  let room = options.isClosed ? 0 : MAX_UNKNOWN;
  const mayBeNew = (owner: PropertyOwner, name: string): boolean => {
    if (name.length > MAX_NAME_LENGTH) return false;
    if (room > 0) room -= 1;
    else if (!known.used.has(ownedName(owner, name))) return false;
    return true;
  };
  /** Runs for every property of every event: two look-ups where nothing is new. */
  const see = (owner: PropertyOwner, properties: Fields, identity: bigint): void => {
    const types = known.of[owner];
    const open = known.open[owner];
    for (const name in properties) {
      const type = types.get(name);
      if (type === "String" && !open.has(name)) continue;
      const seen = typeOfValue(properties[name]);
      if (seen === null || (seen === type && !open.has(name))) continue;
      const before = fresh[owner].get(name) ?? open.get(name) ?? (type === undefined ? undefined : settledAs(type));
      if (before === undefined && !mayBeNew(owner, name)) continue;
      const next = isAlwaysText(name) ? settledAs("String") : withEvent(before ?? NO_EVIDENCE, seen, identity);
      if (next !== before) fresh[owner].set(name, next);
    }
  };
  return {
    see,
    learnt(changes) {
      for (const [{ identity }, { person, group }] of changes) {
        if (person?.set) see("person", person.set, identity);
        if (person?.setOnce) see("person", person.setOnce, identity);
        if (group) see(GROUP_OWNERS[group.slot] ?? GROUP_OWNERS[0], group.set, identity);
      }
      return PROPERTY_OWNERS.every((owner) => fresh[owner].size === 0) ? null : fresh;
    },
  };
};
