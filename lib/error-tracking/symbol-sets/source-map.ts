import {
  type EncodedSourceMap,
  FlattenMap,
  isIgnored,
  originalPositionFor,
  sourceContentFor,
  type TraceMap,
  traceSegment,
} from "@jridgewell/trace-mapping";
import { isFields } from "../../event/fields.ts";
import { openContainer, UnusableFile } from "./container.ts";
import { isWhole, ownName, placeOfDefinition } from "./function-name.ts";
import { readScopes, scopeAt } from "./hermes-scopes.ts";

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

/** A character of `mappings` becomes about so many bytes of memory, once they are decoded. */
const BYTES_PER_CHARACTER = 20;

/** Opens an uploaded file. Throws `UnusableFile`, also where it would take more than `mostBytes` of memory. */
export const openSourceMap = (file: Uint8Array, mostBytes: number): SourceMap => {
  const { code, map: text } = openContainer(file);
  const { maps, ...whole } = readMap(text);
  const bytes = maps.reduce((sum, { mappings }) => sum + mappings.length * BYTES_PER_CHARACTER, code.length + text.length);
  if (bytes > mostBytes) {
    throw new UnusableFile("The source map is too large to be used. Split the chunk into smaller ones.");
  }
  return readable(code, whole, bytes);
};

interface WholeMap {
  readonly json: EncodedSourceMap | SectionedSourceMap;
  readonly functions: unknown;
}

/** The map as it is, and the maps that it is put together of, which is itself where it has no sections. */
const readMap = (text: string): WholeMap & { readonly maps: readonly EncodedSourceMap[] } => {
  const json = parsed(text);
  const functions = isFields(json) ? json.x_facebook_sources : undefined;
  if (isMap(json)) return { json, functions, maps: [json] };
  if (isSectioned(json)) return { json, functions, maps: json.sections.map(({ map }) => map) };
  throw new UnusableFile("The uploaded source map is none of version 3.");
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnusableFile("The uploaded source map is not valid JSON.");
  }
};

interface SectionedSourceMap {
  readonly version: 3;
  readonly sections: readonly { readonly offset: { readonly line: number; readonly column: number }; readonly map: EncodedSourceMap }[];
}

const isMap = (json: unknown): json is EncodedSourceMap =>
  isFields(json) &&
  json.version === 3 &&
  typeof json.mappings === "string" &&
  isTexts(json.sources) &&
  (json.names === undefined || isTexts(json.names)) &&
  (json.sourcesContent === undefined || isTexts(json.sourcesContent));

const isTexts = (list: unknown): boolean => Array.isArray(list) && list.every((text) => text === null || typeof text === "string");

const isSectioned = (json: unknown): json is SectionedSourceMap =>
  isFields(json) &&
  json.version === 3 &&
  Array.isArray(json.sections) &&
  json.sections.every((section: unknown) => isFields(section) && isFields(section.offset) && isMap(section.map));

const readable = (code: string, { json, functions }: WholeMap, bytes: number): SourceMap => {
  const trace = traced(json);
  const scopes = readScopes(functions);
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
      const found = originalPositionFor(trace, { line: place.line + 1, column: place.column });
      if (found.source === null) return undefined;
      const own = scopes[trace.resolvedSources.indexOf(found.source)];
      return {
        source: readablePath(found.source),
        line: found.line,
        column: found.column + 1,
        function: own === undefined ? definedName(place) : scopeAt(own, found.line, found.column),
        isLibrary: found.source.includes("node_modules") || isIgnored(trace, found.source),
        content: sourceContentFor(trace, found.source) ?? undefined,
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

const lineOf = (starts: readonly number[], at: number): number => starts.findLastIndex((start) => start <= at);

/** A source's path as its project has it: without the schemes of bundlers and the way up out of their folders. */
const readablePath = (source: string): string => source.replace(/^webpack(?:-internal)?:\/\/[^/]*\//, "").replace(/^(?:\.{1,2}\/)+/, "");
