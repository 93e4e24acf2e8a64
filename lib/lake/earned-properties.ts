import { cache, perOwner } from "../core/cache.ts";
import { isReadable, writtenVersion } from "../core/formats.ts";
import { pack, unpack } from "../core/pack.ts";
import { DAY_MS, MINUTE_MS } from "../core/time.ts";
import { Defect } from "../core/unreachable.ts";
import type { EarnedProperty, StateOwner } from "../event/earned-properties.ts";
import { ConditionFailed, type Item, type Key, type Table } from "../ports/table.ts";
import { keyIn } from "../table/partitions.ts";
import { MAX_NAME_LENGTH } from "./property-types/property-quota.ts";

/** A property that has earned a column. Times in milliseconds since 1970. */
export interface NamedProperty extends EarnedProperty {
  readonly since: number;
  /** When a query last named it, to the day. */
  readonly namedAt: number;
  /** Which query that was, as people read it. */
  readonly namedBy: string;
}

/** What is said of properties that the table of a saved query is made with. */
export const NAMED_BY_TABLE = "the table of a saved query";

/** Most properties of a project that have a column at a time: of its events, of its persons and of its groups. */
export const MAX_EARNED = { event: 64, person: 16, group: 16 } as const satisfies Record<"event" | StateOwner, number>;

/** A property that no query named for so long loses its column: files that are written from then on have none. */
const UNNAMED_MS = 90 * DAY_MS;

/** How often it is noted that a property is still named. One that was named as lately never makes room for another. */
const NOTED_MS = DAY_MS;

/** Properties are named one after the other: an older file is written anew for those of a day together. */
export const SETTLED_MS = DAY_MS;

/** For so long after that the older files of a project are asked for again, should a request be lost. */
const ASKED_MS = 3 * DAY_MS;

/** Version of the item; readers accept this one and the one after. */
const EARNED_FORMAT = 1;

/** The list as the table has it; a writer says which revision it changes. */
interface StoredEarned {
  readonly list: readonly NamedProperty[];
  readonly rev: number;
}

/** The properties of a project that have a column now, as one consistent read finds them. */
export const readEarned = async (table: Table, project: number, now: number): Promise<readonly NamedProperty[]> =>
  stillNamed((await readStored(table, project)).list, now);

const readStored = async (table: Table, project: number): Promise<StoredEarned> => {
  const item = await table.get(itemKey(project), { consistent: true });
  return { list: decodeEarned(item), rev: typeof item?.rev === "number" ? item.rev : 0 };
};

/** Those of one owner. */
export const earnedBy = (list: readonly NamedProperty[], whose: "event" | StateOwner): readonly NamedProperty[] =>
  list.filter(({ owner }) => (owner ?? "event") === whose);

const stillNamed = (list: readonly NamedProperty[], now: number): readonly NamedProperty[] =>
  list.every(({ namedAt }) => now - namedAt < UNNAMED_MS) ? list : list.filter(({ namedAt }) => now - namedAt < UNNAMED_MS);

/** Whether properties have earned columns a short while ago, which months without traffic may lack. */
export const hasNewColumns = (earned: readonly NamedProperty[], now: number): boolean =>
  earned.some(({ since }) => now - since >= SETTLED_MS && now - since < SETTLED_MS + ASKED_MS);

/** What a query is lowered with, and what it named. */
export interface EarnedLookup {
  /** Tells one lowering which properties may have a column. */
  hasEarned(): (property: EarnedProperty) => boolean;
  /** Keeps what the last lowering asked for. Writes only what is new, and once a day that it is still named. */
  note(namedBy: string): Promise<void>;
}

/** A new column is of use once files have it: a process may go on with what it read for this long. */
const KEPT_MS = MINUTE_MS;
const PROJECTS_KEPT = 1_000;

const earnedMemory = perOwner((_: Table) => cache<number, StoredEarned>({ capacity: PROJECTS_KEPT }));

