import { cache, perOwner } from "../core/cache.ts";
import { isYoung } from "../core/time.ts";
import type { Table } from "../ports/table.ts";
import { dayAt, knownType, NO_TYPES, type PropertyTypes, readPropertyTypes } from "./learn-types.ts";
import { markTypes, needsMark } from "./property-types/type-marks.ts";
import { ownedName, type PropertyOwner, type PropertyType } from "./property-types.ts";

/** What a query found when it looked up the type of a property that it names; null where that has none. */
export type TypeLookup = readonly [owner: PropertyOwner, name: string, type: PropertyType | null];

/** A value made with types, and the types it was made with: the result of a query depends on these and on no others. */
export interface MadeWithTypes<T> {
  readonly made: T;
  /** Sorted. */
  readonly lookups: readonly TypeLookup[];
}

/** A type rarely changes once some events told it: a process may go on with what it read for this long. */
const KEPT_MS = 10_000;
/** A property without a type may have had its first value just now: it is looked up again after this. */
const UNKNOWN_KEPT_MS = 1_000;
const PROJECTS_KEPT = 200;

/** The types of a project as they were read. */
interface TypesRead {
  readonly value: PropertyTypes;
  /** Milliseconds since 1970. */
  readonly readAt: number;
}

const typesMemory = perOwner((_: Table) => cache<number, TypesRead>({ capacity: PROJECTS_KEPT }));

/** A property whose type may be asked for, of one of these owners. */
export interface WantedType {
  readonly name: string;
  readonly owners: readonly PropertyOwner[];
}

/**
 * Makes something with the types of a project's properties, such as a lowered query; `wanted` is all that it may ask for. They are
 * read first where the process does not remember them. `now` in milliseconds.
 */
export const withPropertyTypes = async <T>(
  table: Table,
  project: number,
  now: number,
  wanted: readonly WantedType[],
  make: (propertyType: (owner: PropertyOwner, name: string) => PropertyType | undefined) => T,
): Promise<MadeWithTypes<T>> => {
  const kept = keptTypes(table, project, now, wanted);
  const remembered = kept && attempt(kept, make);
  const { types, lookups, result } =
    remembered === undefined || mayHaveCome(remembered) ? attempt(await typesNow(table, project, now), make) : remembered;
  await keepTypes(table, project, lookups, types, now);
  return result();
};

const keptTypes = (table: Table, project: number, now: number, wanted: readonly WantedType[]): PropertyTypes | undefined => {
  const kept = typesMemory(table).get(project);
  if (wanted.length === 0) return kept?.value ?? NO_TYPES;
  return kept !== undefined && isSettled(wanted, kept, now) ? kept.value : undefined;
};

/** What failed may have failed for want of a type that has come meanwhile. */
const mayHaveCome = ({ failed, lookups }: Attempt<unknown>): boolean => failed && lookups.some(([, , type]) => type === null);

const typesNow = async (table: Table, project: number, now: number): Promise<PropertyTypes> => {
  const types = await readPropertyTypes(table, project);
  typesMemory(table).set(project, { value: types, readAt: now });
  return types;
};

/** Where names are evicted, those that queries ask for are not, also those that have no type yet. */
const keepTypes = async (
  table: Table,
  project: number,
  lookups: readonly TypeLookup[],
  { isCrowded, used }: PropertyTypes,
  now: number,
): Promise<void> => {
  if (!isCrowded) return;
  const names = lookups.map(([owner, name]) => ownedName(owner, name)).filter((name) => needsMark(used, name, dayAt(now)));
  if (names.length === 0) return;
  try {
    await markTypes(table, project, names, dayAt(now));
  } catch {
    // The query is worth more than the mark, which the next one makes.
  }
};

const isSettled = (wanted: readonly WantedType[], { value, readAt }: TypesRead, now: number): boolean => {
  const isTyped = ({ name, owners }: WantedType): boolean => owners.every((owner) => knownType(value, owner, name) !== undefined);
  return isYoung(readAt, UNKNOWN_KEPT_MS, now) || (isYoung(readAt, KEPT_MS, now) && wanted.every(isTyped));
};

interface Attempt<T> {
  readonly types: PropertyTypes;
  readonly failed: boolean;
  readonly lookups: readonly TypeLookup[];
  /** Throws what `make` threw. */
  result(): MadeWithTypes<T>;
}

const attempt = <T>(types: PropertyTypes, make: Parameters<typeof withPropertyTypes<T>>[4]): Attempt<T> => {
  const answers = new Map<string, TypeLookup>();
  const propertyType = (owner: PropertyOwner, name: string): PropertyType | undefined => {
    const type = knownType(types, owner, name);
    answers.set(ownedName(owner, name), [owner, name, type ?? null]);
    return type;
  };
  const { failed, outcome } = settle(() => make(propertyType));
  const lookups = [...answers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, answer]) => answer);
  return { types, failed, lookups, result: () => ({ made: outcome(), lookups }) };
};

const settle = <T>(make: () => T): { readonly failed: boolean; outcome(): T } => {
  try {
    const made = make();
    return { failed: false, outcome: () => made };
  } catch (thrown) {
    return {
      failed: true,
      outcome: () => {
        throw thrown;
      },
    };
  }
};
