import type { Frame } from "../frames/resolved-frame.ts";
import type { Exception } from "../parsing/parsed-event.ts";
import type { Hashed, RecordEntry } from "./hashed.ts";

/** The types of a chain and the frames that are the client's own; messages count only where there is no stack. */
export const versionOne = (exceptions: readonly Exception[]): Hashed => {
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
  return { text, record };
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
