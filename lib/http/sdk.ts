import { isUtf8 } from "node:buffer";
import { constants, gunzipSync } from "node:zlib";
import { FORM_TYPE } from "../core/form.ts";
import { decompress, gunzipAside, saidLength } from "../event/message.ts";
import { Refused, tooLarge } from "../event/refused.ts";
import { type HttpRequest, queryValue } from "./request.ts";
import { restorePluses, unwrapBase64 } from "./sdk/base64.ts";
import { looksLikeForm, readForm } from "./sdk/form.ts";
import { decodeLz64, decodeLz64Beginning } from "./sdk/lz64.ts";

export interface DecodedBody {
  /** The JSON text, valid UTF-8. */
  readonly text: Buffer;
  /** The client's own gzip bytes of exactly that text, where it sent any. */
  readonly gzip: Buffer | undefined;
  /** The bytes as received, before any decoder: the digest of it names the request. */
  readonly received: Buffer;
}

/** How a body is read: whether its text may be wrapped in base64 once more, and how many bytes are taken on the wire and decoded. */
export interface Decoding {
  readonly legacy: boolean;
  readonly wireBytes: number;
  readonly decodedBytes: number;
}

/** From a request to its JSON text, in the order of the contract. Every decoder ends at its bound; throws `Refused`. */
export const decode = (request: HttpRequest, options: Decoding): DecodedBody => {
  const encoded = receivedPayload(request, options);
  return asDecoded(encoded, decompressed(encoded, options.decodedBytes), options);
};

/** The same, where gzip is decompressed beside the thread that serves others. */
export const decodeAside = async (request: HttpRequest, options: Decoding): Promise<DecodedBody> => {
  const encoded = receivedPayload(request, options);
  const text =
    compressionOf(encoded) === "gzip"
      ? await gunzipAside(encoded.payload, options.decodedBytes).then(asBuffer, (fault) => refuseGzip(fault, options.decodedBytes))
      : decompressed(encoded, options.decodedBytes);
  return asDecoded(encoded, text, options);
};

type Received = EncodedPayload & Pick<DecodedBody, "received">;

const receivedPayload = (request: HttpRequest, { wireBytes }: Decoding): Received => {
  const received = readPayload(request, wireBytes);
  return { ...encodedPayload(request, received), received };
};

const asDecoded = ({ payload, received }: Received, text: Buffer, { legacy }: Decoding): DecodedBody => {
  if (!isUtf8(text)) throw new Refused(400, "failed to decode request: invalid UTF8 in request payload");
  const gzip = text !== payload && isGzip(payload) ? payload : undefined;
  const inner = legacy ? unwrapBase64(text) : text;
  if (inner === text) return { text, gzip, received };
  if (!isUtf8(inner)) throw new Refused(400, "failed to decode request: invalid UTF8 in request payload");
  return { text: inner, gzip: undefined, received };
};

/** Whether a body is gzip that says, at its end, that it is longer than so many bytes when it is decoded. Not to be believed where it says no. */
export const saysItIsLonger = ({ body }: HttpRequest, bytes: number): boolean => isGzip(body) && saidLength(body) > bytes;

/** Compressed bytes of which the beginning is made: they stand for a thousand times as many at most, and for some ten times as a rule. */
const GZIP_BEGINNING_BYTES = 2 * 1024;

/**
 * The first bytes, at most `maxBytes`, of what `decode` would give, for work that is little whatever the request holds. A beginning is
 * never refused: it may be empty, or end anywhere.
 */
export const decodeBeginning = (request: HttpRequest, { legacy, wireBytes }: Omit<Decoding, "decodedBytes">, maxBytes: number): Buffer => {
  const received = readPayload(request, wireBytes);
  const text = decompressedBeginning(encodedPayload(request, received, 4 * maxBytes), maxBytes).subarray(0, maxBytes);
  return legacy ? unwrapBase64(wholeQuads(text)) : text;
};

/** Letters of base64 are read by fours. */
const wholeQuads = (text: Buffer): Buffer => (looksLikeJson(text) ? text : text.subarray(0, text.length - (text.length % 4)));

interface EncodedPayload {
  readonly payload: Buffer;
  /** What the query or the form says of its compression, and what the header does. */
  readonly named: Compression | undefined;
  readonly header: Compression | undefined;
}

