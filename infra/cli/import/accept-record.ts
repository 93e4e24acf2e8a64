import { eventFault, type RawEvent } from "../../../lib/event/envelope.ts";
import { isKept } from "../../../lib/event/message.ts";
import { Refused } from "../../../lib/event/refused.ts";
import { utcDay } from "../../../lib/event/time-partitions.ts";
import { type EventTime, eventTime } from "../../../lib/event/times.ts";
import { checkEvent } from "../../../lib/intake/check-event.ts";
import { measureJson } from "../../../lib/intake/json-limits.ts";
import { MAX_EVENT_BYTES, MAX_OBJECT_SHAPES } from "../../../lib/intake/limits.ts";
import { limitShapes } from "../../../lib/intake/shape-limit.ts";
import { statesNoGroup } from "../../../lib/lake/rows.ts";
import { NoEvent } from "./forms/form.ts";

/** An event that a request with `historical_migration` would be taken with. */
export interface AcceptedEvent {
  readonly kind: "event";
  readonly event: RawEvent;
  /** Its JSON, as it travels. */
  readonly bytes: Uint8Array;
  readonly time: EventTime;
  /** UTC day of the stored time, days since 1970. */
  readonly day: number;
  /** At least as many as there are values in it. */
  readonly marks: number;
}

/** What became of a record: an event, nothing that is kept, or a reason why it is none. */
export type Verdict = AcceptedEvent | { readonly kind: "left out" } | { readonly kind: "rejected"; readonly reason: string };

const LEFT_OUT: Verdict = Object.freeze({ kind: "left out" });

/**
 * Holds an event to what capture holds one to, and to two things more: it states no group for which ingest would drop it without a word,
 * and it has to say when it was, because a time that is made up would be another one each time the file is imported. `written` is its JSON
 * where that is known; `received` is when the import began.
 */
export const acceptEvent = (value: unknown, written: Uint8Array | undefined, received: bigint): Verdict => {
  const wrong = eventFault(value);
  if (wrong !== null) throw new NoEvent(wrong);
  const event = asEvent(value);
  if (!isKept(event, [])) return LEFT_OUT;
  const bytes = written ?? Buffer.from(JSON.stringify(event));
  const most = event.uuid ? MAX_EVENT_BYTES + ADDED_BYTES : MAX_EVENT_BYTES;
  if (bytes.length > most) throw new NoEvent(`the event is larger than ${most} bytes`);
  checkEvent(event);
  const { marks } = measureJson(bytes);
  if (marks > MAX_OBJECT_SHAPES) limitShapes(bytes, SEED);
  const { timestamp, offset, uuid } = event;
  const time = eventTime({ timestamp, offset, ignoreSentAt: false, hasUuid: Boolean(uuid) }, { received, sentAt: null, historical: true });
  if (statesNoGroup(event)) throw new NoEvent("$group_key is longer than 400 characters, or $group_set is no object");
  if (!time.stated) throw new NoEvent(timestamp ? "timestamp is no time that can be read" : "the event has no timestamp");
  return { kind: "event", event, bytes, time, day: utcDay(time.micros), marks };
};

/** A stored event is exported with its uuid, and may have a time, a distinct_id and keys of its groups beside what was sent. */
const ADDED_BYTES = 16 * 1024;

/** Nobody prepares a file of their own against it. */
const SEED = 0x1f83d9ab;

/** Guarantee of the cast: `eventFault` found nothing wrong with its types. */
const asEvent = (value: unknown): RawEvent => value as RawEvent;

/** The reason of a refusal, for the file of rejects; undefined for a fault of ours. */
export const refusalOf = (thrown: unknown): string | undefined => {
  if (thrown instanceof NoEvent) return thrown.message;
  return thrown instanceof Refused ? thrown.message : undefined;
};
