import type { At, DeltaGatherer } from "./deltas.ts";
import { distinctIdOf, storableText } from "./distinct-id.ts";
import type { RawEvent } from "./envelope.ts";
import { type EventRow, utcDay } from "./event.ts";
import type { Fields } from "./fields.ts";
import { type GroupSide, groupSide, groupsOf } from "./group-events.ts";
import type { GroupTypes } from "./group-types.ts";
import { hotValues, jsonText, propertyText } from "./hot.ts";
import { identityHash, importedDigest, importedUuid, positionedUuid } from "./identity.ts";
import type { CaptureMessage, PlacedEvent } from "./message.ts";
import { personSide } from "./person-events.ts";
import { isDropped } from "./quota-families.ts";
import { type EventTime, eventTime, type RequestTimes } from "./times.ts";
import type { TypeLearner } from "./type-learner.ts";
import { canonicalUuid } from "./uuid.ts";

/** What rows need to know of their project. */
export interface RowContext {
  readonly project: number;
  readonly groupTypes: GroupTypes;
  readonly personId: (distinctId: string) => string;
}

/** The rows of a message, and how many of its events are not stored: over a quota, or with a group that cannot be. */
export interface MessageRows {
  readonly rows: readonly EventRow[];
  readonly dropped: number;
}

/** An event of a flagged request that is younger than this is handled as a live one. */
const LEAST_HISTORY_US = 48n * 3_600_000_000n;

/** Events with a pipeline of their own, which never count as historical. */
const NEVER_HISTORICAL: ReadonlySet<string> = new Set(["$exception", "$$heatmap", "$$client_ingestion_warning"]);

/**
 * The rows of a message, in its order; what they say about persons and groups goes to `deltas`, and their properties are shown to
 * `types`. Depends on nothing but its
 * arguments, so that every delivery, and every import of the same rows, gives the same identities.
 */
export const rowsOf = (
  message: CaptureMessage,
  events: readonly PlacedEvent[],
  context: RowContext,
  deltas: DeltaGatherer,
  types: Pick<TypeLearner, "see">,
): MessageRows => {
  const request = requestOf(message);
  const rows: EventRow[] = [];
  for (const placed of events) {
    const row = rowOf(request, placed, context, deltas, types);
    if (row !== null) rows.push(row);
  }
  return { rows, dropped: events.length - rows.length };
};

interface Request extends RequestTimes {
  readonly id: string;
  readonly limited: NonNullable<CaptureMessage["limited"]>;
  /** How often each event of an import that has no uuid came so far. */
  readonly occurrences: Map<string, number>;
}

const requestOf = (message: CaptureMessage): Request => ({
  id: message.request,
  received: BigInt(message.received),
  sentAt: message.sentAt === null ? null : BigInt(message.sentAt),
  historical: message.historical,
  limited: message.limited ?? [],
  occurrences: new Map(),
});

const rowOf = (
  request: Request,
  { position, event: raw }: PlacedEvent,
  context: RowContext,
  deltas: DeltaGatherer,
  types: Pick<TypeLearner, "see">,
): EventRow | null => {
  const time = eventTime({ timestamp: raw.timestamp, offset: raw.offset, ignoreSentAt: raw.properties?.$ignore_sent_at === true }, request);
  const historical = request.historical && isHistorical(raw, time, request.received);
  if (request.historical && !historical && isDropped(raw, request.limited)) return null;
  const group = groupSide(raw);
  if (group === "drop") return null;

  const event = storableText(raw.event);
  const distinctId = distinctIdOf(raw) ?? "";
  const uuid = uuidOf(raw, event, distinctId, position, time.micros, request, context.project);
  const { mode, properties, op } = personSide(raw, distinctId);
  const groups = groupsOf(properties, context.groupTypes);
  if (mode === "full") {
    const at = { time: time.micros, index: position, uuid };
    deltas.seen(distinctId, at);
    if (op !== null) deltas.person({ at, id: distinctId, ...op });
    if (group !== null) identifyGroup(group, at, context, deltas);
  }
  types.see("event", properties);
  return {
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
  };
};

/** Whether an event of a flagged request keeps the flag. One without a readable time does. */
const isHistorical = (raw: RawEvent, time: EventTime, received: bigint): boolean =>
  !NEVER_HISTORICAL.has(raw.event) && (!time.stated || received - time.micros >= LEAST_HISTORY_US);

const uuidOf = (
  raw: RawEvent,
  event: string,
  distinctId: string,
  position: number,
  micros: bigint,
  request: Request,
  project: number,
): string => {
  const own = raw.uuid ? canonicalUuid(raw.uuid) : undefined;
  if (own !== undefined) return own;
  if (!request.historical) return positionedUuid(request.id, position, request.sentAt ?? request.received);
  const digest = importedDigest({ project, event, distinctId, timestamp: raw.timestamp ?? null, properties: raw.properties ?? {} });
  const occurrence = request.occurrences.get(digest) ?? 0;
  request.occurrences.set(digest, occurrence + 1);
  return importedUuid(digest, occurrence, micros);
};

const identifyGroup = (group: Exclude<GroupSide, "drop" | null>, at: At, { groupTypes }: RowContext, deltas: DeltaGatherer): void => {
  const slot = groupTypes.indexOf(group.type);
  if (slot >= 0) deltas.group({ at, slot, key: group.key, set: group.set });
};

/** The properties as JSON, with the group keys under the names by which queries know them. */
const storedProperties = (properties: Fields, groups: readonly (string | null)[]): string => {
  if (properties.$groups === undefined) return jsonText(properties);
  const added: Record<string, string> = {};
  for (const [slot, key] of groups.entries()) if (key !== null) added[`$group_${slot}`] = key;
  return jsonText({ ...properties, ...added });
};
