import { isUtf8 } from "node:buffer";
import { longNumbersAsText } from "../../core/exact-json.ts";
import { decodePercent, FORM_TYPE } from "../../core/form.ts";
import { beyondBounds, notJson } from "../../core/json-scan.ts";
import { type ApiError, parseError, payloadTooLarge, unsupportedMediaType } from "../errors.ts";
import type { HttpRequest } from "../request.ts";

/** Longest body of a request to `/api`, bytes. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Deeper or with more values, a JSON text is refused before it is parsed. */
const MAX_JSON_DEPTH = 128;
const MAX_JSON_VALUES = 300_000;

/** Most fields of a form and parts of a multipart one, counted before any is read: schemas take a while over names that they do not know. */
const MAX_FIELDS = 20_000;
const MAX_PARTS = 1_000;

/** Request bodies that every operation reads. */
export const REQUEST_MEDIA_TYPES = ["application/json", FORM_TYPE, "multipart/form-data"] as const;

/** A request's body as sent: JSON of any kind, where whole numbers beyond what a double holds are texts, or the fields of a form in order. */
export type ParsedBody =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "form"; readonly values: ReadonlyMap<string, readonly string[]> };

/** Reads a body of any of the three media types, which is no longer than may be. Throws 413, 415 and 400 `parse_error`. */
export const readBody = async (request: HttpRequest, parseJson = parseJsonText): Promise<ParsedBody> => {
  const { body, headers } = request;
  const contentType = headers["content-type"] ?? "";
  switch (mediaType(headers)) {
    case "application/json":
      return json(body, parseJson);
    case FORM_TYPE:
      if (looksLikeJson(body)) throw parseError(JSON_AS_FORM);
      return form(urlencoded(body));
    case "multipart/form-data":
      return form(await multipart(body, contentType));
    default:
      if (body.length > 0) throw unsupportedMediaType(contentType);
      return json(body, parseJson);
  }
};

/** What curl sends for `-d '{…}'` alone: no field of a form is called so. */
const looksLikeJson = (body: Uint8Array): boolean =>
  /^\s*(?:\{\s*["}]|\[\s*[{"[\]])/.test(Buffer.from(body.subarray(0, 64)).toString("latin1"));

const JSON_AS_FORM = "The body is JSON, but its Content-Type says that it is a form: send `Content-Type: application/json`.";

/** `JSON.parse`, refusing the two keys that could change an object's prototype, as the deployed parser does. */
export const parseJsonText = (text: string): unknown =>
  // To look at each value takes several times as long as to read the text.
  MAY_HOLD_FORBIDDEN.test(text) ? JSON.parse(text, refuseForbidden) : JSON.parse(text);

/** Letters of a key may be written as escapes. */
const MAY_HOLD_FORBIDDEN = /__proto__|constructor|\\u/;

const refuseForbidden = (key: string, value: unknown): unknown => {
  if (key === "__proto__" || (key === "constructor" && isObject(value) && Object.hasOwn(value, "prototype"))) {
    throw new SyntaxError("forbidden key");
  }
  return value;
};

const json = (body: Uint8Array, parseJson: (text: string) => unknown): ParsedBody => {
  const beyond = beyondBounds(body, { maxDepth: MAX_JSON_DEPTH, maxValues: MAX_JSON_VALUES });
  if (beyond === "depth") throw parseError(`The text is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  if (beyond === "values") throw tooManyValues();
  const text = utf8(body);
  return { kind: "json", value: text === "" ? {} : parsed(text, parseJson) };
};

const parsed = (text: string, parseJson: (text: string) => unknown): unknown => {
  try {
    const value = parseJson(text);
    const exact = longNumbersAsText(text);
    return exact === text ? value : parseJson(exact);
  } catch (cause) {
    throw parseError(isJson(text) ? FORBIDDEN_KEY : `The text ${notJson(text)}.`, cause);
  }
};

/** Whether a text that was refused is JSON all the same: then it was one of the two keys. */
const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const FORBIDDEN_KEY =
  "No key may be called `__proto__`, and none that is called `constructor` may hold a `prototype`: leave that key out or rename it.";

const utf8 = (body: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw notUtf8(cause);
  }
};

const notUtf8 = (cause?: unknown): ApiError => parseError("The body is not valid UTF-8.", cause);

const tooManyValues = (): ApiError => payloadTooLarge(`The body holds too many values; at most ${MAX_JSON_VALUES} are taken.`);

/** Of a body, in lower case and without its parameters; empty where none is named. */
export const mediaType = (headers: HttpRequest["headers"]): string =>
  (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** What separates the parts of a multipart form. */
export const multipartBoundary = (headers: HttpRequest["headers"]): string | undefined => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(headers["content-type"] ?? "") ?? [];
  return quoted ?? plain;
};

/**
 * Not `URLSearchParams`, which takes a minute for four megabytes of names without a value. The text is made once for all fields, and
 * what is not escaped in it is cut out of it as it is.
 */
function* urlencoded(body: Uint8Array): Generator<[string, string]> {
  if (!isUtf8(body)) throw notUtf8();
  if (hasMoreFields(body, MAX_FIELDS)) throw payloadTooLarge(`The form has too many fields; at most ${MAX_FIELDS} are taken.`);
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString();
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf("&", start);
    const end = next === -1 ? text.length : next;
    const field = text.slice(start, end);
    const equals = field.indexOf("=");
    if (field !== "")
      yield equals === -1 ? [unescaped(field), ""] : [unescaped(field.slice(0, equals)), unescaped(field.slice(equals + 1))];
    start = end + 1;
  }
}

const unescaped = (part: string): string => (/[%+]/.test(part) ? decodePercent(Buffer.from(part)).toString() : part);

const AMPERSAND = 0x26;

/** Counted before any is made. */
const hasMoreFields = (body: Uint8Array, most: number): boolean => {
  let fields = 0;
  for (let at = 0; at < body.length && fields <= most; at += 1) {
    if (body[at] !== AMPERSAND && (at === 0 || body[at - 1] === AMPERSAND)) fields += 1;
  }
  return fields > most;
};

const multipart = async (body: Uint8Array, contentType: string): Promise<Iterable<[string, string]>> => {
  if (hasMoreParts(body, MAX_PARTS)) throw payloadTooLarge(`The form has too many parts; at most ${MAX_PARTS} are taken.`);
  try {
    const data = await new Response(Uint8Array.from(body), { headers: { "content-type": contentType } }).formData();
    return await Promise.all(
      [...data].map(async ([name, value]): Promise<[string, string]> => [name, typeof value === "string" ? value : await value.text()]),
    );
  } catch (cause) {
    throw parseError("The multipart form cannot be read: check its boundary.", cause);
  }
};

/** Every part begins with a line of two hyphens and the boundary; other lines that begin so are counted, too. */
const hasMoreParts = (body: Uint8Array, most: number): boolean => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  let parts = 0;
  for (let at = bytes.indexOf("\n--"); at !== -1; at = bytes.indexOf("\n--", at + 1)) {
    parts += 1;
    if (parts > most) return true;
  }
  return false;
};

const form = (pairs: Iterable<[string, string]>): ParsedBody => {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return { kind: "form", values };
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
