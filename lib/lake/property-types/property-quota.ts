import { mayHold, withNames } from "../catalogue/name-filter.ts";
import {
  isMixed,
  nameBytes,
  type OwnedEvidence,
  ownedBy,
  ownedName,
  PROPERTY_OWNERS,
  type PropertyOwner,
  type PropertyType,
  settledAs,
  type TypeEvidence,
  typeOfEvidence,
  withEvidence,
} from "../property-types.ts";
import { byName, type KnownProperty, knownBy, type StoredTypes } from "./stored-types.ts";

/** Names of a project, and bytes of them as JSON: an item of the table has 400 KB, of which what was lost takes 64. */
const MAX_NAMES = 10_000;
const MAX_NAMES_BYTES = 220_000;
/** A longer name has no type. */
export const MAX_NAME_LENGTH = 200;

/** Up to this many a project may have at once; whoever knows its public token can make them up, so the rest come slowly. */
const FREE_NAMES = 2_000;
const FREE_BYTES = 60_000;
const DRAIN_NAMES = 200;
const DAY_NAMES = 1_000;
const DAY_BYTES = 30_000;
/** Names without room that a day notes, so that they get the type of all their values when there is room. */
const DAY_NOTED = 500;

/** Where a project has more than its free names, one that is seen is said to be when that was last said so many days ago. */
const CONFIRM_DAYS = 3;
/** A name that was not seen for so long makes room for others. */
const EVICT_AFTER_DAYS = 7;

/** What became of names that events had: `stored` is the very same when there is nothing to write. */
export interface QuotaOutcome {
  readonly stored: StoredTypes;
  /** Names without room, and those of them of which nothing is remembered. */
  readonly rejected: number;
  readonly unnoted: number;
  readonly evicted: number;
}

/** Whether names may be rejected or evicted: only then are days kept up and queries' properties marked. */
export const isCrowded = ({ names }: StoredTypes): boolean => nameCount(names) >= FREE_NAMES || bytesIn(names) >= FREE_BYTES;

/** Whether the day takes no further name, and notes none: then unknown ones need not be looked at. */
export const isClosed = ({ today }: StoredTypes, day: number): boolean =>
  today.day === day && today.noted >= DAY_NOTED && (today.names >= DAY_NAMES || today.bytes >= DAY_BYTES - MAX_NAME_LENGTH);

/** Whether writers may take a name for known that was last said to be seen on a day. */
export const isConfirmed = (seen: number, day: number): boolean => day - seen < CONFIRM_DAYS;

/** The types with what was learnt on a day. Names come first that were first, but those that queries use always. */
export const withLearnt = (stored: StoredTypes, learnt: OwnedEvidence, day: number): QuotaOutcome => {
  const draft = openDraft(stored, day);
  for (const owner of PROPERTY_OWNERS) {
    for (const [name, said] of [...learnt[owner]].sort(byName)) if (name.length <= MAX_NAME_LENGTH) learn(draft, owner, name, said);
  }
  if (draft.isChanged) settleRest(draft.names);
  const { names, lost, isChanged, today, rejected, unnoted, evicted } = draft;
  const next = { names, used: stored.used, today, lost: withNames(stored.lost, lost) };
  return { stored: isChanged ? next : stored, rejected, unnoted, evicted };
};

/** Bytes of names whose types are not settled: an item notes for each, beside its type, what events said. */
const MAX_OPEN_BYTES = 20_000;
const SKETCH_BYTES = 30;

/** Where too many names are not settled, those of one type keep it, and then those of several become text. */
const settleRest = (names: Record<PropertyOwner, Map<string, KnownProperty>>): void => {
  const open = PROPERTY_OWNERS.flatMap((owner) =>
    [...names[owner]].flatMap(([name, known]) => (known.evidence === null ? [] : [{ owner, name, known, mixed: isMixed(known.evidence) }])),
  );
  let bytes = 0;
  for (const { owner, name, known, mixed } of open.sort((a, b) => Number(b.mixed) - Number(a.mixed))) {
    bytes += nameBytes(name) + SKETCH_BYTES;
    if (bytes > MAX_OPEN_BYTES) names[owner].set(name, { type: mixed ? "String" : known.type, seen: known.seen, evidence: null });
  }
};

interface Draft {
  readonly day: number;
  readonly stored: StoredTypes;
  readonly crowded: boolean;
  readonly names: Record<PropertyOwner, Map<string, KnownProperty>>;
  readonly lost: string[];
  today: { day: number; names: number; bytes: number; noted: number };
  count: number;
  bytes: number;
  /** Beyond the free ones, in this drain. */
  added: number;
  /** Names that can be evicted, the next one last; made when it is needed first. */
  oldest: [PropertyOwner, string, KnownProperty][] | null;
  isChanged: boolean;
  rejected: number;
  unnoted: number;
  evicted: number;
}

const openDraft = (stored: StoredTypes, day: number): Draft => {
  const [count, bytes] = [nameCount(stored.names), bytesIn(stored.names)];
  const crowded = count >= FREE_NAMES || bytes >= FREE_BYTES;
  // An item of the format before says of no name when it was seen: each has some days to be seen again.
  const isUndated = stored.today.day === 0;
  const names = ownedBy((owner) => new Map(isUndated ? dated(stored.names[owner], day - CONFIRM_DAYS) : stored.names[owner]));
  const today = stored.today.day === day ? { ...stored.today } : { day, names: 0, bytes: 0, noted: 0 };
  const counts = { added: 0, oldest: null, isChanged: false, rejected: 0, unnoted: 0, evicted: 0 };
  return { day, stored, crowded, names, lost: [], today, count, bytes, ...counts };
};

