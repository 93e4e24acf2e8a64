import { type OwnedEvidence, ownedBy, type PropertyOwner, type PropertyType, settledAs } from "../../../lib/lake/property-types.ts";

type Types = Iterable<readonly [name: string, type: PropertyType]>;

/** What very many events would say of properties of these types. */
export const evidenceFor = (types: Partial<Readonly<Record<PropertyOwner, Types>>>): OwnedEvidence =>
  ownedBy((owner) => new Map([...(types[owner] ?? [])].map(([name, type]) => [name, settledAs(type)])));
