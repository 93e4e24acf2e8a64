import { forEachConcurrent } from "../core/concurrency.ts";
import { pages } from "../table/store.ts";
import type { Frame } from "./frames/resolved-frame.ts";
import { type StackFrame, StackFrames } from "./stack-frames.ts";
import { storeResolved } from "./stored/frames.ts";
import { type OpenedSet, openNewSet, type SymbolParts } from "./symbol-sets/opened-sets.ts";
import { frameOfSources } from "./symbol-sets/resolved-frame.ts";
import type { BuiltPlace } from "./symbol-sets/source-map.ts";

/** Frames that are resolved side by side. */
const LANES = 16;

/**
 * Resolves the stored frames of some chunks whose source maps came after them, or came anew. Gives those refs that there was no time
 * to end. Safe to be cut off, and to run beside itself: a frame that the same file resolved is passed over.
 */
export const resolveLateFrames = async (
  parts: SymbolParts,
  project: number,
  refs: readonly string[],
  mayGoOn: () => boolean,
): Promise<readonly string[]> => {
  for (const [at, chunk] of refs.entries()) {
    if (!mayGoOn()) return refs.slice(at);
    const set = await openNewSet(parts, project, chunk);
    if (set === undefined) continue;
    for await (const frames of pages(parts.table, StackFrames, "ofChunk", { project, chunk }, { limit: 500 })) {
      if (!mayGoOn()) return refs.slice(at);
      await forEachConcurrent(frames, LANES, (frame) => resolveStored(parts, frame, set));
    }
  }
  return [];
};

const resolveStored = async (parts: SymbolParts, stored: StackFrame, set: OpenedSet): Promise<void> => {
  const { chunk, built, resolved_by } = stored;
  if (chunk === undefined || built === undefined || resolved_by === set.object) return;
  const place: BuiltPlace = JSON.parse(built);
  const found = set.resolve(place, undefined);
  if (found === undefined && resolved_by !== undefined) return;
  const contents: Frame = JSON.parse(stored.contents);
  const frame = frameOfSources(contents, set, found);
  const context = found === undefined ? contextOf(stored) : found.context;
  await storeResolved(parts, stored, {
    frame,
    context,
    mappable: { ref: chunk, place },
    resolvedBy: found === undefined ? undefined : set.object,
  });
};

const contextOf = ({ context }: StackFrame) => (context === null ? null : JSON.parse(context));
