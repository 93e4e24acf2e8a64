import { createHash } from "node:crypto";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { DAY_US } from "../../core/time.ts";
import type { EventScan } from "../../hogql/lowered-query.ts";
import { timeZone } from "../../hogql/time-zone.ts";
import type { PinnedState } from "../../lake/catalogue.ts";
import { planEvents } from "../../lake/pin.ts";
import { fileVersion } from "../../lake/skipped-rows.ts";

/** The sources of each day of a table: digests by the day's number since 1970, as the project's clock has it. */
export type DayInputs = ReadonlyMap<number, string>;

/** A table of more days is made whole each time: telling what changed would cost as much as it saves. */
const MAX_DAYS = 5_000;

/** Bumped when the form of the packed digests changes; another form is none. */
const FORMAT = 1;

/** The project's days that a scan may have rows of, each with a digest of what it would read; null where they are too many. */
export const dayInputs = (pinned: PinnedState, scan: EventScan, timezone: string, readsState: boolean): DayInputs | null => {
  const { files, waiting } = planEvents(pinned, scan);
  const keys = new Map<number, string[]>();
  const removals = waiting.length > 0 && pinned.removals ? [pinned.removals.id] : [];
  for (const file of [...files, ...waiting]) {
    const [key, times] = [fileVersion(file), file.times];
    const first = localDayAt(later(BigInt(times[0]), scan.from), timezone);
    const last = localDayAt(earlier(BigInt(times[1]), scan.to), timezone);
    if (last - first > MAX_DAYS) return null;
    for (let day = first; day <= last; day += 1) keys.set(day, [...(keys.get(day) ?? []), key]);
    if (keys.size > MAX_DAYS) return null;
  }
  const state = readsState ? [pinned.state?.id ?? "", ...pinned.waitingDeltas.map(({ id }) => id)] : [];
  return new Map([...keys].map(([day, names]) => [day, digest([...edges(day, scan, timezone), ...names.sort(), ...removals, ...state])]));
};

/** A day that the scan has only a part of is another one as soon as that part is. */
const edges = (day: number, { from, to }: EventScan, timezone: string): readonly string[] => {
  const [first, next] = [dayStart(day, timezone), dayStart(day + 1, timezone)];
  return [from !== null && from > first ? `from ${from}` : "", to !== null && to < next ? `to ${to}` : ""];
};

const later = (a: bigint, b: bigint | null): bigint => (b === null || a > b ? a : b);
const earlier = (a: bigint, to: bigint | null): bigint => (to === null || a < to ? a : to - 1n);

const localDayAt = (micros: bigint, timezone: string): number => {
  const local = micros + timeZone(timezone).offsetAt(micros);
  const day = local / DAY_US;
  return Number(local < 0n && day * DAY_US !== local ? day - 1n : day);
};

/** The first microsecond of a day. */
export const dayStart = (day: number, timezone: string): bigint => {
  const local = BigInt(day) * DAY_US;
  return local - timeZone(timezone).offsetOfLocal(local);
};

const digest = (parts: readonly string[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("base64").slice(0, 16);

/** The sources of a table of this definition, as its item keeps them. */
export const packDays = (definition: string, inputs: DayInputs): Uint8Array =>
  zstdCompressSync(JSON.stringify({ v: FORMAT, definition, days: [...inputs] }));

/** The digests, if they are those of a table of this definition. */
export const unpackDays = (packed: Uint8Array | undefined, definition: string): DayInputs => {
  if (packed === undefined) return new Map();
  const stored: unknown = JSON.parse(zstdDecompressSync(packed, { maxOutputLength: 4_194_304 }).toString());
  return isDays(stored) && stored.definition === definition ? new Map(stored.days) : new Map();
};

/** We wrote it, so its version says everything about its form. */
const isDays = (stored: unknown): stored is { readonly definition: string; readonly days: [number, string][] } =>
  typeof stored === "object" && stored !== null && "v" in stored && stored.v === FORMAT;

/** Days as stretches without a gap, at most so many: then the smallest gaps are taken in. */
export const stretches = (days: readonly number[], most: number): readonly (readonly [number, number])[] => {
  const found: [number, number][] = [];
  for (const day of days.toSorted((a, b) => a - b)) {
    const last = found.at(-1);
    if (last !== undefined && day <= last[1] + 1) last[1] = day;
    else found.push([day, day]);
  }
  while (found.length > most) {
    const gaps = found.slice(1).map(([first], index) => first - (found[index]?.[1] ?? first));
    const at = gaps.indexOf(Math.min(...gaps));
    const [, next] = [found[at], found[at + 1]];
    const before = found[at];
    if (before !== undefined && next !== undefined) before[1] = next[1];
    found.splice(at + 1, 1);
  }
  return found;
};