const dated = (names: ReadonlyMap<string, KnownProperty>, seen: number): readonly (readonly [string, KnownProperty])[] =>
  [...names].map(([name, known]) => [name, { ...known, seen }]);

const learn = (draft: Draft, owner: PropertyOwner, name: string, said: TypeEvidence): void => {
  const known = draft.names[owner].get(name);
  if (known === undefined) {
    addName(draft, owner, name, said);
    return;
  }
  const before = known.evidence ?? settledAs(known.type);
  const next = withEvidence(before, said);
  if (next === before && (!draft.crowded || isConfirmed(known.seen, draft.day))) return;
  draft.names[owner].set(name, knownBy(next, draft.day));
  draft.isChanged = true;
};

const addName = (draft: Draft, owner: PropertyOwner, name: string, said: TypeEvidence): void => {
  const type = typeOfEvidence(said);
  const bytes = nameBytes(name);
  const isFree = draft.count < FREE_NAMES && draft.bytes + bytes <= FREE_BYTES;
  const isUsed = draft.stored.used.has(ownedName(owner, name));
  if ((!isFree && !isUsed && !isWithinDayQuota(draft, bytes)) || !evictFor(draft, bytes)) {
    reject(draft, owner, name, type);
    return;
  }
  const isText = typeAfterLoss(draft, owner, name, type) !== type;
  draft.names[owner].set(name, knownBy(isText ? settledAs("String") : said, draft.day));
  draft.count += 1;
  draft.bytes += bytes;
  draft.isChanged = true;
  if (isFree || isUsed) return;
  draft.added += 1;
  draft.today.names += 1;
  draft.today.bytes += bytes;
};

const isWithinDayQuota = ({ added, today }: Draft, bytes: number): boolean =>
  added < DRAIN_NAMES && today.names < DAY_NAMES && today.bytes + bytes <= DAY_BYTES;

/**
 * A name that was lost once, evicted or rejected, gets the type of the values that it had then, too: no value of it becomes NULL by
 * having been evicted.
 */
const typeAfterLoss = ({ stored, lost }: Draft, owner: PropertyOwner, name: string, type: PropertyType): PropertyType => {
  const isLost = (other: PropertyType): boolean => {
    const lostAs = lostName(owner, name, other);
    return mayHold(stored.lost, lostAs) || lost.includes(lostAs);
  };
  return OTHERS[type].some(isLost) ? "String" : type;
};

const OTHERS: Readonly<Record<PropertyType, readonly PropertyType[]>> = {
  String: [],
  Numeric: ["String", "Boolean", "DateTime"],
  Boolean: ["String", "Numeric", "DateTime"],
  DateTime: ["String", "Numeric", "Boolean"],
};

const lostName = (owner: PropertyOwner, name: string, type: PropertyType): string => `${type}:${ownedName(owner, name)}`;

/** Evicts names until there is room for so many bytes; false when none may go. */
const evictFor = (draft: Draft, bytes: number): boolean => {
  while (draft.count >= MAX_NAMES || draft.bytes + bytes > MAX_NAMES_BYTES) {
    draft.oldest ??= evictable(draft);
    const next = draft.oldest.pop();
    if (next === undefined) return false;
    const [owner, name, { type }] = next;
    if (draft.names[owner].get(name)?.seen === draft.day) continue;
    draft.names[owner].delete(name);
    draft.lost.push(lostName(owner, name, type));
    draft.count -= 1;
    draft.bytes -= nameBytes(name);
    draft.evicted += 1;
    draft.isChanged = true;
  }
  return true;
};

const evictable = ({ names, stored, day }: Draft): [PropertyOwner, string, KnownProperty][] =>
  PROPERTY_OWNERS.flatMap((owner) => [...names[owner]].map(([name, known]): [PropertyOwner, string, KnownProperty] => [owner, name, known]))
    .filter(([owner, name, { seen }]) => day - seen >= EVICT_AFTER_DAYS && !stored.used.has(ownedName(owner, name)))
    .sort(([, , a], [, , b]) => b.seen - a.seen);

const reject = (draft: Draft, owner: PropertyOwner, name: string, type: PropertyType): void => {
  draft.rejected += 1;
  const lostAs = lostName(owner, name, type);
  if (mayHold(draft.stored.lost, lostAs)) return;
  if (draft.today.noted >= DAY_NOTED) {
    draft.unnoted += 1;
    return;
  }
  draft.today.noted += 1;
  draft.lost.push(lostAs);
  draft.isChanged = true;
};

const nameCount = (names: StoredTypes["names"]): number => PROPERTY_OWNERS.reduce((sum, owner) => sum + names[owner].size, 0);

const bytesIn = (names: StoredTypes["names"]): number => {
  let bytes = 0;
  for (const owner of PROPERTY_OWNERS) for (const name of names[owner].keys()) bytes += nameBytes(name);
  return bytes;
};
