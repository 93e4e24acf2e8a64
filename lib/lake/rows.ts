import { HOUR_US } from "../core/time.ts";
import { canonicalUuid } from "../core/uuid.ts";
import type { RawEvent } from "../event/envelope.ts";
import type { EventRow } from "../event/event.ts";
import { type Fields, isFields } from "../event/fields.ts";
import { hotValues, jsonText, propertyText } from "../event/hot-properties.ts";
import { identityHash, importedDigest, importedUuid, positionedUuid, readDistinctId, storableText } from "../event/identity.ts";
import type { CaptureMessage, PlacedEvent } from "../event/message.ts";
import { isDropped } from "../event/quota-resources.ts";
import { utcDay } from "../event/time-partitions.ts";
import { type EventTime, eventTime, type RequestTimes } from "../event/times.ts";
import type { GroupTypes } from "./group-types.ts";
import { type GroupSide, groupSide, readGroups } from "./intake/group-events.ts";
import { personSide, withTopLevel } from "./intake/person-events.ts";
import type { TypeLearner } from "./learn-types.ts";
import type { GroupOp, PersonOp } from "./persons/deltas.ts";

/** The facts of a project that its rows need. */
export interface RowContext {
  readonly project: number;
  readonly groupTypes: GroupTypes;
  readonly personId: (distinctId: string) => string;
}

/** The rows of a message, what they do to persons and groups, and how many of its events are not stored: over a quota, or with a group that cannot be. */
export interface MessageRows {
  readonly rows: readonly EventRow[];
  readonly changes: RowChanges;
  readonly dropped: number;
}

/** The changes that the event of a row makes to persons and groups, beyond being seen. */
export interface RowChange {
  readonly person: Pick<PersonOp, "merge" | "set" | "setOnce" | "unset"> | null;
  readonly group: Pick<GroupOp, "slot" | "key" | "set"> | null;
  /** Properties that were left out, being more than one event may change. Absent where none was. */
  readonly over?: number;
}

/** By row; rows that only show that somebody was there are not in it. */
export type RowChanges = ReadonlyMap<EventRow, RowChange>;

/** An event of a flagged request that is younger than this is handled as a live one. */
const LEAST_HISTORY_US = 48n * HOUR_US;

/** An event as it is stored, and what it says of properties, persons and groups besides. */
export interface StoredEvent {
  readonly row: EventRow;
  readonly properties: Fields;
  readonly change: RowChange | null;
}

/**
 * The rows of a message, in its order; their properties are shown to `types`: all of them, or nothing when an event cannot be read.
 * Depends on nothing but its arguments, so that every delivery, and every import of the same rows, gives the same identities.
 */
export const buildRows = (
  message: CaptureMessage,
  events: readonly PlacedEvent[],
  context: RowContext,
  types: Pick<TypeLearner, "see">,
): MessageRows => {
  const read = eventReader(message, context);
  const stored: StoredEvent[] = [];
  for (const placed of events) {
    const event = read(placed);
    if (event !== null) stored.push(event);
  }
  return { ...keptEvents(stored, types), dropped: events.length - stored.length };
};

/** Reads the events of a message one after the other, in its order; null for one that rules drop. */
export const eventReader = (message: CaptureMessage, context: RowContext): ((placed: PlacedEvent) => StoredEvent | null) => {
  const request = messageRequest(message);
  return (placed) => storedEvent(request, placed, context);
};

/** The rows of events and what they change; shows their properties to `types`. */
export const keptEvents = (events: readonly StoredEvent[], types: Pick<TypeLearner, "see">): Omit<MessageRows, "dropped"> => {
  const changes = new Map<EventRow, RowChange>();
  for (const { row, properties, change } of events) {
    if (change !== null) changes.set(row, change);
    types.see("event", properties, row.identity);
  }
  return { rows: events.map(({ row }) => row), changes };
};

/** Whether an event states a group in a way in which it is not stored at all: with too long a key, or properties that are no object. */
export const statesNoGroup = (event: Pick<RawEvent, "event" | "properties">): boolean => groupSide(event) === "drop";

interface Request extends RequestTimes {
  readonly id: string;
  readonly limited: NonNullable<CaptureMessage["limited"]>;
  /** How often each event of an import that has no uuid came so far. */
  readonly occurrences: Map<string, number>;
}

