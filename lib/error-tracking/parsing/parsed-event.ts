import type { Fields } from "../../event/fields.ts";
import { type Context, sourceContext } from "../frames/context.ts";
import { mapFrame } from "../frames/map-frame.ts";
import type { RawFrame } from "../frames/raw-frame.ts";
import type { Frame } from "../frames/resolved-frame.ts";
import { SEVERITIES } from "../severities.ts";
import { type MappableFrame, mappableFrame } from "../symbol-sets/mappable-frame.ts";
import { type Mechanism, type RawException, readExceptions } from "./exception.ts";
import { Faults } from "./faults.ts";
import { cutToBytes, optionalText } from "./fields.ts";
import { inOneOrder } from "./wire-order.ts";

/** An exception in the form that is stored. */
export interface Exception {
  readonly id: string;
  readonly type: string;
  readonly value: string;
  readonly mechanism: Mechanism | null;
  readonly module: string | undefined;
  readonly threadId: number | undefined;
  /** Null where it has no stack trace, which is not the same as one without frames. */
  readonly frames: readonly Frame[] | null;
  /** The same as the client sent them, one for one; null where it sent none, or resolved ones. */
  readonly rawFrames: readonly RawFrame[] | null;
}

/** The values that rules and queries ask for, gathered from all exceptions of a chain. */
interface Metadata {
  readonly types: readonly string[];
  readonly values: readonly string[];
  /** Of frames in the client's own code. */
  readonly sources: readonly string[];
  readonly functions: readonly string[];
  readonly handled: boolean;
}

/** A `$exception` event as the pipeline reads it. */
export interface ParsedEvent {
  /** The client's properties without those that only we may set. */
  readonly properties: Fields;
  readonly exceptions: readonly Exception[];
  readonly metadata: Metadata;
  /** The source around frames, by raw id. */
  readonly contexts: ReadonlyMap<string, Context>;
  /** What was wrong with it, and left out of it. */
  readonly faults: readonly string[];
  /** What a source map would need of frames, by raw id. */
  readonly mappable: ReadonlyMap<string, MappableFrame>;
  /** The uploaded files that resolved frames, by raw id. */
  readonly resolvedBy: ReadonlyMap<string, string>;
  /** As sent, even empty. */
  readonly clientFingerprint: string | null;
  readonly issueName: string | null;
  readonly issueDescription: string | null;
  readonly issueSeverity: (typeof SEVERITIES)[number] | null;
  readonly releaseId: string | null;
}

/** Properties that a client cannot set: what it sent under their names is dropped. */
const OURS: ReadonlySet<string> = new Set([
  "$exception_sources",
  "$exception_types",
  "$exception_values",
  "$exception_functions",
  "$exception_release",
  "$exception_fingerprint_version",
  "$exception_proposed_fingerprint",
  "$exception_fingerprint_record",
  "$exception_issue_id",
  "$cymbal_errors",
]);

const MOST_NAME_BYTES = 255;

/**
 * Reads an event's properties; `newId` names its exceptions by their place. What is wrong in some place is told and left out. Throws
 * `ParseError` where there is no exception.
 */
export const parseEvent = (sent: Fields, newId: (index: number) => string): ParsedEvent => {
  const faults = new Faults();
  const properties = withoutOurs(sent);
  const text = (key: string): string | undefined => optionalText(properties, key, { path: "the event", faults });
  const contexts = new Map<string, Context>();
  const mappable = new Map<string, MappableFrame>();
  const releaseId = typeof properties.$release_id === "string" ? properties.$release_id : null;
  const note = (frame: RawFrame, rawId: string): void => {
    const found = mappableFrame(frame, releaseId);
    if (found !== undefined) mappable.set(rawId, found);
  };
  const raw = inOneOrder(readExceptions(properties, faults), properties.$lib, properties.$lib_version);
  const exceptions = raw.map((exception, index) => resolveException(exception, newId(index), contexts, note));
  const read = {
    clientFingerprint: text("$exception_fingerprint") ?? null,
    issueName: name(text("$issue_name")),
    issueDescription: name(text("$issue_description")),
  };
  return {
    properties,
    exceptions,
    metadata: gatherMetadata(exceptions),
    contexts,
    mappable,
    resolvedBy: new Map(),
    ...read,
    faults: faults.sentences,
    issueSeverity: SEVERITIES.find((severity) => severity === properties.$issue_severity) ?? null,
    releaseId,
  };
};

/** The event with other frames in place of those that it has. */
export const withFrames = (event: ParsedEvent, replace: (frames: readonly Frame[]) => readonly Frame[]): ParsedEvent => {
  const exceptions = event.exceptions.map((each) => ({ ...each, frames: each.frames === null ? null : replace(each.frames) }));
  return { ...event, exceptions, metadata: gatherMetadata(exceptions) };
};

type NoteFrame = (frame: RawFrame, rawId: string) => void;

const resolveException = (exception: RawException, id: string, contexts: Map<string, Context>, note: NoteFrame): Exception => {
  const { type, value, mechanism, module, threadId, stack } = exception;
  const frames = stack === null ? null : resolveFrames(stack, contexts, note);
  return { id, type, value, mechanism, module, threadId, frames, rawFrames: stack?.type === "raw" ? stack.frames : null };
};

const resolveFrames = (stack: NonNullable<RawException["stack"]>, contexts: Map<string, Context>, note: NoteFrame): readonly Frame[] => {
  if (stack.type === "resolved") return stack.frames;
  return stack.frames.map((raw) => {
    const frame = mapFrame(raw);
    note(raw, frame.raw_id);
    const context = contexts.has(frame.raw_id) ? null : sourceContext(raw);
    if (context !== null) contexts.set(frame.raw_id, context);
    return frame;
  });
};

const gatherMetadata = (exceptions: readonly Exception[]): Metadata => {
  const own = exceptions.flatMap(({ frames }) => frames ?? []).filter((frame) => frame.in_app);
  return {
    types: [...new Set(exceptions.map(({ type }) => type))],
    values: [...new Set(exceptions.map(({ value }) => value))],
    sources: [...new Set(own.flatMap(({ source }) => source ?? []))],
    functions: [...new Set(own.flatMap(({ resolved_name }) => resolved_name ?? []))],
    handled: exceptions[0]?.mechanism?.handled ?? false,
  };
};

/** Properties as a client sent them, without those that only we may set. */
export const withoutOurs = (sent: Fields): Fields => {
  const kept: Record<string, unknown> = Object.create(null);
  for (const key of Object.keys(sent)) if (!OURS.has(key)) kept[key] = sent[key];
  return kept;
};

const name = (own: string | undefined): string | null => (own === undefined || own === "" ? null : cutToBytes(own, MOST_NAME_BYTES));
