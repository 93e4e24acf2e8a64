import type { PropertyType } from "../../../lib/lake/property-types/property-kinds.ts";
import { type OwnedEvidence, ownedBy, type PropertyOwner } from "../../../lib/lake/property-types/property-owners.ts";
import { settledAs } from "../../../lib/lake/property-types/type-evidence.ts";

type Types = Iterable<readonly [name: string, type: PropertyType]>;

/** What very many events would say of properties of these types. */
export const evidenceFor = (types: Partial<Readonly<Record<PropertyOwner, Types>>>): OwnedEvidence =>
  ownedBy((owner) => new Map([...(types[owner] ?? [])].map(([name, type]) => [name, settledAs(type)])));
