import { type Cache, cache, perOwner } from "../../core/cache.ts";
import { forEachConcurrent } from "../../core/concurrency.ts";
import { plainAttributes, plainKey } from "../../table/entity.ts";
import type { Context } from "../frames/context.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { SYMBOL_SET_REF_LAYOUT } from "../stored/layouts.ts";
import type { SymbolSetRef } from "../symbol-sets.ts";
import { UnusableFile } from "./container.ts";
import { ownName } from "./function-name.ts";
import { linesAround } from "./lines-around.ts";
import { type BuiltPlace, openSourceMap, type SourceMap, type SourcePlace } from "./source-map.ts";

/** The parts that resolving needs. */
export type SymbolParts = Pick<TrackingParts, "table" | "objects" | "clock">;

/** A place in the sources, with the lines around it. */
export interface ResolvedPlace extends Omit<SourcePlace, "content"> {
  readonly context: Context | null;
}

/** A set whose file is open, or the sentence that says why it cannot be. */
export interface OpenedSet {
  /** The key of the file. */
  readonly object: string;
  readonly failure?: string;
  /** `caller` is the place that called, where it is of the same set. */
  resolve(place: BuiltPlace, caller: BuiltPlace | undefined): ResolvedPlace | undefined;
}

/** How long a process knows which file a set has, milliseconds, and that there is none: one may be uploaded at any moment. */
const KEPT_MS = 30_000;
const ABSENT_MS = 5_000;
const MAX_KNOWN = 20_000;

/** What a process keeps of opened files, and what one may take at most: what is left is for events. */
const KEPT_BYTES = 320 * 1024 * 1024;
const MOST_BYTES = 256 * 1024 * 1024;
/** Places that are remembered of one file: the same frames come again and again. */
const MAX_PLACES = 2_000;
const PLACE_BYTES = 4_000;

/** Files that are read and opened side by side. */
const LANES = 2;

interface Memory {
  /** By project and ref: the key of the file, and null where there is none. */
  readonly files: Cache<string, string | null>;
  readonly opened: Cache<string, OpenedSet & { readonly bytes: number }>;
}

const remembered = perOwner(
  (_: SymbolParts["table"]): Memory => ({
    files: cache({ capacity: MAX_KNOWN }),
    opened: cache({ capacity: KEPT_BYTES, weigh: ({ bytes }) => bytes }),
  }),
);

/** The opened sets of a project that have one of the refs; of those that have no file yet there is none. */
export const openSets = async (parts: SymbolParts, project: number, refs: ReadonlySet<string>): Promise<ReadonlyMap<string, OpenedSet>> => {
  if (refs.size === 0) return new Map();
  const memory = remembered(parts.table);
  const sets = new Map<string, OpenedSet>();
  const gone = await openInto(sets, parts, memory, project, refs);
  if (gone.size === 0) return sets;
  // Another file took the place of one that the process knew of.
  forget(memory, project, gone);
  await openInto(sets, parts, memory, project, gone);
  return sets;
};

/** The same, but as the sets are now: for whoever was told that their files came just now. */
export const openNewSets = async (
  parts: SymbolParts,
  project: number,
  refs: ReadonlySet<string>,
): Promise<ReadonlyMap<string, OpenedSet>> => {
  const memory = remembered(parts.table);
  forget(memory, project, refs);
  await findFiles(parts, memory, project, refs, { consistent: true });
  return openSets(parts, project, refs);
};

const forget = ({ files }: Memory, project: number, refs: ReadonlySet<string>): void => {
  for (const ref of refs) files.set(`${project}#${ref}`, null, 0);
};

/** Gives those refs whose file is not there any more. */
const openInto = async (
  sets: Map<string, OpenedSet>,
  parts: SymbolParts,
  memory: Memory,
  project: number,
  refs: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const gone = new Set<string>();
  await forEachConcurrent(await findFiles(parts, memory, project, refs), LANES, async ([ref, object]) => {
    const known = memory.opened.get(object);
    const set = known ?? (await openFile(parts, object));
    if (set === undefined) gone.add(ref);
    else sets.set(ref, set);
    if (set !== undefined && set !== known) memory.opened.set(object, set);
  });
  return gone;
};

/** The keys of the files, by ref. */
const findFiles = async (
  { table, clock }: SymbolParts,
  { files }: Memory,
  project: number,
  refs: ReadonlySet<string>,
  options?: { readonly consistent: boolean },
): Promise<ReadonlyMap<string, string>> => {
  const now = clock.now();
  const found = new Map<string, string>();
  const unknown: string[] = [];
  for (const ref of refs) {
    const known = files.get(`${project}#${ref}`, now);
    if (known === undefined) unknown.push(ref);
    else if (known !== null) found.set(ref, known);
  }
  if (unknown.length === 0) return found;
  const keys = unknown.map((ref) => plainKey(SYMBOL_SET_REF_LAYOUT, { project, ref }));
  const items = await table.getMany(keys, options);
  for (const { ref, object } of items.map((item) => plainAttributes<SymbolSetRef>(SYMBOL_SET_REF_LAYOUT, item))) {
    if (object !== null) found.set(ref, object);
  }
  for (const ref of unknown) {
    const object = found.get(ref) ?? null;
    files.set(`${project}#${ref}`, object, now + (object === null ? ABSENT_MS : KEPT_MS));
  }
  return found;
};

/** Undefined where the file was removed a moment ago. */
const openFile = async ({ objects }: SymbolParts, object: string) => {
  const bytes = await objects.get(object);
  if (bytes === undefined) return undefined;
  try {
    const map = openSourceMap(bytes, MOST_BYTES);
    return { object, bytes: map.bytes + MAX_PLACES * PLACE_BYTES, resolve: resolver(map) };
  } catch (fault) {
    if (!(fault instanceof UnusableFile)) throw fault;
    return { object, bytes: PLACE_BYTES, failure: fault.message, resolve: () => undefined };
  }
};

const resolver = (map: SourceMap): OpenedSet["resolve"] => {
  const places = cache<string, ResolvedPlace | "none">({ capacity: MAX_PLACES });
  return (place, caller) => {
    const key = [place.line, place.column, place.function, caller?.line, caller?.column].join(" ");
    const known = places.get(key) ?? resolve(map, place, caller) ?? "none";
    places.set(key, known);
    return known === "none" ? undefined : known;
  };
};

const resolve = (map: SourceMap, place: BuiltPlace, caller: BuiltPlace | undefined): ResolvedPlace | undefined => {
  const found = map.locate(place);
  if (found === undefined) return undefined;
  const { content, ...at } = found;
  return { ...at, function: at.function ?? calledName(map, place, caller), context: linesAround(content, at.line) };
};

/** What the caller's source calls the function, where its built code calls it as the engine does. */
const calledName = (map: SourceMap, { function: said }: BuiltPlace, caller: BuiltPlace | undefined): string | undefined => {
  const name = ownName(said);
  return name === undefined || caller === undefined ? undefined : map.calledAt(caller, name);
};
