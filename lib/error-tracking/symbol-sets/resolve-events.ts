import type { Context } from "../frames/context.ts";
import type { Frame } from "../frames/resolved-frame.ts";
import { type ParsedEvent, withFrames } from "../parsing/parsed-event.ts";
import type { ReadEvent } from "../pipeline/read-event.ts";
import { type OpenedSet, openSets, type SymbolParts } from "./opened-sets.ts";
import { frameOfSources } from "./resolved-frame.ts";

/**
 * The events with those frames of built code replaced for which a source map was uploaded, by the places and names of the sources.
 * One look-up for all of them; none where no frame names a chunk.
 */
export const resolveEvents = async <Unread extends object>(
  parts: SymbolParts,
  project: number,
  events: readonly (ReadEvent | Unread)[],
): Promise<readonly (ReadEvent | Unread)[]> => {
  const refs = new Set(events.flatMap((each) => (isRead(each) ? [...each.event.mappable.values()].map(({ ref }) => ref) : [])));
  const sets = await openSets(parts, project, refs);
  if (sets.size === 0) return events;
  return events.map((each) => (isRead(each) ? { ...each, event: resolveEvent(each.event, sets) } : each));
};

const isRead = <Unread extends object>(event: ReadEvent | Unread): event is ReadEvent => "event" in event;

const resolveEvent = (event: ParsedEvent, sets: ReadonlyMap<string, OpenedSet>): ParsedEvent => {
  const { mappable } = event;
  const contexts = new Map<string, Context>(event.contexts);
  const resolvedBy = new Map<string, string>();
  const resolveOne = (frame: Frame, caller: Frame | undefined): Frame => {
    const own = mappable.get(frame.raw_id);
    const set = sets.get(own?.ref ?? "");
    if (own === undefined || set === undefined) return frame;
    const calling = mappable.get(caller?.raw_id ?? "");
    const place = set.resolve(own.place, calling?.ref === own.ref ? calling.place : undefined);
    if (place !== undefined) {
      resolvedBy.set(frame.raw_id, set.object);
      // What the client sent around it is built code.
      contexts.delete(frame.raw_id);
      if (place.context !== null) contexts.set(frame.raw_id, place.context);
    }
    return frameOfSources(frame, set, place);
  };
  // The one that called stands before: the frame that failed is the last.
  const resolved = withFrames(event, (frames) => frames.map((frame, at) => resolveOne(frame, frames[at - 1])));
  return { ...resolved, contexts, resolvedBy };
};
