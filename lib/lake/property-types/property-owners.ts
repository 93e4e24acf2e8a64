import type { PropertyType } from "./property-kinds.ts";
import type { TypeEvidence } from "./type-evidence.ts";

/** Whose property it is; groups by slot. */
export const GROUP_OWNERS = ["group_0", "group_1", "group_2", "group_3", "group_4"] as const;
export const PROPERTY_OWNERS = ["event", "person", ...GROUP_OWNERS] as const;
export type PropertyOwner = (typeof PROPERTY_OWNERS)[number];

/** Types by name, of each owner. */
export type TypesByName = ReadonlyMap<string, PropertyType>;
export type OwnedTypes = Readonly<Record<PropertyOwner, TypesByName>>;

/** What events said of types by name, of each owner. */
export type OwnedEvidence = Readonly<Record<PropertyOwner, ReadonlyMap<string, TypeEvidence>>>;

/** A property as one text. */
export const ownedName = (owner: PropertyOwner, name: string): string => `${owner}:${name}`;

/** Bytes of a name as an item writes it: half a character or a control character takes six of them there. */
export const nameBytes = (name: string): number => Buffer.byteLength(JSON.stringify(name));

/** One value for each owner. */
export const ownedBy = <T>(make: (owner: PropertyOwner) => T): Record<PropertyOwner, T> => ({
  event: make("event"),
  person: make("person"),
  group_0: make("group_0"),
  group_1: make("group_1"),
  group_2: make("group_2"),
  group_3: make("group_3"),
  group_4: make("group_4"),
});
