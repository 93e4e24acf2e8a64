import { knownType, type PropertyTypes } from "./learn-types.ts";
import { isMixed, PROPERTY_OWNERS, type PropertyOwner, type PropertyType, strayEvents } from "./property-types.ts";

/** A property of which some values are not of the type that queries take them for, so that they read as NULL. */
export interface StrayProperty {
  readonly owner: PropertyOwner;
  readonly name: string;
  readonly type: PropertyType;
  /** Events that had such a value, at least: few are counted, because few decide the type. */
  readonly events: number;
}

/** The type of a property that some of its values do not fit, as what is known of the types tells without a look at any event. */
export const strayType = (types: PropertyTypes, owner: PropertyOwner, name: string): PropertyType | undefined => {
  const type = knownType(types, owner, name);
  const evidence = types.open[owner].get(name);
  return type !== undefined && type !== "String" && evidence !== undefined && isMixed(evidence) ? type : undefined;
};

/** Every property with such values, those of most events first. */
export const strayProperties = (types: PropertyTypes): readonly StrayProperty[] =>
  PROPERTY_OWNERS.flatMap((owner) =>
    [...types.open[owner]].flatMap(([name, evidence]): readonly StrayProperty[] => {
      const type = strayType(types, owner, name);
      return type === undefined ? [] : [{ owner, name, type, events: strayEvents(evidence, type) }];
    }),
  ).toSorted((a, b) => b.events - a.events);
