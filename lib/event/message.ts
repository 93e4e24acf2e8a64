import { promisify } from "node:util";
import { gunzip, gunzipSync, type ZlibOptions, zstdDecompressSync } from "node:zlib";
import { asciiJson } from "../core/ascii-json.ts";
import { exactJson } from "../core/exact-json.ts";
import { isReadable } from "../core/formats.ts";
import { Defect, unreachable } from "../core/unreachable.ts";
import { type RawEvent, readEnvelope } from "./envelope.ts";
import { isFields } from "./fields.ts";
import { isImportName } from "./imports.ts";
import { type EventResource, isDropped, isEventResource } from "./quota-resources.ts";

/** Version of the messages between capture and ingest; ingest accepts this one, the one before and the one after. */
export const MESSAGE_FORMAT = 2;
const OLDEST_MESSAGE_FORMAT = MESSAGE_FORMAT - 1;

/** How the payload of a message is written. `envelope`: the SDK's own bytes, a whole request; `events`: a list cut from a request. */
export type Payload = "envelope" | "events";

export type Encoding = "gzip" | "zstd" | "none";

/** The compressed text itself in base64, or the object that holds the compressed bytes. */
export type Body = { readonly encoding: Encoding; readonly inline: string } | { readonly encoding: Encoding; readonly key: string };

/**
 * One message of the live or historical queue: everything that decides the identity of its events was fixed by capture and
 * travels here, so that every delivery gives the same rows.
 */
export interface CaptureMessage {
  readonly v: number;
  /** 0 while `token` is set. */
  readonly project: number;
  /** Organization id, for usage; empty while `token` is set. */
  readonly organization: string;
  /** Set only when capture could not look the project up and let the batch in: ingest looks it up, and drops the batch when there is none. */
  readonly token?: string;
  /** 32 hex digits: a digest of the bytes as received when the body carries sent_at, else random. Of an import, its id and half of that. */
  readonly request: string;
  /** Receive time, microseconds since 1970, decimal text. */
  readonly received: string;
  /** The request's sent_at, microseconds since 1970, decimal text; null when there was none or it was not readable. */
  readonly sentAt: string | null;
  /** The request's historical_migration flag. */
  readonly historical: boolean;
  readonly payload: Payload;
  /** True for the paths and shapes where a nameless event becomes `$identify` (`/engage`). */
  readonly engage: boolean;
  /** Position in the request of this message's first event. */
  readonly first: number;
  /** Events inside, dropped ones included, and bytes of their JSON text when decoded: ingest stops before it is full. */
  readonly events: number;
  readonly decodedBytes: number;
  readonly body: Body;
  /** The name of the import that the request belongs to; its request id begins with the import's. Absent where it belongs to none. */
  readonly importName?: string;
  /**
   * The resources whose quota was used up at the receive time. Of an unflagged request `eventsOf` leaves their events out;
   * of a flagged one ingest drops those that lose the flag (`isDropped`). Absent when none.
   */
  readonly limited?: readonly EventResource[];
}

/** An event and its position in the request, which is part of its identity where it has no uuid. */
export interface PlacedEvent {
  readonly position: number;
  readonly event: RawEvent;
}

/**
 * The text that goes onto the queue. What is inline goes in as it stands: base64 has nothing to escape, and to be looked through for that is
 * most of what writing a message costs.
 */
export const encodeMessage = ({ body, ...facts }: CaptureMessage): string => {
  const written = "inline" in body ? `{"encoding":"${body.encoding}","inline":"${body.inline}"}` : JSON.stringify(body);
  return `${asciiJson(facts).slice(0, -1)},"body":${written}}`;
};

/** Reads what `encodeMessage` wrote in this format version, the one before or the one after. Throws a `Defect` for anything else. */
export const decodeMessage = (text: string): CaptureMessage => {
  const parsed: unknown = JSON.parse(text);
  if (!isFields(parsed) || !isReadable(parsed.v, MESSAGE_FORMAT) || parsed.v < OLDEST_MESSAGE_FORMAT) {
    throw new Defect("a message of a format that this version does not read");
  }
  if (!isMessage(parsed)) throw new Defect("a message without the fields of its format");
  // A later version of capture may name resources of its own, whose events only that version leaves out.
  const { limited, ...message } = parsed;
  return limited === undefined ? message : { ...message, limited: limited.filter(isEventResource) };
};

/**
 * The events of a message in request order, from its decompressed payload: without performance entries, and without those
 * that a quota drops. `message.events` minus their number is what was left out.
 */
