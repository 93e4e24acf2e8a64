import { type EncodedSourceMap, FlattenMap, type TraceMap, traceSegment } from "@jridgewell/trace-mapping";
import { firstWhere } from "../../core/first-where.ts";
import { beyondBounds } from "../../core/json-scan.ts";
import { type Fields, isFields } from "../../event/fields.ts";
import { openContainer, UnusableFile } from "./container.ts";
import { isWhole, ownName, placeOfDefinition } from "./function-name.ts";
import { readScopes, scopeAt, scopeCharacters } from "./hermes-scopes.ts";

/** A place in built code: line and column from 0. */
export interface BuiltPlace {
  readonly line: number;
  readonly column: number;
  /** What the engine calls the function. */
  readonly function: string;
}

/** The same place in the sources: line and column from 1, as an editor shows them. */
export interface SourcePlace {
  readonly source: string;
  readonly line: number;
  readonly column: number;
  /** Undefined where nothing tells it. */
  readonly function: string | undefined;
  /** Whether the map or the path says that it is of a library. */
  readonly isLibrary: boolean;
  /** The text of the original file; undefined where the map does not bring it. */
  readonly content: string | undefined;
}

/** An opened symbol set. */
export interface SourceMap {
  /** About what it takes of the process's memory. */
  readonly bytes: number;
  /** Undefined where the map has nothing for the place. */
  locate(place: BuiltPlace): SourcePlace | undefined;
  /** The name in the sources of what is called at a place, if that is called `name` in the built code. */
  calledAt(place: BuiltPlace, name: string): string | undefined;
}

/** A character of places becomes about so many bytes of memory, once they are decoded. */
const BYTES_PER_CHARACTER = 20;
/** What a line of code, and one that a section begins behind, takes beside its text. */
const BYTES_PER_LINE = 40;

/** What a map is made of beside its long texts: far more than the sources and names of any bundle. */
const BOUNDS = { maxDepth: 128, maxValues: 2_000_000 };

/** Opens an uploaded file. Throws `UnusableFile`, also where it would take more than `mostBytes` of memory. */
export const openSourceMap = (file: Uint8Array, mostBytes: number): SourceMap => {
  const { code, map: text } = openContainer(file);
  const whole = readMap(text);
  const lines = linesOf(code) + whole.linesBefore;
  const characters = whole.maps.reduce((sum, { mappings }) => sum + mappings.length, scopeCharacters(whole.functions));
  const bytes = code.length + text.length + lines * BYTES_PER_LINE + characters * BYTES_PER_CHARACTER;
  if (bytes > mostBytes) throw tooLarge();
  return readable(code, whole, bytes);
};

const tooLarge = (): UnusableFile => new UnusableFile("The source map is too large to be used. Split the chunk into smaller ones.");

const linesOf = (code: string): number => {
  let lines = 1;
  for (let at = code.indexOf("\n"); at !== -1; at = code.indexOf("\n", at + 1)) lines += 1;
  return lines;
};

interface WholeMap {
  readonly json: PlainMap | SectionedSourceMap;
  /** The maps that it is put together of, which is itself where it has no sections. */
  readonly maps: readonly PlainMap[];
  /** What metro says of the functions of each source. */
  readonly functions: readonly unknown[];
  /** The last line that a section begins at. */
  readonly linesBefore: number;
}

const readMap = (text: string): WholeMap => {
  const json = parsed(text);
  if (isMap(json)) return { json, maps: [json], functions: functionsOf(json), linesBefore: 0 };
  if (!isSectioned(json)) throw new UnusableFile("The uploaded source map is none of version 3.");
  const maps = json.sections.map(({ map }) => map);
  const linesBefore = json.sections.reduce((most, { offset }) => Math.max(most, offset.line), 0);
  return { json, maps, functions: maps.flatMap(functionsOf), linesBefore };
};

const functionsOf = ({ sources, x_facebook_sources: told }: PlainMap): readonly unknown[] =>
  sources.map((_, at): unknown => (Array.isArray(told) ? told[at] : undefined));

const parsed = (text: string): unknown => {
  if (beyondBounds(Buffer.from(text), BOUNDS) !== undefined) throw tooLarge();
  try {
    return JSON.parse(text);
  } catch {
    throw new UnusableFile("The uploaded source map is not valid JSON.");
  }
};

