import { hash } from "node:crypto";
import { canonicalJson } from "../core/canonical-json.ts";
import type { RawEvent } from "./envelope.ts";
import type { EventRow } from "./event.ts";
import { utcDay } from "./time-partitions.ts";

/**
 * The identity hash of an event: 64 bits of (UTC day, event, distinct_id, uuid). It only finds candidates, which are compared
 * exactly, so it is chosen for speed. Files keep it, so it never changes: two lanes of 32 bits mixed as MurmurHash3 mixes,
 * fed with the UTF-16 units of each part in pairs, and with each part's length.
 */
export const identityHash = (day: number, event: string, distinctId: string, uuid: string): bigint => {
  LANES[0] = day | 0;
  LANES[1] = ~day;
  feed(event);
  feed(distinctId);
  feed(uuid);
  const a = finish(LANES[0] ^ rotate(LANES[1], 16));
  const b = finish(LANES[1] + a);
  LANES[0] = a;
  LANES[1] = b;
  return WHOLE[0] ?? 0n;
};

/** The two lanes, and the same eight bytes as one signed integer. */
const WHOLE = new BigInt64Array(1);
const LANES: Int32Array & { 0: number; 1: number } = twoLanes(WHOLE);

/** Guarantee of the cast: eight bytes are two lanes. */
function twoLanes(whole: BigInt64Array): Int32Array & { 0: number; 1: number } {
  return new Int32Array(whole.buffer) as Int32Array & { 0: number; 1: number };
}

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

const feed = (text: string): void => {
  let a = LANES[0];
  let b = LANES[1];
  const length = text.length;
  for (let at = 0; at < length; at += 2) {
    const pair = text.charCodeAt(at) | ((at + 1 < length ? text.charCodeAt(at + 1) : 0) << 16);
    a ^= Math.imul(rotate(Math.imul(pair, 0xcc9e2d51), 15), 0x1b873593);
    a = (Math.imul(rotate(a, 13), 5) + 0xe6546b64) | 0;
    b ^= Math.imul(rotate(Math.imul(pair, 0x239b961b), 17), 0xab0e9789);
    b = (Math.imul(rotate(b, 11) + a, 5) + 0x561ccd1b) | 0;
  }
  LANES[0] = a ^ length;
  LANES[1] = b ^ length;
};

const finish = (value: number): number => {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
};

/** The person that a distinct_id has before any merge: a hash of project and distinct_id in the form of a version 5 UUID. */
export const derivePersonId = (project: number, distinctId: string): string =>
  uuidForm(hash("sha1", `${project}:${distinctId}`, "hex"), "5");

/** Persons' ids of one project, remembered: most events of a drain are of few people. */
export const rememberedPersonIds = (project: number): ((distinctId: string) => string) => {
  let kept = new Map<string, string>();
  return (distinctId) => {
    const known = kept.get(distinctId);
    if (known !== undefined) return known;
    const id = derivePersonId(project, distinctId);
    if (kept.size >= MOST_REMEMBERED) kept = new Map();
    kept.set(distinctId, id);
    return id;
  };
};

const MOST_REMEMBERED = 10_000;

/** The parts that a derived uuid of an imported event is made of. */
export interface ImportedEvent {
  readonly project: number;
  readonly event: string;
  readonly distinctId: string;
  /** As sent. */
  readonly timestamp: string | null;
  readonly properties: unknown;
}

/** A digest that two equal events of an import share. */
export const importedDigest = ({ project, event, distinctId, timestamp, properties }: ImportedEvent): string =>
  hash("sha1", JSON.stringify([project, event, distinctId, timestamp, canonicalJson(properties)]), "hex");

/**
 * The uuid of an imported event that has none: the same whenever the same row is imported again. `occurrence` counts equal events
 * of one request from 0; `micros` is the event's time.
 */
export const importedUuid = (digest: string, occurrence: number, micros: bigint): string => {
  const bits = occurrence === 0 ? digest : hash("sha1", `${occurrence}:${digest}`, "hex");
  return sevenForm(micros, bits.slice(0, 3), bits.slice(3));
};