export const readEvents = (message: CaptureMessage, decompressed: Uint8Array): readonly PlacedEvent[] => {
  const { events } = readEnvelope(exactJson(asText(decompressed)), { engage: message.engage });
  const limited = message.historical ? [] : (message.limited ?? []);
  const placed: PlacedEvent[] = [];
  for (const [index, event] of events.entries()) {
    if (isKept(event, limited)) placed.push({ position: message.first + index, event });
  }
  return placed;
};

/** Whether capture and ingest take an event: not a performance entry, and not dropped by a quota. */
export const isKept = (event: RawEvent, limited: readonly EventResource[]): boolean =>
  event.event !== "$performance_event" && !isDropped(event, limited);

const asText = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");

/** A message as it travels, with every resource that its writer knew. */
type SentMessage = Omit<CaptureMessage, "limited"> & { readonly limited?: readonly string[] };

/** Guarantees the fields of the current format; every version so far has the same ones. */
const isMessage = (value: object): value is SentMessage => {
  const fields: Readonly<Record<string, unknown>> = { ...value };
  return (
    typeof fields.project === "number" &&
    typeof fields.organization === "string" &&
    (fields.token === undefined || typeof fields.token === "string") &&
    typeof fields.request === "string" &&
    typeof fields.received === "string" &&
    (fields.sentAt === null || typeof fields.sentAt === "string") &&
    typeof fields.historical === "boolean" &&
    (fields.payload === "envelope" || fields.payload === "events") &&
    typeof fields.engage === "boolean" &&
    typeof fields.first === "number" &&
    typeof fields.events === "number" &&
    typeof fields.decodedBytes === "number" &&
    isBody(fields.body) &&
    (fields.importName === undefined || isImportName(fields.importName)) &&
    (fields.limited === undefined || isTexts(fields.limited))
  );
};

const isBody = (value: unknown): value is Body =>
  isFields(value) &&
  (value.encoding === "gzip" || value.encoding === "zstd" || value.encoding === "none") &&
  (typeof value.inline === "string" || typeof value.key === "string");

const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((name) => typeof name === "string");

/** Largest JSON text of one request, after every decoder. */
export const MAX_DECODED_BYTES = 32 * 1024 * 1024;

const MIN_CHUNK_BYTES = 16 * 1024;
const MAX_CHUNK_BYTES = 1024 * 1024;
/** The factor by which analytics JSON shrinks at most in practice. */
const LIKELY_RATIO = 12;
/** Bytes at the end of a gzip member that say how long its text is, modulo 4 GB; it may lie. */
const SAID_BYTES = 4;

/** The JSON text of a payload, at most `most` bytes; throws the decoder's own error for more or for broken bytes. */
export const decompress = (encoding: Encoding, bytes: Uint8Array, most = MAX_DECODED_BYTES): Uint8Array => {
  switch (encoding) {
    case "none":
      return bytes;
    case "gzip":
      return gunzipSync(bytes, { maxOutputLength: most, chunkSize: chunkSizeFor(bytes, saidLength(bytes) + 1) });
    case "zstd":
      return zstdDecompressSync(bytes, { maxOutputLength: most, chunkSize: chunkSizeFor(bytes, MAX_CHUNK_BYTES) });
    default:
      return unreachable(encoding);
  }
};

/**
 * The same of gzip that says it is large, beside the thread that asks, and in the one piece that it says it is: pieces would be put
 * together by the thread that asks.
 */
export const gunzipAside = (bytes: Uint8Array, most = MAX_DECODED_BYTES): Promise<Uint8Array> =>
  gunzipInPool(bytes, { maxOutputLength: most, chunkSize: Math.min(saidLength(bytes), most) + 1 });

const gunzipInPool = promisify<Uint8Array, ZlibOptions, Buffer>(gunzip);

/** The length that gzip says its text has; a hint, which may be a lie. */
export const saidLength = (bytes: Uint8Array): number => {
  const { length } = bytes;
  return length < SAID_BYTES ? 0 : new DataView(bytes.buffer, bytes.byteOffset, length).getUint32(length - SAID_BYTES, true);
};

/**
 * Large enough that an ordinary body comes out in one piece, small enough that a lie costs nothing; and no larger than needed, because
 * whatever is taken outside of the heap makes the collector go through all of it the sooner.
 */
const chunkSizeFor = ({ byteLength }: Uint8Array, wanted: number): number =>
  Math.max(Math.min(wanted, byteLength * LIKELY_RATIO, MAX_CHUNK_BYTES), MIN_CHUNK_BYTES);