type PlainMap = EncodedSourceMap & Fields;

interface SectionedSourceMap {
  readonly version: 3;
  readonly sections: readonly { readonly offset: { readonly line: number; readonly column: number }; readonly map: PlainMap }[];
}

const isMap = (json: unknown): json is PlainMap =>
  isFields(json) &&
  json.version === 3 &&
  typeof json.mappings === "string" &&
  isTexts(json.sources) &&
  isTexts(json.names ?? []) &&
  isTexts(json.sourcesContent ?? []) &&
  Array.isArray(json.ignoreList ?? []) &&
  Array.isArray(json.x_google_ignoreList ?? []);

const isTexts = (list: unknown): boolean => Array.isArray(list) && list.every((text) => text === null || typeof text === "string");

const isSectioned = (json: unknown): json is SectionedSourceMap =>
  isFields(json) &&
  json.version === 3 &&
  Array.isArray(json.sections) &&
  json.sections.every((section: unknown) => isFields(section) && isOffset(section.offset) && isMap(section.map));

const isOffset = (offset: unknown): boolean => isFields(offset) && isPlace(offset.line) && isPlace(offset.column);
const isPlace = (number: unknown): boolean => typeof number === "number" && Number.isSafeInteger(number) && number >= 0;

const readable = (code: string, { json, functions }: WholeMap, bytes: number): SourceMap => {
  const trace = traced(json);
  const scopes = readScopes(functions);
  const ignored = new Set(trace.ignoreList);
  const starts = lineStarts(code);
  const offset = ({ line, column }: Omit<BuiltPlace, "function">): number | undefined => {
    const start = starts[line];
    return start === undefined ? undefined : start + column;
  };
  /** The original name of what stands at an offset of the code; the word itself where the build kept it. */
  const nameAt = (at: number, name: string): string | undefined => {
    const line = lineOf(starts, at);
    const column = at - (starts[line] ?? 0);
    const segment = traceSegment(trace, line, column);
    // A longer segment that merely holds the place names something else.
    if (segment === null || segment.length !== 5 || segment[0] !== column) return name;
    return trace.names[segment[4]] ?? name;
  };
  const definedName = (place: BuiltPlace): string | undefined => {
    const name = ownName(place.function);
    const from = offset(place);
    if (name === undefined || from === undefined) return undefined;
    const at = placeOfDefinition(code, from, name);
    return at === undefined ? undefined : nameAt(at, name);
  };
  return {
    bytes,
    locate(place) {
      const segment = traceSegment(trace, place.line, place.column);
      if (segment === null || segment.length === 1) return undefined;
      const [, index, line, column] = segment;
      const source = trace.resolvedSources[index];
      // A broken map leads to a source that it does not list, or to before its beginning.
      if (typeof source !== "string" || line < 0 || column < 0) return undefined;
      const own = scopes[index];
      return {
        source: readablePath(source),
        line: line + 1,
        column: column + 1,
        function: own === undefined ? definedName(place) : scopeAt(own, line + 1, column),
        isLibrary: source.includes("node_modules") || ignored.has(index),
        content: trace.sourcesContent?.[index] ?? undefined,
      };
    },
    calledAt(place, name) {
      const at = offset(place);
      return at !== undefined && code.startsWith(name, at) && isWhole(code, at, name.length) ? nameAt(at, name) : undefined;
    },
  };
};

/** Decodes the places, which is most of the work: a fault in them is one of the file. */
const traced = (json: WholeMap["json"]): TraceMap => {
  try {
    const trace = FlattenMap(json);
    traceSegment(trace, 0, 0);
    return trace;
  } catch {
    throw new UnusableFile("The places in the uploaded source map cannot be read.");
  }
};

const lineStarts = (code: string): readonly number[] => {
  const starts = [0];
  for (let at = code.indexOf("\n"); at !== -1; at = code.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
};

const lineOf = (starts: readonly number[], at: number): number => firstWhere(starts, (start) => start > at) - 1;

/** A source's path as its project has it: without the schemes of bundlers and the way up out of their folders. */
const readablePath = (source: string): string => source.replace(/^webpack(?:-internal)?:\/\/[^/]*\//, "").replace(/^(?:\.{1,2}\/)+/, "");
