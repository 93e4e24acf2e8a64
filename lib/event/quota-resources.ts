import type { RawEvent } from "./envelope.ts";

type Named = Pick<RawEvent, "event" | "properties">;

const SURVEY_EVENTS: ReadonlySet<string> = new Set(["survey sent", "survey shown", "survey dismissed"]);

const isException = ({ event }: Named): boolean => event === "$exception";
const isOfModel = ({ event }: Named): boolean => event.startsWith("$ai_");
/** Surveys that belong to a product tour are events like others. */
const isOfSurvey = ({ event, properties }: Named): boolean => SURVEY_EVENTS.has(event) && (properties?.$product_tour_id ?? null) === null;

/**
 * The events that the limit of each resource drops. A limited family drops its own events only; a limited `events` drops what belongs to no
 * family, so an event of a family whose own resource is not limited always stays. A piece of a recording is an event as well.
 */
const DROPPED = {
  events: (event) => !isException(event) && !isOfModel(event) && !isOfSurvey(event),
  exceptions: isException,
  llm_events: isOfModel,
  survey_responses: isOfSurvey,
  recordings: ({ event }) => event === "$snapshot",
} as const satisfies Readonly<Record<string, (event: Named) => boolean>>;

/** A resource whose limit drops events. Another one is a row above, and a row of the table of usage identifiers. */
export type EventResource = keyof typeof DROPPED;

export const isEventResource = (name: string): name is EventResource => Object.hasOwn(DROPPED, name);

export const EVENT_RESOURCES: readonly EventResource[] = Object.keys(DROPPED).filter(isEventResource);

/** Whether a quota drops the event, given the resources that are used up. */
export const isDropped = (event: Named, limited: readonly EventResource[]): boolean => limited.some((resource) => DROPPED[resource](event));