const messageRequest = (message: CaptureMessage): Request => ({
  id: message.request,
  received: BigInt(message.received),
  sentAt: message.sentAt === null ? null : BigInt(message.sentAt),
  historical: message.historical,
  limited: message.limited ?? [],
  occurrences: new Map(),
});

const storedEvent = (request: Request, { position, event: raw }: PlacedEvent, context: RowContext): StoredEvent | null => {
  const ignoreSentAt = raw.properties?.$ignore_sent_at === true;
  const time = eventTime({ timestamp: raw.timestamp, offset: raw.offset, ignoreSentAt, hasUuid: Boolean(raw.uuid) }, request);
  const historical = request.historical && keepsFlag(time, request.received);
  if (request.historical && !historical && isDropped(raw, request.limited)) return null;
  const group = groupSide(raw);
  if (group === "drop") return null;

  const event = storableText(raw.event);
  const distinctId = readDistinctId(raw) ?? "";
  const merged = withTopLevel(raw);
  const uuid = eventUuid({ raw, merged, event, distinctId, position, micros: time.micros, project: context.project }, request);
  const { mode, properties, op, over } = personSide(raw, distinctId, merged);
  const groups = readGroups(properties, context.groupTypes);
  const changed = mode === "full" && (op !== null || group !== null);
  return {
    properties,
    change: changed ? withOver({ person: op, group: identifiedGroup(group, context) }, over + (group?.over ?? 0)) : null,
    row: {
      uuid,
      event,
      distinct_id: distinctId,
      person_id: context.personId(distinctId),
      timestamp: time.micros,
      created_at: request.received,
      identity: identityHash(utcDay(time.micros), event, distinctId, uuid),
      person_mode: mode,
      historical,
      session_id: propertyText(properties.$session_id),
      window_id: propertyText(properties.$window_id),
      groups,
      elements_chain: typeof properties.$elements_chain === "string" ? properties.$elements_chain.toWellFormed() : "",
      properties: storedProperties(properties, groups),
      hot: hotValues(properties),
      request: request.id,
      index: position,
    },
  };
};

/** Hardly any event names too many. */
const withOver = (change: RowChange, over: number): RowChange => (over === 0 ? change : { ...change, over });

/** Whether an event of a flagged request keeps the flag. One without a readable time does. */
const keepsFlag = (time: EventTime, received: bigint): boolean => !time.stated || received - time.micros >= LEAST_HISTORY_US;

/** The facts that decide the uuid of an event that may have none. */
interface EventIdentity {
  readonly raw: RawEvent;
  /** All properties that are stored, those at the top of the event included. */
  readonly merged: Fields;
  readonly event: string;
  readonly distinctId: string;
  readonly position: number;
  readonly micros: bigint;
  readonly project: number;
}

const eventUuid = ({ raw, merged, event, distinctId, position, micros, project }: EventIdentity, request: Request): string => {
  const own = raw.uuid ? canonicalUuid(raw.uuid) : undefined;
  if (own !== undefined) return own;
  if (!request.historical) return positionedUuid(request.id, position, request.sentAt ?? request.received);
  const digest = importedDigest({ project, event, distinctId, timestamp: raw.timestamp ?? null, properties: merged });
  const occurrence = request.occurrences.get(digest) ?? 0;
  request.occurrences.set(digest, occurrence + 1);
  return importedUuid(digest, occurrence, micros);
};

const identifiedGroup = (group: Exclude<GroupSide, "drop">, { groupTypes }: RowContext): RowChange["group"] => {
  if (group === null) return null;
  const slot = groupTypes.indexOf(group.type);
  return slot < 0 ? null : { slot, key: group.key, set: group.set };
};

/**
 * The properties as JSON, with the group keys under the names by which queries know them. Keys that an event brings under these names stand
 * by the slots of the project that it was exported from.
 */
const storedProperties = (properties: Fields, groups: readonly (string | null)[]): string => {
  if (!isFields(properties.$groups)) return jsonText(properties);
  const stored: Record<string, unknown> = { ...properties };
  for (const [slot, key] of groups.entries()) {
    if (key === null) delete stored[`$group_${slot}`];
    else stored[`$group_${slot}`] = key;
  }
  return jsonText(stored);
};
