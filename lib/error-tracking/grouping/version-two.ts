import { addressName } from "../frames/address.ts";
import type { RawFrame } from "../frames/raw-frame.ts";
import type { Frame } from "../frames/resolved-frame.ts";
import type { Exception } from "../parsing/parsed-event.ts";
import { cleanMessage } from "./clean-message.ts";
import { cleanName, isNoName, isShortName } from "./clean-name.ts";
import { cleanPath } from "./clean-path.ts";
import { foldRecursion } from "./fold-recursion.ts";
import type { Hashed, RecordEntry } from "./hashed.ts";
import { networkTarget } from "./network-target.ts";

type Piece = readonly [label: string, text: string];

/** A frame with what is hashed of it. */
interface HashedFrame {
  readonly rawId: string;
  readonly pieces: readonly Piece[];
  readonly text: string;
}

/**
 * As version one, and to the letter the same text, but where that one told too little or too much: frames without a name have their place
 * as well, paths and names lose what is of one release, repeats of a recursion count once, stacks without the client's own code have the
 * three frames next to the failure and the target of the network, and messages lose what differs each time.
 */
export const versionTwo = (exceptions: readonly Exception[]): Hashed => {
  let text = "";
  const record: RecordEntry[] = [];
  for (const exception of exceptions) {
    const frames = hashedFrames(exception);
    const pieces: Piece[] = [["Exception Type", exception.type], ...piecesBesideFrames(exception, frames)];
    text += pieces.map(([, piece]) => piece).join("") + frames.map((frame) => frame.text).join("");
    record.push({ type: "exception", id: exception.id, pieces: pieces.map(([label]) => label) });
    for (const { rawId, pieces: labels } of frames) record.push({ type: "frame", raw_id: rawId, pieces: labels.map(([label]) => label) });
  }
  return { text, record };
};

/** What counts of an exception besides its type and frames. */
const piecesBesideFrames = ({ type, value, frames }: Exception, hashed: readonly HashedFrame[]): readonly Piece[] => {
  if (frames?.some((frame) => frame.in_app)) return [];
  const isWithoutStack = frames === null || (frames.length > 0 && hashed.length === 0);
  const target = networkTarget(type, value);
  return [
    ...(isWithoutStack ? [["Exception Message", cleanMessage(value)] as const] : []),
    ...(target === undefined ? [] : [["Network target", target] as const]),
  ];
};

/** Frames of a stack without the client's own code that count: those next to the failure say most. */
const OF_A_LIBRARY = 3;

const hashedFrames = ({ frames, rawFrames }: Exception): readonly HashedFrame[] => {
  if (frames === null) return [];
  const all = frames.map((frame, index) => ({ frame, raw: rawFrames?.[index] }));
  const own = all.filter(({ frame }) => frame.in_app);
  const hash = (some: typeof all): readonly HashedFrame[] =>
    foldRecursion(
      resolvedOrAll(some).map(({ frame, raw }) => hashFrame(frame, raw)),
      (frame) => frame.text,
    );
  return own.length > 0 ? hash(own) : hash(all.filter(({ frame, raw }) => !saysNothing(frame, raw))).slice(-OF_A_LIBRARY);
};

const resolvedOrAll = <T extends { readonly frame: Frame }>(some: readonly T[]): readonly T[] => {
  const resolved = some.filter(({ frame }) => frame.resolved);
  return resolved.length > 0 ? resolved : some;
};

/** Whether a frame is no call: a gap between two stacks, or what could not be read. */
const saysNothing = (frame: Frame, raw: RawFrame | undefined): boolean =>
  raw?.unread !== undefined || (!frame.resolved && frame.synthetic && raw?.function === undefined);

const hashFrame = (frame: Frame, raw: RawFrame | undefined): HashedFrame => {
  const pieces = [...placePieces(frame, raw), ...namePieces(frame, raw)];
  return { rawId: frame.raw_id, pieces, text: pieces.map(([, piece]) => piece).join("") };
};

/** The file and module, without what is of one release; where neither is known, the file that the client named. */
function* placePieces({ source, module }: Frame, raw: RawFrame | undefined): Generator<Piece> {
  const file = source ?? (module === undefined ? namedFile(raw) : undefined);
  if (file !== undefined) yield ["Source file name", cleanPath(file)];
  if (module !== undefined) yield ["Module name", cleanName(module)];
}

const namedFile = (raw: RawFrame | undefined): string | undefined => {
  const file = raw?.filename ?? raw?.absPath ?? (raw?.function === undefined ? undefined : raw.address?.package);
  return file === undefined || file === "" || file.startsWith("<") ? undefined : file;
};

function* namePieces(frame: Frame, raw: RawFrame | undefined): Generator<Piece> {
  const { resolved_name, mangled_name, line, column, lang } = frame;
  const name = cleanName(resolved_name ?? mangled_name);
  if (resolved_name !== undefined) {
    const address = isNoName(name) && raw?.address !== undefined ? addressName(raw.address) : undefined;
    if (address !== undefined) yield ["Address", address];
    // A name that is an address is another one at each start.
    else if (!name.startsWith("0x")) yield ["Resolved function name", name];
    if (column !== undefined && isInBundle(frame, raw) && (isNoName(name) || isShortName(name))) yield ["Column number", String(column)];
    return;
  }
  yield ["Mangled function name", name];
  // A name that a person wrote outlives its line; a place in a bundle is all there is.
  if (raw?.platform === "custom" && raw.resolved === undefined && !isNoName(name)) return;
  if (line !== undefined) yield ["Line number", String(line)];
  if (column !== undefined) yield ["Column number", String(column)];
  yield ["Language", lang];
}

/** Whether a frame is in the one long line of a phone's bundle, where it stands as the client sent it. */
const isInBundle = ({ line, column, source }: Frame, raw: RawFrame | undefined): boolean => {
  if (raw === undefined || line !== raw.lineno || column !== raw.colno || (line ?? 1) > 1) return false;
  return raw.platform === "hermes" || (raw.platform === "web:javascript" && source === undefined);
};
