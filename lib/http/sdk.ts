import { isUtf8 } from "node:buffer";
import { decompress } from "../event/message.ts";
import { Refused, tooLarge } from "../event/refused.ts";
import { type HttpRequest, queryValue } from "./request.ts";
import { restorePluses, unwrapBase64 } from "./sdk/base64.ts";
import { FORM_TYPE, looksLikeForm, readForm } from "./sdk/form.ts";
import { decodeLz64 } from "./sdk/lz64.ts";

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
  const received = readPayload(request, options.wireBytes);
  const header = compressionNamed(request.headers["content-encoding"]);
  const query = compressionNamed(queryValue(request, "compression"));
  // An lz64 payload is written in base64 letters of its own, which must not be unwrapped.
  const isLz64 = (query ?? header) === "lz64";
  const unwrapped = isLz64 || looksLikeForm(received) ? received : unwrapBase64(received);
  const form = request.headers["content-type"] === FORM_TYPE && request.method === "POST" ? readForm(unwrapped) : undefined;
  const payload = form?.data ?? unwrapped;
  if (payload.length === 0) throw new Refused(400, "request missing data payload");

  const named = query ?? compressionNamed(form?.compression);
  const text = decompressed(payload, { named, header }, options.decodedBytes);
  if (!isUtf8(text)) throw new Refused(400, "failed to decode request: invalid UTF8 in request payload");
  const gzip = text !== payload && isGzip(payload) ? payload : undefined;
  const inner = options.legacy ? unwrapBase64(text) : text;
  if (inner === text) return { text, gzip, received };
  if (!isUtf8(inner)) throw new Refused(400, "failed to decode request: invalid UTF8 in request payload");
  return { text: inner, gzip: undefined, received };
};

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

const decompressed = (
  payload: Buffer,
  hints: { readonly named: Compression | undefined; readonly header: Compression | undefined },
  most: number,
): Buffer => {
  const hint = hints.named ?? hints.header;
  // Some proxies decompress a body and leave its Content-Encoding, so that header alone does not make JSON gzip.
  const stale = hints.named === undefined && looksLikeJson(payload);
  if (isGzip(payload) || (hint === "gzip" && !stale)) return gunzipped(payload, most);
  return hint === "lz64" && !stale ? decodeLz64(payload, most) : payload;
};

const gunzipped = (payload: Buffer, most: number): Buffer => {
  try {
    const text = decompress("gzip", payload, most);
    return Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  } catch (fault) {
    if (isTooLarge(fault)) throw tooLarge(`the request is larger than ${most} bytes when decompressed`);
    throw new Refused(400, "failed to decode request: invalid GZIP data");
  }
};

const isTooLarge = (fault: unknown): boolean => fault instanceof Error && "code" in fault && fault.code === "ERR_BUFFER_TOO_LARGE";
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08;

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
