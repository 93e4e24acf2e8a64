import type { RawEvent } from "./envelope.ts";

/** The resources whose limit drops events. */
export const EVENT_RESOURCES = ["events", "exceptions", "llm_events", "survey_responses", "recordings"] as const;
export type EventResource = (typeof EVENT_RESOURCES)[number];

const SURVEY_EVENTS: ReadonlySet<string> = new Set(["survey sent", "survey shown", "survey dismissed"]);

/** The resource that an event counts against: its own family's, else the global one. */
export const resourceOf = (event: Pick<RawEvent, "event" | "properties">): EventResource => {
  if (event.event === "$exception") return "exceptions";
  if (event.event.startsWith("$ai_")) return "llm_events";
  if (SURVEY_EVENTS.has(event.event) && (event.properties?.$product_tour_id ?? null) === null) return "survey_responses";
  return "events";
};

/** A piece of a recording counts as recordings, and is an event as well. */
const isOfRecording = ({ event }: Pick<RawEvent, "event">): boolean => event === "$snapshot";

/**
 * Whether a quota drops the event. A limited family drops its own events only; a limited `events` drops what belongs to no
 * family, so an event of a family whose own resource is not limited always stays.
 */
export const isDropped = (event: Pick<RawEvent, "event" | "properties">, limited: readonly EventResource[]): boolean =>
  limited.length > 0 && (limited.includes(resourceOf(event)) || (limited.includes("recordings") && isOfRecording(event)));
