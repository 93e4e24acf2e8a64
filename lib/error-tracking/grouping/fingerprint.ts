import { hash } from "node:crypto";
import type { Frame } from "../frames/resolved-frame.ts";
import type { Exception } from "../parsing/parsed-event.ts";

/** A fingerprint, and the pieces that it was made of. */
export interface Fingerprint {
  readonly value: string;
  readonly kind: "manual" | "custom" | "automatic" | "overflow";
  readonly record: readonly RecordEntry[];
  /** What an older version of the automatic algorithm makes of the same, where that differs. */
  readonly older?: string;
}

export type RecordEntry =
  | { readonly type: "manual" }
  | { readonly type: "overflow" }
  | { readonly type: "custom"; readonly rule_id: string }
  | { readonly type: "exception"; readonly id: string; readonly pieces: readonly string[] }
  | { readonly type: "frame"; readonly raw_id: string; readonly pieces: readonly string[] };

/** Version of the automatic algorithm; stored with the event. */
export const FINGERPRINT_VERSION = "v1";

const MOST_BYTES = 64;

/** The client's own fingerprint, digested where it is too long for a key. */
export const manualFingerprint = (sent: string): Fingerprint => ({
  value: Buffer.byteLength(sent) <= MOST_BYTES ? sent : hash("sha512", sent, "hex"),
  kind: "manual",
  record: [{ type: "manual" }],
});

/** The fingerprint of everything that a grouping rule matches. */
export const customFingerprint = (ruleId: string): Fingerprint => ({
  value: `custom-rule:${ruleId}`,
  kind: "custom",
  record: [{ type: "custom", rule_id: ruleId }],
});

/** The fingerprint of what would open more issues than a project may in a day. */
export const OVERFLOW_FINGERPRINT: Fingerprint = { value: "over-daily-limit", kind: "overflow", record: [{ type: "overflow" }] };

/** A digest of the types of a chain and of the frames that are the client's own; messages count only where there is no stack. */
export const automaticFingerprint = (exceptions: readonly Exception[]): Fingerprint => {
  let text = "";
  const record: RecordEntry[] = [];
  for (const { id, type, value, frames } of exceptions) {
    text += frames === null ? type + value : type;
    record.push({ type: "exception", id, pieces: frames === null ? ["Exception Type", "Exception Message"] : ["Exception Type"] });
    for (const frame of frames === null ? [] : hashedFrames(frames)) {
      const pieces: string[] = [];
      for (const [label, piece] of piecesOf(frame)) {
        text += piece;
        pieces.push(label);
      }
      record.push({ type: "frame", raw_id: frame.raw_id, pieces });
    }
  }
  return { value: hash("sha512", text, "hex"), kind: "automatic", record };
};

/** The client's own frames, those that are resolved where any is; without such frames the first one of all. */
const hashedFrames = (frames: readonly Frame[]): readonly Frame[] => {
  if (!frames.some((frame) => frame.in_app)) return frames.slice(0, 1);
  const anyResolved = frames.some((frame) => frame.resolved);
  return frames.filter((frame) => frame.in_app && (frame.resolved || !anyResolved));
};

function* piecesOf(frame: Frame): Generator<readonly [label: string, piece: string]> {
  if (frame.source !== undefined) yield ["Source file name", frame.source];
  if (frame.module !== undefined) yield ["Module name", frame.module];
  if (frame.resolved_name !== undefined) {
    yield ["Resolved function name", frame.resolved_name];
    return;
  }
  yield ["Mangled function name", frame.mangled_name];
  if (frame.line !== undefined) yield ["Line number", String(frame.line)];
  if (frame.column !== undefined) yield ["Column number", String(frame.column)];
  yield ["Language", frame.lang];
}
