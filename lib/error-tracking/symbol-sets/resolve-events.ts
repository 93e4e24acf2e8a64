import type { Context } from "../frames/context.ts";
import type { Frame } from "../frames/resolved-frame.ts";
import { type ParsedEvent, withFrames } from "../parsing/parsed-event.ts";
import type { ReadEvent } from "../pipeline/read-event.ts";
import { type SymbolParts, useSets } from "./opened-sets.ts";
import { frameOfSources } from "./resolved-frame.ts";
import type { BuiltPlace } from "./source-map.ts";

/**
 * The events with those frames of built code replaced for which a source map was uploaded, by the places and names of the sources.
 * One look-up for all of them; none where no frame names a chunk.
 */
export const resolveEvents = async <Unread extends object>(
  parts: SymbolParts,
  project: number,
  events: readonly (ReadEvent | Unread)[],
): Promise<readonly (ReadEvent | Unread)[]> => {
  const wanted = new Map<string, WantedFrame[]>();
  for (const each of events) if (isRead(each)) noteWanted(wanted, each.event);
  const found: FoundFrames = new Map();
  await useSets(parts, project, new Set(wanted.keys()), (ref, set) => {
    for (const { frame, place, caller } of wanted.get(ref) ?? []) {
      const resolved = set.resolve(place, caller);
      const by = resolved && { object: set.object, context: resolved.context };
      found.set(frame, { frame: frameOfSources(frame, set, resolved), by });
    }
  });
  if (found.size === 0) return events;
  return events.map((each) => (isRead(each) ? { ...each, event: withFound(each.event, found) } : each));
};

const isRead = <Unread extends object>(event: ReadEvent | Unread): event is ReadEvent => "event" in event;

/** A frame as it was read, with the place that a map is asked for, and the place that called, where it is of the same set. */
interface WantedFrame {
  readonly frame: Frame;
  readonly place: BuiltPlace;
  readonly caller: BuiltPlace | undefined;
}

const noteWanted = (wanted: Map<string, WantedFrame[]>, { exceptions, mappable }: ParsedEvent): void => {
  for (const { frames } of exceptions) {
    for (const [at, frame] of (frames ?? []).entries()) {
      const own = mappable.get(frame.raw_id);
      if (own === undefined) continue;
      // The one that called stands before: the frame that failed is the last.
      const calling = mappable.get(frames?.[at - 1]?.raw_id ?? "");
      const entry = { frame, place: own.place, caller: calling?.ref === own.ref ? calling.place : undefined };
      const beside = wanted.get(own.ref);
      if (beside) beside.push(entry);
      else wanted.set(own.ref, [entry]);
    }
  }
};

/** By the frame as it was read: that of the sources, and the file that told it, unless that has nothing for its place. */
type FoundFrames = Map<
  Frame,
  { readonly frame: Frame; readonly by: { readonly object: string; readonly context: Context | null } | undefined }
>;

const withFound = (event: ParsedEvent, found: FoundFrames): ParsedEvent => {
  const contexts = new Map<string, Context>(event.contexts);
  const resolvedBy = new Map<string, string>();
  const resolved = withFrames(event, (frames) =>
    frames.map((frame) => {
      const { frame: replaced = frame, by } = found.get(frame) ?? {};
      if (by !== undefined) {
        resolvedBy.set(frame.raw_id, by.object);
        // What the client sent around it is built code.
        contexts.delete(frame.raw_id);
        if (by.context !== null) contexts.set(frame.raw_id, by.context);
      }
      return replaced;
    }),
  );
  return { ...resolved, contexts, resolvedBy };
};
