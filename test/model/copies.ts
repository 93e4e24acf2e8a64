import { isObject, type Json, objectOr, sorted, written } from "./json.ts";
import { sessionsOf } from "./recordings.ts";
import { dayOf, readTime, timeOf } from "./times.ts";

/** A request that capture answered with 200, as the client sent it and when it was received. */
export interface Request {
  readonly project: number;
  /** Where it was sent to: what comes to `/s/` are recordings of sessions, of which only the sessions are stored. */
  readonly path?: "/batch/" | "/s/";
  /** What tells it from other requests: equal for a retry of the same bytes with `sent_at`. */
  readonly id: string;
  /** Microseconds since 1970. */
  readonly received: bigint;
  readonly body: unknown;
}

/** One event of a request, as it has to be stored. Several copies of one identity may be sent; one of them stays. */
export interface Copy {
  readonly project: number;
  /** What copies of one event share: project, UTC day, event, distinct_id, and the uuid or what decides it. */
  readonly identity: string;
  readonly request: string;
  /** The import that it came with; absent where it came with none. */
  readonly importName?: string;
  readonly index: number;
  readonly received: bigint;
  readonly event: string;
  readonly distinctId: string;
  readonly uuid: string | null;
  /** Milliseconds that a uuid made by the platform begins with; null where the client sent one. */
  readonly uuidMs: bigint | null;
  readonly time: bigint;
  readonly day: number;
  readonly historical: boolean;
  readonly isPersonal: boolean;
  /** As stored, but for the group slots. */
  readonly properties: Json;
}

export const GROUP_EVENTS = ["$groupidentify", "$group_identify"];
const MOST_GROUP_KEY = 400;

/** The copies of a request's events, in its order. */
export const copiesOf = (request: Request): readonly Copy[] => (request.path === "/s/" ? sessionsOf(request) : eventsOf(request));

const eventsOf = (request: Request): readonly Copy[] => {
  const { events, historical, sentAt, importName } = envelopeOf(request.body);
  const times = { received: request.received, sentAt, historical };
  const equals: string[] = [];
  return events.flatMap((sent, index): readonly Copy[] => {
    const { $ignore_sent_at: ignored, ...own } = objectOr(sent.properties);
    const merged = withTopLevel(sent);
    const event = stored(String(sent.event));
    if (event === "$performance_event" || isRefusedGroup(event, merged)) return [];
    const distinctId = distinctIdOf(sent, own);
    const placed = timeOf(sent, ignored === true, times);
    const day = dayOf(placed.time);
    const uuid = typeof sent.uuid === "string" && sent.uuid !== "" ? canonical(sent.uuid) : null;
    const uuidMs = (historical ? later(placed.time, 0n) : (sentAt ?? request.received)) / 1_000n;
    // A flagged event is known by all that is stored of it, and by how many equal ones of its request came before.
    const digest = sorted([sent.timestamp ?? null, merged]);
    const equal = sorted([event, distinctId, digest]);
    const occurrence = equals.filter((each) => each === equal).length;
    if (uuid === null) equals.push(equal);
    const derived = historical ? ["import", digest, occurrence, String(uuidMs)] : ["request", request.id, index, String(uuidMs)];
    const isPersonal = merged.$process_person_profile !== false;
    const changesPerson = isPersonal && !GROUP_EVENTS.includes(event);
    const { $set, $set_once, $unset, ...rest } = merged;
    return [
      {
        project: request.project,
        identity: sorted([request.project, day, event, distinctId, uuid ?? derived]),
        request: request.id,
        ...(importName !== null && { importName }),
        index,
        received: request.received,
        event,
        distinctId,
        uuid,
        uuidMs: uuid === null ? uuidMs : null,
        time: placed.time,
        day,
        historical: placed.historical,
        isPersonal,
        properties: withComplaint(sent.event, changesPerson ? merged : rest),
      },
    ];
  });
};

const envelopeOf = (body: unknown) => {
  const { historical_migration: flag, sent_at: sentAt, import_id: name } = objectOr(body);
  const importName = flag === true && typeof name === "string" ? name : null;
  return { events: listed(body), historical: flag === true, sentAt: readTime(sentAt), importName };
};

/** The events of a body: a list of them, an envelope around one, or a single event. */
export const listed = (body: unknown): readonly Json[] => {
  const { batch } = objectOr(body);
  return (Array.isArray(body) ? body : Array.isArray(batch) ? batch : [body]).filter(isObject);
};

/** An exception that says nothing of exceptions is stored with that complaint. */
const withComplaint = (event: unknown, properties: Json): Json =>
  event === "$exception" && properties.$exception_list === undefined
    ? { ...properties, $cymbal_errors: ["$exception_list is missing"] }
    : properties;

/** What stands at the top of an event wins over the same in its properties, key by key; what both unset is unset. */
const withTopLevel = (sent: Json): Json => {
  const merged: Record<string, unknown> = { ...objectOr(sent.properties) };
  for (const name of ["$set", "$set_once"]) if (isObject(sent[name])) merged[name] = { ...objectOr(merged[name]), ...sent[name] };
  const unset = namesIn(sent.$unset);
  if (unset.length > 0) merged.$unset = [...new Set([...namesIn(merged.$unset), ...unset])];
  return merged;
};

/** Names to unset come as a list, or as an object that has them. */
export const namesIn = (unset: unknown): readonly string[] => {
  const names = Array.isArray(unset) ? unset : isObject(unset) ? Object.keys(unset) : [];
  return names.filter((name) => typeof name === "string");
};

const isRefusedGroup = (event: string, { $group_type: type, $group_key: key, $group_set: set }: Json): boolean => {
  if (!GROUP_EVENTS.includes(event) || typeof type !== "string" || type === "" || textOf(key) === null) return false;
  return (textOf(key) ?? "").length > MOST_GROUP_KEY || !(isObject(set) || (set ?? null) === null);
};

/** The text of a value that names something; null for none. */
export const textOf = (value: unknown): string | null => {
  if (typeof value === "string") return value === "" ? null : value;
  return (value ?? null) === null ? null : written(value);
};

const distinctIdOf = (sent: Json, own: Json): string => {
  const id = [sent.distinct_id, sent.$distinct_id, own.distinct_id].find((each) => each !== undefined && each !== null && each !== "");
  return idText(id);
};

/** An id as stored; what is no text is its JSON. */
export const idText = (id: unknown): string => stored(typeof id === "string" ? id : sorted(id));

/** A name or id as stored: at most 200 characters, and no NUL or half a pair of surrogates. */
export const stored = (text: string): string => [...text.replaceAll("\0", "\uFFFD").toWellFormed()].slice(0, 200).join("");

const canonical = (uuid: string): string =>
  uuid
    .toLowerCase()
    .replaceAll(/urn:uuid:|[-{}]/g, "")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** Of waiting copies of one identity the least stays. */
export const isLess = (a: Copy, b: Copy): boolean => {
  if (a.received !== b.received) return a.received < b.received;
  return a.request === b.request ? a.index < b.index : a.request < b.request;
};
