import { hash } from "node:crypto";
import { isFields } from "../../event/fields.ts";
import { optionalFlag, optionalLine, optionalText, type Place } from "../parsing/fields.ts";
import { unreadText } from "./unread.ts";

/** A frame in the one form that all platforms have; what is not known is left out. */
export interface Frame {
  readonly raw_id: string;
  readonly mangled_name: string;
  readonly line?: number;
  readonly column?: number;
  readonly source?: string;
  readonly module?: string;
  readonly in_app: boolean;
  readonly resolved_name?: string;
  readonly lang: string;
  readonly resolved: boolean;
  readonly resolve_failure?: string;
  readonly synthetic: boolean;
  readonly suspicious: boolean;
  readonly junk_drawer?: unknown;
  readonly code_variables?: unknown;
}

/** A frame that a client sends resolved. What is missing, or of another type than it should be, is absent. */
export const readResolvedFrame = (sent: unknown, place: Place): Frame => {
  const frame = isFields(sent) ? sent : {};
  const unread = isFields(sent) ? undefined : unreadText(sent);
  if (unread !== undefined) place.faults.note(`${place.path} must be an object`);
  const text = (key: string): string | undefined => optionalText(frame, key, place);
  const resolved_name = text("resolved_name");
  const mangled_name = text("mangled_name") ?? resolved_name;
  const named = {
    mangled_name: mangled_name ?? "<unknown>",
    line: optionalLine(frame, "line", place),
    column: optionalLine(frame, "column", place),
    source: text("source"),
    module: text("module"),
  };
  const failure = unread !== undefined ? "The frame could not be read." : mangled_name === undefined ? "The frame has no name." : undefined;
  return compactFrame({
    raw_id: text("raw_id") ?? `${hash("sha512", unread ?? Object.values(named).join(""), "hex")}/0`,
    ...named,
    in_app: unread === undefined && (optionalFlag(frame, "in_app", place) ?? true),
    resolved_name,
    lang: text("lang") ?? "",
    resolved: failure === undefined && (optionalFlag(frame, "resolved", place) ?? true),
    resolve_failure: failure ?? text("resolve_failure"),
    synthetic: optionalFlag(frame, "synthetic", place) ?? false,
    suspicious: optionalFlag(frame, "suspicious", place) ?? false,
    junk_drawer: unread !== undefined ? { raw: unread } : (frame.junk_drawer ?? undefined),
    code_variables: frame.code_variables ?? undefined,
  });
};

/** The frame without the keys that have no value. Made key by key: an exception has dozens of frames. */
export const compactFrame = (frame: { readonly [K in keyof Frame]-?: Frame[K] | undefined } & Pick<Frame, Required>): Frame => {
  const { raw_id, mangled_name, in_app, lang, resolved, synthetic, suspicious } = frame;
  const made: { -readonly [K in keyof Frame]: Frame[K] } = { raw_id, mangled_name, in_app, lang, resolved, synthetic, suspicious };
  if (frame.line !== undefined) made.line = frame.line;
  if (frame.column !== undefined) made.column = frame.column;
  if (frame.source !== undefined) made.source = frame.source;
  if (frame.module !== undefined) made.module = frame.module;
  if (frame.resolved_name !== undefined) made.resolved_name = frame.resolved_name;
  if (frame.resolve_failure !== undefined) made.resolve_failure = frame.resolve_failure;
  if (frame.junk_drawer !== undefined) made.junk_drawer = frame.junk_drawer;
  if (frame.code_variables !== undefined) made.code_variables = frame.code_variables;
  return made;
};

type Required = "raw_id" | "mangled_name" | "in_app" | "lang" | "resolved" | "synthetic" | "suspicious";