/** The properties of a project that have a column, as this process last read them. `now` in milliseconds. */
export const openEarned = async (table: Table, project: number, now: number): Promise<EarnedLookup> => {
  const known = await earnedMemory(table).of(project, now, KEPT_MS, () => readStored(table, project));
  const have = new Set(stillNamed(known.list, now).map(propertyKey));
  let asked = new Map<string, EarnedProperty>();
  return {
    hasEarned: () => {
      asked = new Map();
      return (property) => {
        const key = propertyKey(property);
        asked.set(key, property);
        return have.has(key);
      };
    },
    async note(namedBy) {
      const named = [...asked.values()].filter(mayEarn);
      try {
        const noted = await noteNamed(table, project, known, (list) => withNamed(list, named, namedBy, now));
        if (noted !== known) earnedMemory(table).set(project, noted, now + KEPT_MS);
      } catch {
        // The query is worth more than the note, which the next one makes.
      }
    },
  };
};

const propertyKey = ({ owner, property, type }: EarnedProperty): string => `${owner ?? "event"}:${type}:${property}`;

const mayEarn = ({ property }: EarnedProperty): boolean => property.length <= MAX_NAME_LENGTH && property.isWellFormed();

/** A race for the item is lost to a query of the same project, which may have named the same. */
const TRIES = 3;

/** Writes what `change` makes of the list, unless it changes nothing; returns what is stored then. */
const noteNamed = async (
  table: Table,
  project: number,
  known: StoredEarned,
  change: (list: StoredEarned["list"]) => StoredEarned["list"],
): Promise<StoredEarned> => {
  let before = known;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const list = change(before.list);
    if (list === before.list) return before;
    const after = { list, rev: before.rev + 1 };
    if (await replaceStored(table, project, before, after)) return after;
    before = await readStored(table, project);
  }
  return before;
};

/**
 * The list with properties that a query named; the very same where that changes nothing. Where its owner has as many as may be, the one
 * goes that was named longest ago.
 */
export const withNamed = (
  before: readonly NamedProperty[],
  named: readonly EarnedProperty[],
  namedBy: string,
  now: number,
): readonly NamedProperty[] => {
  const list = new Map(stillNamed(before, now).map((one) => [propertyKey(one), one]));
  let isChanged = false;
  for (const { owner, property, type } of named) {
    const one = { ...(owner && { owner }), property, type };
    const known = list.get(propertyKey(one));
    if (known !== undefined && now - known.namedAt < NOTED_MS) continue;
    const beside = earnedBy([...list.values()], owner ?? "event");
    if (known === undefined && beside.length >= MAX_EARNED[owner ?? "event"]) {
      const [oldest] = beside.toSorted((a, b) => a.namedAt - b.namedAt);
      if (oldest === undefined || now - oldest.namedAt < NOTED_MS) continue;
      list.delete(propertyKey(oldest));
    }
    list.set(propertyKey(one), { ...one, since: known?.since ?? now, namedAt: now, namedBy });
    isChanged = true;
  }
  return isChanged ? [...list.values()] : before;
};

/** Writes `after` in the place of `before`. False when another writer was there first. */
const replaceStored = async (table: Table, project: number, before: StoredEarned, after: StoredEarned): Promise<boolean> => {
  const item: Item = { ...itemKey(project), v: writtenVersion(EARNED_FORMAT), rev: after.rev, list: pack(after.list) };
  try {
    await table.put(item, before.rev === 0 ? { kind: "absent" } : { kind: "equals", attribute: "rev", value: before.rev });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};

/** Only `replaceStored` writes the item. Throws a `Defect` for a version that this program does not know. */
export const decodeEarned = (item: Item | undefined): readonly NamedProperty[] => {
  if (item === undefined) return [];
  if (!isReadable(item.v, EARNED_FORMAT) || !(item.list instanceof Uint8Array)) {
    throw new Defect("the properties with columns of their own have a format that this version does not know");
  }
  return unpack(item.list) as readonly NamedProperty[];
};

const itemKey = (project: number): Key => keyIn("project", "earned", { project });