/** What a request carries, freed of base64 and of the form around it; of these only the first `maxBytes` as they were sent. Throws `Refused`. */
const encodedPayload = (request: HttpRequest, received: Buffer, maxBytes = received.length): EncodedPayload => {
  const { query, header } = compressionHints(request);
  // An lz64 payload is written in base64 letters of its own, which must not be unwrapped.
  const unwrapped = isLz64(request) || looksLikeForm(received) ? received : unwrapBase64(received, maxBytes);
  const form =
    request.headers["content-type"] === FORM_TYPE && request.method === "POST" ? readForm(unwrapped.subarray(0, maxBytes)) : undefined;
  const payload = form?.data ?? unwrapped;
  if (payload.length === 0) throw new Refused(400, "request missing data payload");
  return { payload, named: query ?? compressionNamed(form?.compression), header };
};

/** Whether a request says, beside its body, that this is lz64. */
export const isLz64 = (request: HttpRequest): boolean => {
  const { query, header } = compressionHints(request);
  return (query ?? header) === "lz64";
};

const compressionHints = (request: HttpRequest) => ({
  query: compressionNamed(queryValue(request, "compression")),
  header: compressionNamed(request.headers["content-encoding"]),
});

type Compression = "gzip" | "lz64" | "base64";

const NAMES: ReadonlyMap<string, Compression> = new Map([
  ["gzip", "gzip"],
  ["gzip-js", "gzip"],
  ["lz64", "lz64"],
  ["lz-string", "lz64"],
  ["base64", "base64"],
  ["b64", "base64"],
]);

/** The compression that a text names; anything that is not a known name says nothing. */
const compressionNamed = (text: string | undefined): Compression | undefined =>
  text === undefined ? undefined : NAMES.get(text.trim().toLowerCase());

const readPayload = (request: HttpRequest, most: number): Buffer => {
  if (request.body.length > most) throw tooLarge(`the body is larger than ${most} bytes`);
  const fromQuery = queryValue(request, "data");
  if (fromQuery !== undefined && fromQuery !== "") return restorePluses(Buffer.from(fromQuery));
  if (request.body.length === 0) throw new Refused(400, "request missing data payload");
  return Buffer.from(request.body.buffer, request.body.byteOffset, request.body.byteLength);
};

const decompressed = (encoded: EncodedPayload, most: number): Buffer => {
  const { payload } = encoded;
  const compression = compressionOf(encoded);
  if (compression === "gzip") return gunzipped(payload, most);
  return compression === "lz64" ? decodeLz64(payload, most) : payload;
};

const decompressedBeginning = (encoded: EncodedPayload, most: number): Buffer => {
  const { payload } = encoded;
  const compression = compressionOf(encoded);
  if (compression === "gzip") return gunzippedBeginning(payload);
  return compression === "lz64" ? decodeLz64Beginning(payload, most) : payload;
};

const compressionOf = ({ payload, named, header }: EncodedPayload): Compression | undefined => {
  const hint = named ?? header;
  // Some proxies decompress a body and leave its Content-Encoding, so that header alone does not make JSON gzip.
  const stale = named === undefined && looksLikeJson(payload);
  if (isGzip(payload) || (hint === "gzip" && !stale)) return "gzip";
  return hint === "lz64" && !stale ? "lz64" : undefined;
};

const gunzippedBeginning = (payload: Buffer): Buffer => {
  try {
    return gunzipSync(payload.subarray(0, GZIP_BEGINNING_BYTES), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
};

const gunzipped = (payload: Buffer, most: number): Buffer => {
  try {
    return asBuffer(decompress("gzip", payload, most));
  } catch (fault) {
    return refuseGzip(fault, most);
  }
};

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const refuseGzip = (fault: unknown, most: number): never => {
  if (isTooLarge(fault)) throw tooLarge(`the request is larger than ${most} bytes when decompressed`);
  throw new Refused(400, "failed to decode request: invalid GZIP data");
};

const isTooLarge = (fault: unknown): boolean => fault instanceof Error && "code" in fault && fault.code === "ERR_BUFFER_TOO_LARGE";
const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08;

const looksLikeJson = (bytes: Buffer): boolean => {
  const start = bytes.toString("latin1", 0, 16).trimStart();
  return start.startsWith("{") || start.startsWith("[");
};

export const SDK_METHODS = "GET, POST, OPTIONS";

/** Any site may send events and read the answer, so the origin is mirrored; a wildcard would not do with credentials. */
export const corsHeaders = (request: HttpRequest): Readonly<Record<string, string>> => {
  const origin = request.headers.origin;
  if (origin === undefined || origin === "") return {};
  const asked = request.headers["access-control-request-headers"];
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-credentials": "true",
    "access-control-allow-methods": SDK_METHODS,
    ...(asked === undefined || asked === "" ? {} : { "access-control-allow-headers": asked }),
    vary: "origin, access-control-request-headers",
  };
};
