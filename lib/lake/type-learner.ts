import type { Deltas } from "./deltas.ts";
import type { Fields } from "./fields.ts";
import { isAlwaysText, type PropertyType, typeOfValue, united } from "./property-kinds.ts";
import {
  GROUP_OWNERS,
  MAX_NAME_LENGTH,
  type OwnedTypes,
  ownedBy,
  PROPERTY_OWNERS,
  type PropertyOwner,
  type PropertyTypes,
} from "./property-types.ts";

/** Gathers what the events of a drain say of the types of properties, beyond what is known. */
export interface TypeLearner {
  see(owner: PropertyOwner, properties: Fields): void;
  /** What was new, that of persons and groups in the drain's deltas included; null for nothing. */
  learnt(deltas: Deltas): OwnedTypes | null;
}

export const typeLearner = (known: PropertyTypes): TypeLearner => {
  const fresh = ownedBy(() => new Map<string, PropertyType>());
  /** Runs for every property of every event: one look-up where nothing is new. */
  const see = (owner: PropertyOwner, properties: Fields): void => {
    const types = known.of[owner];
    for (const name in properties) {
      const type = types.get(name);
      if (type === "String") continue;
      const seen = typeOfValue(properties[name]);
      if (seen === null || seen === type || (type === undefined && (known.isFull || name.length > MAX_NAME_LENGTH))) continue;
      const before = fresh[owner].get(name) ?? type;
      fresh[owner].set(name, isAlwaysText(name) ? "String" : before === undefined ? seen : united(before, seen));
    }
  };
  return {
    see,
    learnt({ persons, groups }) {
      for (const { set, setOnce } of persons) {
        if (set !== null) see("person", set);
        if (setOnce !== null) see("person", setOnce);
      }
      for (const { slot, set } of groups) see(GROUP_OWNERS[slot] ?? GROUP_OWNERS[0], set);
      return PROPERTY_OWNERS.every((owner) => fresh[owner].size === 0) ? null : fresh;
    },
  };
};
