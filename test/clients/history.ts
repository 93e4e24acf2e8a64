/** The events of an import, made from their number: the same each time they are made. */

export interface HistoryEvent {
  readonly uuid: string;
  readonly event: string;
  readonly distinctId: string;
  readonly timestamp: Date;
  readonly properties: Readonly<Record<string, unknown>>;
}

const DAY_MS = 86_400_000;
const YOUNGEST_DAYS = 60;
const OLDEST_DAYS = 400;
/** One event in so many lies within 50 ms of a midnight. */
const MIDNIGHT_SHARE = 10;
const NEAR_MIDNIGHT_MS = 50;
const PEOPLE = 400;

/** A number below `bound` that looks random but follows from its place. */
const scatter = (place: number, bound: number, salt: number): number => {
  let mixed = Math.imul(place + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) % bound;
};

const momentOf = (place: number, today: number): number => {
  const midnight = today - (YOUNGEST_DAYS + 1 + scatter(place, OLDEST_DAYS - YOUNGEST_DAYS - 1, 1)) * DAY_MS;
  if (place % MIDNIGHT_SHARE === 0) return midnight + scatter(place, 2 * NEAR_MIDNIGHT_MS, 2) - NEAR_MIDNIGHT_MS;
  return midnight + scatter(place, DAY_MS, 3);
};

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0");

/** `count` events, 60 to 400 days before `today` (start of a UTC day, milliseconds). */
export const history = (count: number, today: number): readonly HistoryEvent[] =>
  Array.from({ length: count }, (_, place) => ({
    uuid: `01890000-0000-7${hex(scatter(place, 4096, 4), 3)}-8${hex(scatter(place, 4096, 5), 3)}-${hex(place, 12)}`,
    event: `imported ${scatter(place, 5, 6)}`,
    distinctId: `person-${scatter(place, PEOPLE, 7)}`,
    timestamp: new Date(momentOf(place, today)),
    properties: { plan: place % 3 === 0 ? "pro" : "free", position: place, $current_url: `https://shop.example/${place % 50}` },
  }));

/** How often each key occurs, as a query that groups by it answers: sorted. */
export const tally = (keys: readonly string[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
};

export const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10);
