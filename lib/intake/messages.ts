import { promisify } from "node:util";
import { constants, zstdCompress, zstdCompressSync } from "node:zlib";
import { exactJson, mayHoldRounded } from "../core/exact-json.ts";
import { type RawEvent, readEnvelope } from "../event/envelope.ts";
import { type Body, type CaptureMessage, type Encoding, encodeMessage } from "../event/message.ts";
import { pointerKey } from "../lake/paths.ts";
import { MAX_MESSAGE_BYTES } from "../ports/queues.ts";

/** More than this many messages go as one object and one message that points to it, so that a request is kept whole or not at all. */
const MAX_MESSAGES_PER_REQUEST = 10;
/** What one message keeps a drain busy with: half a second. More come in pieces, and those of others between them. */
const MAX_MESSAGE_EVENTS = 10_000;
/** Left for everything in a message that is not its payload: the longest fields come to about 1,700 bytes, of which the name of an import is 1,200. */
const HEADER_BYTES = 2048;
const MAX_PAYLOAD_BYTES = Math.floor(((MAX_MESSAGE_BYTES - HEADER_BYTES) * 3) / 4);
/** How full a piece is aimed at, so that pieces that compress worse than the whole still fit. */
const FILL = 0.7;
/** Text below this size gains nothing from compression. */
const MIN_COMPRESSED_BYTES = 200;
/** The quickest level: capture's time costs more than the few bytes that a better one saves. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The fields that all messages of a request have in common. */
export type MessageHeader = Omit<CaptureMessage, "payload" | "first" | "events" | "decodedBytes" | "body">;

export interface Content {
  readonly text: Buffer;
  /** The client's own compressed bytes of the text. */
  readonly gzip: Buffer | undefined;
  /** With numbers as doubles: what is written of them again is read anew. */
  readonly events: readonly RawEvent[];
}

/** The texts to queue for a request, and the object that one of them points to, which has to be stored first. */
export interface OutgoingBatch {
  readonly messages: readonly string[];
  readonly object?: { readonly key: string; readonly bytes: Uint8Array };
}

/** Encodes a request for the queue: the client's own bytes where they fit into one message, else pieces of it, else an object under a new key. */
export const encodeBatch = (header: MessageHeader, content: Content, newUlid: () => string): OutgoingBatch => {
  const whole = compressed(content);
  const message = (body: Body): CaptureMessage => ({
    ...header,
    payload: "envelope",
    first: 0,
    events: content.events.length,
    decodedBytes: content.text.length,
    body,
  });
  const fits = whole.bytes.length <= MAX_PAYLOAD_BYTES;
  const bySize = fits ? 1 : Math.ceil(whole.bytes.length / (MAX_PAYLOAD_BYTES * FILL));
  const byEvents = Math.ceil(content.events.length / MAX_MESSAGE_EVENTS);
  const pieces = fits && byEvents === 1 ? undefined : cut(header, content, Math.max(bySize, byEvents));
  if (pieces !== undefined) return { messages: pieces };
  if (fits) return { messages: [encodeMessage(message(inline(whole)))] };
  const key = pointerKey(newUlid());
  return { messages: [encodeMessage(message({ encoding: whole.encoding, key }))], object: { key, bytes: whole.bytes } };
};

/** A request that stays whole: its text, how many events are in it, and the place of the first in what they were taken from. */
export interface WholeRequest {
  readonly text: Buffer;
  readonly events: number;
  readonly first: number;
}

/** Above this an object holds the request: a message of its own length costs as much, and a drain can take many that only point. */
const MAX_INLINE_BYTES = 64 * 1024;

const compressInParallel = promisify(zstdCompress);

/** Encodes a request as one message, inline or as an object under a key, which has to be stored first. */
export const encodeWhole = async (header: MessageHeader, { text, events, first }: WholeRequest, key: string): Promise<OutgoingBatch> => {
  const bytes = await compressInParallel(text, ZSTD);
  const isShort = bytes.length <= MAX_INLINE_BYTES;
  const body: Body = isShort ? { encoding: "zstd", inline: bytes.toString("base64") } : { encoding: "zstd", key };
  const message = encodeMessage({ ...header, payload: "envelope", first, events, decodedBytes: text.length, body });
  return isShort ? { messages: [message] } : { messages: [message], object: { key, bytes } };
};

interface CompressedText {
  readonly encoding: Encoding;
  readonly bytes: Buffer;
}

const inline = ({ encoding, bytes }: CompressedText): Body => ({ encoding, inline: bytes.toString("base64") });

const compressed = ({ gzip, text }: Content): CompressedText =>
  gzip === undefined ? compressedText(text) : { encoding: "gzip", bytes: gzip };

const compressedText = (text: Buffer): CompressedText =>
  text.length < MIN_COMPRESSED_BYTES ? { encoding: "none", bytes: text } : { encoding: "zstd", bytes: zstdCompressSync(text, ZSTD) };

/**
 * The request in about `count` messages of about equal length; undefined when it takes too many, or a piece does not fit, or when it
 * has to stay whole: equal events of an import without uuids are told apart by counting them over the whole request.
 */
const cut = (header: MessageHeader, content: Content, count: number): readonly string[] | undefined => {
  const { text, events } = content;
  if (count > MAX_MESSAGES_PER_REQUEST || (header.historical && events.some(({ uuid }) => !uuid))) return undefined;
  const target = text.length / count;
  const messages: string[] = [];
  let lines: string[] = [];
  let length = 0;
  for (const [position, event] of exactEvents(header, content).entries()) {
    const line = JSON.stringify(event);
    lines.push(line);
    length += line.length;
    if (length < target && position < events.length - 1) continue;
    const piece = compressedText(Buffer.from(`[${lines.join(",")}]`));
    if (piece.bytes.length > MAX_PAYLOAD_BYTES) return undefined;
    const first = position + 1 - lines.length;
    const decodedBytes = length + lines.length + 1;
    messages.push(encodeMessage({ ...header, payload: "events", first, events: lines.length, decodedBytes, body: inline(piece) }));
    lines = [];
    length = 0;
  }
  return messages.length > MAX_MESSAGES_PER_REQUEST ? undefined : messages;
};

/** The events with all digits of their numbers; another copy of a large body is made only where that may be another one. */
const exactEvents = (header: MessageHeader, { text, events }: Content): readonly RawEvent[] => {
  const json = text.toString("utf8");
  return mayHoldRounded(json) ? readEnvelope(exactJson(json), header).events : events;
};
