import type { World } from "../../lib/app/world.ts";
import { EndpointVersions } from "../../lib/endpoints/saved-endpoints.ts";
import { treeRows } from "../../lib/endpoints/trial-runs.ts";
import { alias, call, field, from, select } from "../../lib/hogql/build.ts";
import { QueryError } from "../../lib/hogql/errors.ts";
import { knownType, type PropertyTypes } from "../../lib/lake/learn-types.ts";
import { ownedName, PROPERTY_OWNERS, type PropertyOwner, type PropertyType } from "../../lib/lake/property-types.ts";
import { strayType } from "../../lib/lake/stray-values.ts";
import * as store from "../../lib/table/store.ts";
import { whenFree } from "./when-free.ts";

/** A property with values that queries may read as NULL. */
export interface Misfit {
  readonly owner: PropertyOwner;
  readonly name: string;
  /** The type that saved queries keep of it, where it is another one than today's. */
  readonly keptType: PropertyType | null;
  /** Its values that do not fit the kept type, or today's; null where they are not counted. */
  readonly count: number | null;
}

type Project = { readonly id: number; readonly timezone: string };

/** Tables whose rows have an owner's properties; those of groups are not counted. */
const TABLES: Partial<Readonly<Record<PropertyOwner, string>>> = { event: "events", person: "persons" };

/** Properties that one query counts. */
const COUNTED_AT_ONCE = 50;

/** The properties of which values do not fit the type that versions of saved queries keep, or the one of today, with how many. */
export const findMisfits = async (world: World, project: Project, types: PropertyTypes): Promise<readonly Misfit[]> => {
  const kept = await keptTypes(world, project.id);
  const misfits: Misfit[] = [];
  for (const owner of PROPERTY_OWNERS) {
    const changed = [...types.of[owner].keys()].flatMap((name): readonly UncountedMisfit[] => {
      const today = knownType(types, owner, name);
      const keptType = kept.get(ownedName(owner, name));
      if (keptType !== undefined && keptType !== today) return [{ owner, name, keptType, type: keptType }];
      const type = strayType(types, owner, name);
      return type === undefined ? [] : [{ owner, name, keptType: null, type }];
    });
    for (let at = 0; at < changed.length; at += COUNTED_AT_ONCE)
      misfits.push(...(await counted(world, project, owner, changed.slice(at, at + COUNTED_AT_ONCE))));
  }
  return misfits;
};

/** The types that the project's versions were saved with. */
const keptTypes = async ({ table }: World, project: number): Promise<ReadonlyMap<string, PropertyType>> => {
  const kept = new Map<string, PropertyType>();
  for await (const versions of store.pages(table, EndpointVersions, "key", { project }))
    for (const { property_types } of versions)
      for (const [name, type] of Object.entries(property_types)) if (type !== "String") kept.set(name, type);
  return kept;
};

/** `type` is the one that its values are to fit. */
interface UncountedMisfit extends Omit<Misfit, "count"> {
  readonly type: PropertyType;
}

const counted = async (
  world: World,
  project: Project,
  owner: PropertyOwner,
  changed: readonly UncountedMisfit[],
): Promise<readonly Misfit[]> => {
  const table = TABLES[owner];
  const withCounts = (countAt: (at: number) => number | null): readonly Misfit[] =>
    changed.map(({ name, keptType }, at) => ({ owner, name, keptType, count: countAt(at) }));
  if (table === undefined) return withCounts(() => null);
  const columns = changed.map(({ name }, at) => alias(`c${at}`, call("count", field("properties", name))));
  const ast = select(columns, { from: from(table) });
  const countsAs = async (typeFor: (uncounted: UncountedMisfit) => PropertyType): Promise<readonly unknown[]> => {
    const types = Object.fromEntries(changed.map((each) => [ownedName(owner, each.name), typeFor(each)]));
    const { rows } = await whenFree(() => treeRows(world, project, { text: "", ast, types }));
    return Object.values(rows[0] ?? []);
  };
  try {
    const [all, fitting] = [await countsAs(() => "String"), await countsAs(({ type }) => type)];
    return withCounts((at) => Number(all[at]) - Number(fitting[at]));
  } catch (thrown) {
    // So many events that one run cannot count them.
    if (thrown instanceof QueryError) return withCounts(() => null);
    throw thrown;
  }
};
