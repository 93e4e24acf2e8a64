import { QueryError } from "../../hogql/errors.ts";
import { ownedName, type PropertyOwner, type PropertyType } from "../../lake/property-types.ts";
import { type MadeWithTypes, type TypeLookup, type WantedType, withPropertyTypes } from "../../lake/query-types.ts";
import { ConditionFailed, type Table } from "../../ports/table.ts";
import { update } from "../../table/store.ts";
import { type EndpointVersion, EndpointVersions } from "../saved-endpoints.ts";

/** Types of properties by `ownedName`. */
export type VersionTypes = Readonly<Record<string, PropertyType>>;

/** The types among what was looked up. */
export const typesIn = (lookups: readonly TypeLookup[]): VersionTypes =>
  Object.fromEntries(lookups.flatMap(([owner, name, type]) => (type === null ? [] : [[ownedName(owner, name), type] as const])));

/** A value made with types, and those among them that the version has not yet; null where it has all. */
export interface MadeForVersion<T> {
  readonly made: T;
  readonly learnt: VersionTypes | null;
}

type Make<T> = (propertyType: (owner: PropertyOwner, name: string) => PropertyType | undefined) => T;

/**
 * Makes something with the types that a version has: those of today are read only for properties of which it has none. What the types
 * of a version are says the moment of its saving, so that no value that comes later makes its query mean something else.
 */
export const withVersionTypes = async <T>(
  table: Table,
  { project, now, own }: { readonly project: number; readonly now: number; readonly own: VersionTypes },
  wanted: readonly WantedType[],
  make: Make<T>,
): Promise<MadeForVersion<T>> => {
  const known = alone(own, make);
  if (known !== undefined) return { made: known(), learnt: null };
  const look = (typed: Make<T>) => withPropertyTypes(table, project, now, wanted, (today) => typed(ownFirst(own, today)));
  const { made, lookups } = await withExpectedTypes(look, make);
  const learnt = typesIn(lookups);
  return { made, learnt: Object.keys(learnt).length === 0 ? null : learnt };
};

/** In this order: a number compares with most things, also with true and false. */
const GUESSES = ["Numeric", "Boolean", "DateTime"] as const;

/**
 * Makes something before the first event has told the types of its properties: where it cannot be made of texts, they have the type that
 * it can be made of. No event has a value to be misread, so its answer is that of no events rather than an error about types.
 */
const withExpectedTypes = async <T>(look: (make: Make<T>) => Promise<MadeWithTypes<T>>, make: Make<T>): Promise<MadeWithTypes<T>> => {
  try {
    return await look(make);
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return look((today) => guessed(today, make, error));
  }
};

const guessed = <T>(today: Parameters<Make<T>>[0], make: Make<T>, failure: QueryError): T => {
  for (const guess of GUESSES) {
    try {
      return make((owner, name) => today(owner, name) ?? guess);
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
    }
  }
  throw failure;
};

const ownFirst =
  (own: VersionTypes, today: Parameters<Make<unknown>>[0]): Parameters<Make<unknown>>[0] =>
  (owner, name) =>
    own[ownedName(owner, name)] ?? today(owner, name);

/** What is made, or thrown, with the version's own types; undefined where it asks for others. */
const alone = <T>(own: VersionTypes, make: Make<T>): (() => T) | undefined => {
  let asksMore = false;
  const attempt = ownFirst(own, () => {
    asksMore = true;
    return undefined;
  });
  try {
    const made = make(attempt);
    return asksMore ? undefined : () => made;
  } catch (thrown) {
    if (asksMore) return undefined;
    return () => {
      throw thrown;
    };
  }
};

/** Keeps first types with their version, for good. Losing them costs a look-up at the next run. */
export const keepFirstTypes = async (table: Table, version: EndpointVersion, learnt: VersionTypes): Promise<EndpointVersion> => {
  const { project, endpoint_id, version: number } = version;
  const property_types = { ...learnt, ...version.property_types };
  try {
    await update(table, EndpointVersions, { project, endpoint_id, version: number }, { set: { property_types } });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
  return { ...version, property_types };
};
