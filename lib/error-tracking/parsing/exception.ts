import { type Fields, isFields } from "../../event/fields.ts";
import { type RawFrame, readRawFrame } from "../frames/raw-frame.ts";
import { type Frame, readResolvedFrame } from "../frames/resolved-frame.ts";
import type { Faults } from "./faults.ts";
import { cutToBytes, optionalFlag, optionalInteger, optionalText, ParseError, type Place } from "./fields.ts";

export interface Mechanism {
  readonly handled?: boolean;
  readonly type?: string;
  readonly source?: string;
  readonly synthetic?: boolean;
}

/** Frames as a client sent them, or as somebody resolved them before. */
export type Stack =
  | { readonly type: "raw"; readonly frames: readonly RawFrame[] }
  | { readonly type: "resolved"; readonly frames: readonly Frame[] };

/** One exception of a chain: the caught one first, its root cause last. */
export interface RawException {
  readonly type: string;
  readonly value: string;
  readonly mechanism: Mechanism | null;
  readonly module: string | undefined;
  readonly threadId: number | undefined;
  readonly stack: Stack | null;
}

const MOST_TYPE_BYTES = 255;
const MOST_VALUE_BYTES = 10_000;

/** The type of an exception that says none. */
const NO_TYPE = "Error";

/**
 * The exceptions of a `$exception` event, of which only the objects are. What is wrong within one is left out of it and told to `faults`.
 * Throws `ParseError` where there is none at all.
 */
export const readExceptions = (properties: Fields, faults: Faults): readonly RawException[] => {
  const list = properties.$exception_list;
  if (list === undefined || list === null) throw new ParseError("$exception_list is missing");
  if (!Array.isArray(list)) throw new ParseError("$exception_list must be a list");
  if (list.length === 0) throw new ParseError("$exception_list is empty");
  const exceptions = list.flatMap((exception: unknown, index) => readException(exception, { path: `$exception_list[${index}]`, faults }));
  if (exceptions.length === 0) throw new ParseError("$exception_list has no exception");
  return exceptions;
};

const readException = (exception: unknown, place: Place): readonly RawException[] => {
  if (!isFields(exception)) {
    notAnObject(place);
    return [];
  }
  const type = optionalText(exception, "type", place);
  if (type === undefined) place.faults.note(`${place.path} has no type`);
  return [
    {
      type: cutToBytes(type ?? NO_TYPE, MOST_TYPE_BYTES),
      value: cutToBytes(optionalText(exception, "value", place) ?? "", MOST_VALUE_BYTES),
      mechanism: readMechanism(exception.mechanism, within(place, "mechanism")),
      module: optionalText(exception, "module", place),
      threadId: optionalInteger(exception, "thread_id", place),
      stack: readStack(exception.stacktrace, within(place, "stacktrace")),
    },
  ];
};

const readMechanism = (value: unknown, place: Place): Mechanism | null => {
  if (value === undefined || value === null) return null;
  if (!isFields(value)) return notAnObject(place);
  const handled = optionalFlag(value, "handled", place);
  const type = optionalText(value, "type", place);
  const source = optionalText(value, "source", place);
  const synthetic = optionalFlag(value, "synthetic", place);
  return {
    ...(handled !== undefined && { handled }),
    ...(type !== undefined && { type }),
    ...(source !== undefined && { source }),
    ...(synthetic !== undefined && { synthetic }),
  };
};

const readStack = (value: unknown, place: Place): Stack | null => {
  if (value === undefined || value === null) return null;
  if (!isFields(value)) return notAnObject(place);
  const { frames } = value;
  if (!Array.isArray(frames)) {
    place.faults.note(`${place.path}: frames must be a list`);
    return null;
  }
  const read = <F>(one: (frame: unknown, place: Place) => F): readonly F[] =>
    frames.map((frame: unknown, index) => one(frame, { path: `${place.path}.frames[${index}]`, faults: place.faults }));
  if (value.type === "resolved") return { type: "resolved", frames: read(readResolvedFrame) };
  if (value.type !== "raw") place.faults.note(`${place.path}: type must be raw or resolved`);
  return { type: "raw", frames: read(readRawFrame) };
};

const within = ({ path, faults }: Place, key: string): Place => ({ path: `${path}.${key}`, faults });

const notAnObject = ({ path, faults }: Place): null => {
  faults.note(`${path} must be an object`);
  return null;
};
