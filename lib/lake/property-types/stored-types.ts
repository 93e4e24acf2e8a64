import { isReadable, writtenVersion } from "../../core/formats.ts";
import { pack, unpack } from "../../core/pack.ts";
import { Defect } from "../../core/unreachable.ts";
import type { Item } from "../../ports/table.ts";
import { decodeFilter, EMPTY_FILTER, encodeFilter, type NameFilter } from "../catalogue/name-filter.ts";
import {
  isSettled,
  ownedBy,
  PROPERTY_OWNERS,
  type PropertyOwner,
  type PropertyType,
  type TypeEvidence,
  typeOfEvidence,
} from "../property-types.ts";

/** A property that has a type. `seen`: a UTC day on which events had it, the last one or a few days before it. */
export interface KnownProperty {
  readonly type: PropertyType;
  readonly seen: number;
  /** Events' evidence for its type; null once that is settled. */
  readonly evidence: TypeEvidence | null;
}

export const knownBy = (evidence: TypeEvidence, seen: number): KnownProperty => ({
  type: typeOfEvidence(evidence),
  seen,
  evidence: isSettled(evidence) ? null : evidence,
});

/** The item of a project's property types. Days are UTC days since 1970. */
export interface StoredTypes {
  readonly names: Readonly<Record<PropertyOwner, ReadonlyMap<string, KnownProperty>>>;
  /** Properties that queries asked for, as `ownedName` writes them, and the day on which that was marked. */
  readonly used: ReadonlyMap<string, number>;
  /** What a day added: names and their bytes, and names without room that were noted. */
  readonly today: { readonly day: number; readonly names: number; readonly bytes: number; readonly noted: number };
  /** Names that were evicted, and names without room, with the type that it had (`lostName`). */
  readonly lost: NameFilter;
}

const NO_NAMES: ReadonlyMap<string, KnownProperty> = new Map();

export const NOTHING_STORED: StoredTypes = Object.freeze({
  names: ownedBy(() => NO_NAMES),
  used: new Map(),
  today: { day: 0, names: 0, bytes: 0, noted: 0 },
  lost: EMPTY_FILTER,
});

/** Version of the item; readers accept this one, the one after, and the one before, which had no days. */
const TYPES_FORMAT = 2;

/** Sorted names by owner, type and day: most of an item is names, and they compress best that way. */
interface Body {
  readonly names: Partial<Record<PropertyOwner, Partial<Record<PropertyType, Readonly<Record<string, readonly string[]>>>>>>;
  readonly used: readonly (readonly [name: string, day: number])[];
  readonly today: StoredTypes["today"];
  /** Names whose types are not settled; bodies of programs that settled each at once have none. */
  readonly open?: Partial<Record<PropertyOwner, readonly OpenName[]>>;
}

/** A name, and its sketches. */
type OpenName = readonly [name: string, text: number, numeric: number, boolean: number, datetime: number];

/** The body of the version before. */
interface FirstBody {
  readonly names: Partial<Record<PropertyOwner, Partial<Record<PropertyType, readonly string[]>>>>;
}

const TYPES = ["String", "Numeric", "Boolean", "DateTime"] as const satisfies readonly PropertyType[];

export const encodeTypes = ({ names, used, today, lost }: StoredTypes): Pick<Item, "v" | "body" | "lost"> => {
  const open = Object.fromEntries(PROPERTY_OWNERS.map((owner) => [owner, openNames(names[owner])]));
  const body: Body = { names: namesBody(names), used: [...used], today, open };
  return { v: writtenVersion(TYPES_FORMAT), body: pack(body), lost: encodeFilter(lost) };
};

const openNames = (names: ReadonlyMap<string, KnownProperty>): readonly OpenName[] =>
  [...names].flatMap(([name, { evidence }]) =>
    evidence === null ? [] : [[name, evidence.String, evidence.Numeric, evidence.Boolean, evidence.DateTime] as const],
  );

const namesBody = (names: StoredTypes["names"]): Body["names"] => {
  const owners: Body["names"] = {};
  for (const owner of PROPERTY_OWNERS) {
    const sorted = [...names[owner]].sort(byName);
    const typed: Body["names"][PropertyOwner] = {};
    for (const type of TYPES) {
      const days = Map.groupBy(
        sorted.filter(([, known]) => known.type === type),
        ([, { seen }]) => String(seen),
      );
      if (days.size > 0) typed[type] = Object.fromEntries([...days].map(([day, own]) => [day, own.map(([name]) => name)]));
    }
    owners[owner] = typed;
  }
  return owners;
};

export const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0);

/** What an item says; names of the version before count as seen on day 0. Throws a `Defect` for a version that this program does not know. */
export const decodeTypes = (item: Item | undefined): StoredTypes => {
  if (item === undefined) return NOTHING_STORED;
  if (!isReadable(item.v, TYPES_FORMAT) || !(item.body instanceof Uint8Array)) {
    throw new Defect("the property types have a format that this version does not know");
  }
  const { names, used, today, open = {} } = item.v === 1 ? withDays(written<FirstBody>(item.body)) : written<Body>(item.body);
  return {
    names: ownedBy((owner) => mergeNames(names[owner] ?? {}, open[owner] ?? [])),
    used: new Map(used),
    today,
    lost: decodeFilter(item.lost),
  };
};

const mergeNames = (typed: NonNullable<Body["names"][PropertyOwner]>, open: readonly OpenName[]): ReadonlyMap<string, KnownProperty> => {
  const names = new Map(
    TYPES.flatMap((type) =>
      Object.entries(typed[type] ?? {}).flatMap(([day, own]) => {
        const known: KnownProperty = { type, seen: Number(day), evidence: null };
        return own.map((name) => [name, known] as const);
      }),
    ),
  );
  for (const [name, text, numeric, boolean, datetime] of open) {
    const known = names.get(name);
    const evidence = { String: text, Numeric: numeric, Boolean: boolean, DateTime: datetime };
    if (known !== undefined) names.set(name, { ...known, evidence });
  }
  return names;
};

const withDays = ({ names }: FirstBody): Body => {
  const owners: Body["names"] = {};
  for (const owner of PROPERTY_OWNERS) {
    const typed = names[owner];
    if (typed) owners[owner] = Object.fromEntries(TYPES.flatMap((type) => (typed[type] ? [[type, { "0": typed[type] }]] : [])));
  }
  return { names: owners, used: [], today: NOTHING_STORED.today };
};

/** Only `encodeTypes`, of this version or the one before, writes the body, so it has this shape. */
const written = <T>(body: Uint8Array): T => unpack(body) as T;
