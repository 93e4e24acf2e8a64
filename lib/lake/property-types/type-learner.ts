import type { Fields } from "../../event/fields.ts";
import type { RowChange } from "../persons/row-changes.ts";
import { isAlwaysText, type PropertyType, typeOfValue, united } from "./property-kinds.ts";
import { GROUP_OWNERS, type OwnedTypes, ownedBy, ownedName, PROPERTY_OWNERS, type PropertyOwner } from "./property-owners.ts";
import { MAX_NAME_LENGTH } from "./property-room.ts";
import type { PropertyTypes } from "./property-types.ts";

/** Gathers what the events of a drain say of the types of properties, beyond what is known. */
export interface TypeLearner {
  see(owner: PropertyOwner, properties: Fields): void;
  /** What was new, that of persons and groups in the drain's changes included; null for nothing. */
  learnt(changes: Iterable<RowChange>): OwnedTypes | null;
}

/** Unknown names that one drain looks at: any number of them may be sent, and this is far more than a project has room for at once. */
const MAX_UNKNOWN = 5_000;

/** With `isClosed`, unknown names are looked at only where queries ask for them: the project takes no others today. */
export const typeLearner = (known: PropertyTypes, options: { readonly isClosed?: boolean } = {}): TypeLearner => {
  const fresh = ownedBy(() => new Map<string, PropertyType>());
  let room = options.isClosed ? 0 : MAX_UNKNOWN;
  const mayBeNew = (owner: PropertyOwner, name: string): boolean => {
    if (name.length > MAX_NAME_LENGTH) return false;
    if (room > 0) room -= 1;
    else if (!known.used.has(ownedName(owner, name))) return false;
    return true;
  };
  /** Runs for every property of every event: one look-up where nothing is new. */
  const see = (owner: PropertyOwner, properties: Fields): void => {
    const types = known.of[owner];
    for (const name in properties) {
      const type = types.get(name);
      if (type === "String") continue;
      const seen = typeOfValue(properties[name]);
      if (seen === null || seen === type) continue;
      const before = fresh[owner].get(name) ?? type;
      if (before === undefined && !mayBeNew(owner, name)) continue;
      fresh[owner].set(name, isAlwaysText(name) ? "String" : before === undefined ? seen : united(before, seen));
    }
  };
  return {
    see,
    learnt(changes) {
      for (const { person, group } of changes) {
        if (person?.set) see("person", person.set);
        if (person?.setOnce) see("person", person.setOnce);
        if (group) see(GROUP_OWNERS[group.slot] ?? GROUP_OWNERS[0], group.set);
      }
      return PROPERTY_OWNERS.every((owner) => fresh[owner].size === 0) ? null : fresh;
    },
  };
};
