import { type Fields, isFields } from "../../event/fields.ts";
import { type RawFrame, readRawFrame } from "../frames/raw-frame.ts";
import { type Frame, readResolvedFrame } from "../frames/resolved-frame.ts";
import { cutToBytes, optionalFlag, optionalInteger, optionalText, ParseError, requiredText } from "./fields.ts";

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

/** The exceptions of a `$exception` event. Throws `ParseError`. */
export const readExceptions = (properties: Fields): readonly RawException[] => {
  const list = properties.$exception_list;
  if (list === undefined || list === null) throw new ParseError("$exception_list is missing");
  if (!Array.isArray(list)) throw new ParseError("$exception_list must be a list");
  if (list.length === 0) throw new ParseError("$exception_list is empty");
  return list.map((exception: unknown, index) => readException(exception, `$exception_list[${index}]`));
};

const readException = (exception: unknown, place: string): RawException => {
  if (!isFields(exception)) throw new ParseError(`${place} must be an object`);
  return {
    type: cutToBytes(requiredText(exception, "type", place), MOST_TYPE_BYTES),
    value: cutToBytes(optionalText(exception, "value", place) ?? "", MOST_VALUE_BYTES),
    mechanism: readMechanism(exception.mechanism, `${place}.mechanism`),
    module: optionalText(exception, "module", place),
    threadId: optionalInteger(exception, "thread_id", place),
    stack: readStack(exception.stacktrace, `${place}.stacktrace`),
  };
};

const readMechanism = (value: unknown, place: string): Mechanism | null => {
  if (value === undefined || value === null) return null;
  if (!isFields(value)) throw new ParseError(`${place} must be an object`);
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

const readStack = (value: unknown, place: string): Stack | null => {
  if (value === undefined || value === null) return null;
  if (!isFields(value)) throw new ParseError(`${place} must be an object`);
  const { type, frames } = value;
  if (type !== "raw" && type !== "resolved") throw new ParseError(`${place}: type must be raw or resolved`);
  if (!Array.isArray(frames)) throw new ParseError(`${place}: frames must be a list`);
  const read = <F>(one: (frame: Fields, place: string) => F): readonly F[] =>
    frames.map((frame: unknown, index) => {
      const at = `${place}.frames[${index}]`;
      if (!isFields(frame)) throw new ParseError(`${at} must be an object`);
      return one(frame, at);
    });
  return type === "raw" ? { type, frames: read(readRawFrame) } : { type, frames: read(readResolvedFrame) };
};
