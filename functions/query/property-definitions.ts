import { isoSeconds } from "../../lib/core/time.ts";
import { earnedBy, type NamedProperty, readEarned } from "../../lib/lake/earned-properties.ts";
import { readPropertyTypes } from "../../lib/lake/learn-types.ts";
import { GROUP_OWNERS } from "../../lib/lake/property-types.ts";
import type { Ports } from "../../lib/ports/ports.ts";
import type { OWNER_KINDS, PropertyDefinition } from "./definitions-wire.ts";
import { namesHolding } from "./search.ts";

export interface PropertyFilter {
  readonly type: (typeof OWNER_KINDS)[number];
  readonly group_type_index?: number | undefined;
  readonly search?: string | undefined;
}

/** The properties that a project's events have shown, of events, persons or groups, in order of their names: two reads of the table. */
export const propertyDefinitions = async (
  { table, clock }: Pick<Ports, "table" | "clock">,
  project: number,
  { type, group_type_index, search }: PropertyFilter,
): Promise<readonly PropertyDefinition[]> => {
  const [{ of }, named] = await Promise.all([readPropertyTypes(table, project), readEarned(table, project, clock.now())]);
  const earned = Map.groupBy(earnedBy(named, type), ({ property }) => property);
  const owners = type === "group" ? groupOwners(group_type_index) : [{ owner: type, slot: null }];
  const all = owners.flatMap(({ owner, slot }) =>
    Array.from(of[owner], ([name, property_type]) => ({
      name,
      type,
      group_type_index: slot,
      property_type,
      is_numerical: property_type === "Numeric",
      earned_columns: (earned.get(name) ?? []).map(wireColumn),
    })),
  );
  return namesHolding(all, search);
};

const wireColumn = ({ type, since, namedAt, namedBy }: NamedProperty) => ({
  type,
  since: isoSeconds(since),
  named_at: isoSeconds(namedAt),
  named_by: namedBy,
});

const groupOwners = (wanted: number | undefined) =>
  GROUP_OWNERS.map((owner, slot) => ({ owner, slot })).filter(({ slot }) => wanted === undefined || slot === wanted);
