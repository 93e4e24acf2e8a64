import { type Cache, cache, perOwner } from "../../core/cache.ts";
import { forEachConcurrent } from "../../core/concurrency.ts";
import { plainAttributes, plainKey } from "../../table/entity.ts";
import type { Context } from "../frames/context.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import { SYMBOL_SET_REF_LAYOUT } from "../stored/layouts.ts";
import type { SymbolSetRef } from "../symbol-sets.ts";
import { MOST_OPENED_BYTES, UnusableFile } from "./container.ts";
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
/** What is opened for one drain at most, in bytes of memory one behind the other: it takes some twenty seconds of processor. */
const MOST_OPENED_AT_ONCE = 4 * 1024 * 1024 * 1024;
const TOO_MANY = "Too many source maps were needed at once. Upload the source map again to have the frame resolved.";
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

/**
 * Opens the sets of a project that have one of the refs, one behind the other, and lets each go once it was used: all those that one
 * request can name would take more memory than there is. Those that have no file yet are left out.
 */
export const useSets = async (parts: SymbolParts, project: number, refs: ReadonlySet<string>, use: UseSet): Promise<void> => {
  if (refs.size === 0) return;
  const memory = remembered(parts.table);
  const allowance = { bytes: MOST_OPENED_AT_ONCE };
  const gone = await useThose(parts, memory, project, refs, { use, allowance });
  if (gone.size === 0) return;
  // Another file took the place of one that the process knew of.
  forget(memory, project, gone);
  await useThose(parts, memory, project, gone, { use, allowance });
};

type UseSet = (ref: string, set: OpenedSet) => void;

/** The set of a ref as it is now, for whoever was told that its file came just now; undefined where there is none. */
export const openNewSet = async (parts: SymbolParts, project: number, ref: string): Promise<OpenedSet | undefined> => {
  const memory = remembered(parts.table);
  const refs = new Set([ref]);
  forget(memory, project, refs);
  await findFiles(parts, memory, project, refs, { consistent: true });
  let found: OpenedSet | undefined;
  await useSets(parts, project, refs, (_, set) => {
    found = set;
  });
  return found;
};

const forget = ({ files }: Memory, project: number, refs: ReadonlySet<string>): void => {
  for (const ref of refs) files.set(`${project}#${ref}`, null, 0);
};

interface Use {
  readonly use: UseSet;
  /** What may still be opened of files that the process does not know yet. */
  readonly allowance: { bytes: number };
}

/** Gives those refs whose file is not there any more. */
const useThose = async (
  parts: SymbolParts,
  memory: Memory,
  project: number,
  refs: ReadonlySet<string>,
  { use, allowance }: Use,
): Promise<ReadonlySet<string>> => {
  const gone = new Set<string>();
  await forEachConcurrent(await findFiles(parts, memory, project, refs), LANES, async ([ref, object]) => {
    const known = memory.opened.get(object);
    if (known !== undefined) return use(ref, known);
    if (allowance.bytes <= 0) return use(ref, unopened(object, TOO_MANY));
    const opened = await openFile(parts, object);
    if (opened === undefined) {
      gone.add(ref);
      return;
    }
    allowance.bytes -= opened.taken;
    memory.opened.set(object, opened);
    use(ref, opened);
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
    return { object, taken: map.bytes, bytes: map.bytes + MAX_PLACES * PLACE_BYTES, resolve: resolver(map) };
  } catch (fault) {
    if (!(fault instanceof UnusableFile)) throw fault;
    return { ...unopened(object, fault.message), taken: MOST_OPENED_BYTES, bytes: PLACE_BYTES };
  }
};

const unopened = (object: string, failure: string): OpenedSet => ({ object, failure, resolve: () => undefined });

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
