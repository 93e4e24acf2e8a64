import { compactFrame, type Frame } from "../frames/resolved-frame.ts";
import { cutToBytes } from "../parsing/fields.ts";
import { ownName } from "./function-name.ts";
import type { OpenedSet, ResolvedPlace } from "./opened-sets.ts";

/** A frame is stored with each of its events: what a map says longer than anybody reads would make these as large as the map. */
const MOST_SOURCE_BYTES = 2_000;
const MOST_NAME_BYTES = 1_000;

/** A frame of built code as its sources have it; without the place, one that says why there is none. */
export const frameOfSources = (frame: Frame, { failure }: OpenedSet, place: ResolvedPlace | undefined): Frame => {
  const { raw_id, mangled_name, lang, synthetic, suspicious, junk_drawer, code_variables } = frame;
  const kept = { raw_id, mangled_name, lang, synthetic, junk_drawer, code_variables };
  if (place === undefined) {
    const why = failure ?? "The source map that was uploaded has nothing for this place.";
    return { ...frame, resolve_failure: why };
  }
  return compactFrame({
    ...kept,
    line: place.line,
    column: place.column,
    source: cutToBytes(place.source, MOST_SOURCE_BYTES),
    module: undefined,
    in_app: !place.isLibrary,
    resolved_name: place.function === undefined ? unchangedName(mangled_name) : cutToBytes(place.function, MOST_NAME_BYTES),
    resolved: true,
    resolve_failure: undefined,
    suspicious: suspicious || place.source.includes("posthog-js@"),
  });
};

/** Short names are what a build makes of longer ones: they say nothing, and change with every build. */
const SHORT = 3;

/** The name in the built code, where it may well be that of the sources. */
const unchangedName = (said: string): string | undefined => {
  const name = ownName(said);
  if (name === undefined) return "<anonymous>";
  return name.length < SHORT ? undefined : name;
};
