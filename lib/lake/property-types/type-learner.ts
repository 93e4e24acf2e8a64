import type { EventRow } from "../../event/event.ts";
import type { Fields } from "../../event/fields.ts";
import type { RowChange } from "../persons/row-changes.ts";
import { isAlwaysText, typeOfValue } from "./property-kinds.ts";
import { GROUP_OWNERS, type OwnedEvidence, ownedBy, ownedName, PROPERTY_OWNERS, type PropertyOwner } from "./property-owners.ts";
import { MAX_NAME_LENGTH } from "./property-quota.ts";
import type { PropertyTypes } from "./property-types.ts";
import { NO_EVIDENCE, settledAs, type TypeEvidence, withEvent } from "./type-evidence.ts";

/** Gathers what the events of a drain say of the types of properties, beyond what is known. */
export interface TypeLearner {
  /** `identity` is that of the event that has the properties. */
  see(owner: PropertyOwner, properties: Fields, identity: bigint): void;
  /** What was new, that of persons and groups in the drain's changes included; null for nothing. */
  learnt(changes: Iterable<readonly [Pick<EventRow, "identity">, RowChange]>): OwnedEvidence | null;
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