/**
 * The uuid of any other event that has none: by request and position, growing with the position. `micros` is the request's
 * sent_at, or its receive time.
 */
export const positionedUuid = (request: string, position: number, micros: bigint): string => {
  const place = position.toString(16).padStart(6, "0");
  const bits = hash("sha1", `${request}:${position}`, "hex");
  return sevenForm(micros, place.slice(0, 3), `0${place.slice(3)}${bits}`);
};

const MOST_TIME_MS = 2 ** 48 - 1;

/** A version 7 UUID of a time, 12 bits and the first 64 bits of `rest`, of which the two highest are overwritten by the variant. */
const sevenForm = (micros: bigint, twelve: string, rest: string): string => {
  const ms = micros < 0n ? 0 : Number(micros / 1000n);
  const time = Math.min(ms, MOST_TIME_MS).toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${twelve}-${variant(rest.charAt(0))}${rest.slice(1, 4)}-${rest.slice(4, 16)}`;
};

const uuidForm = (hex: string, version: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-${variant(hex.charAt(16))}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

const variant = (digit: string): string => ((Number.parseInt(digit, 16) & 3) | 8).toString(16);

/** The rows without duplicates: of several copies of one identity the least (created_at, request, index) stays. */
export const distinctRows = (rows: readonly EventRow[]): readonly EventRow[] => {
  const places = new Map<bigint, number>();
  /** Rows whose hash another identity has too; hardly ever there. */
  const collided: number[] = [];
  const kept: EventRow[] = [];
  for (const row of rows) {
    const place = places.get(row.identity);
    const known = place === undefined ? undefined : sameIdentity(kept, [place, ...collided], row);
    if (known !== undefined) {
      const other = kept[known];
      if (other !== undefined && comesBefore(row, other)) kept[known] = row;
      continue;
    }
    if (place === undefined) places.set(row.identity, kept.length);
    else collided.push(kept.length);
    kept.push(row);
  }
  return kept;
};

const sameIdentity = (kept: readonly EventRow[], places: readonly number[], row: EventRow): number | undefined =>
  places.find((place) => {
    const other = kept[place];
    return (
      other !== undefined &&
      other.uuid === row.uuid &&
      other.distinct_id === row.distinct_id &&
      other.event === row.event &&
      utcDay(other.timestamp) === utcDay(row.timestamp)
    );
  });

const comesBefore = (a: EventRow, b: EventRow): boolean => {
  if (a.created_at !== b.created_at) return a.created_at < b.created_at;
  if (a.request !== b.request) return a.request < b.request;
  return a.index < b.index;
};

/** Characters of a distinct_id that are kept. */
const MAX_CHARACTERS = 200;

/**
 * The distinct_id of an event as it is stored: the one at the top, else the property; anything that is no text becomes its
 * compact JSON with sorted keys; NUL becomes U+FFFD; cut to 200 characters. Null when the event has none.
 */
export const readDistinctId = (event: RawEvent): string | null => {
  return idText(firstPresent(event.distinct_id, event.$distinct_id, event.properties?.distinct_id));
};

/** An id that an event names, as it is stored; null where it names none. */
export const idText = (id: unknown): string | null =>
  isPresent(id) ? storableText(typeof id === "string" ? id : canonicalJson(id)) : null;

const firstPresent = (top: unknown, topDollar: unknown, property: unknown): unknown => {
  if (isPresent(top)) return top;
  return isPresent(topDollar) ? topDollar : isPresent(property) ? property : undefined;
};

/** A number beyond all bounds would become null when it is written again, so it counts as none from the start. */
const isPresent = (id: unknown): boolean => id !== undefined && id !== null && id !== "" && (typeof id !== "number" || Number.isFinite(id));

/** A name or an id as it is stored: NUL and lone surrogates become U+FFFD; cut to 200 characters. */
export const storableText = (text: string): string => {
  const clean = (text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text).toWellFormed();
  if (clean.length <= MAX_CHARACTERS) return clean;
  return Array.from(clean.slice(0, 2 * MAX_CHARACTERS))
    .slice(0, MAX_CHARACTERS)
    .join("");
};
