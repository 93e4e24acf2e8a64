import { beyondBounds } from "../core/json-bounds.ts";
import { type ApiError, parseError, payloadTooLarge, unsupportedMediaType } from "./errors.ts";
import type { HttpRequest } from "./request.ts";

/** Longest body of a request to `/api`, bytes. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Deeper or with more values, a JSON text is refused before it is parsed (decision 36). */
export const MAX_JSON_DEPTH = 128;
export const MAX_JSON_VALUES = 300_000;

/** A request's body as sent: JSON of any kind, or the fields of a form in order. `fields` are those of an object or a form. */
export type ParsedBody =
  | { readonly kind: "json"; readonly value: unknown; readonly fields: Readonly<Record<string, unknown>> }
  | {
      readonly kind: "form";
      readonly values: ReadonlyMap<string, readonly string[]>;
      readonly fields: Readonly<Record<string, unknown>>;
    };

/** Reads a body of any of the three media types. Throws 413, 415 and 400 `parse_error`. */
export const readBody = async (request: HttpRequest, parseJson = parseJsonText): Promise<ParsedBody> => {
  const { body, headers } = request;
  if (body.length > MAX_BODY_BYTES) throw payloadTooLarge(`The body is ${body.length} bytes long; at most ${MAX_BODY_BYTES} are taken.`);
  const contentType = headers["content-type"] ?? "";
  const mediaType = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
  switch (mediaType) {
    case "application/json":
      return json(body, parseJson);
    case "application/x-www-form-urlencoded":
      return form(new URLSearchParams(utf8(body)));
    case "multipart/form-data":
      return form(await multipart(body, contentType));
    default:
      if (body.length > 0) throw unsupportedMediaType(contentType);
      return json(body, parseJson);
  }
};

/** `JSON.parse`, refusing the two keys that could change an object's prototype, as the deployed parser does. */
export const parseJsonText = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown) => {
    if (key === "__proto__" || (key === "constructor" && isObject(value) && Object.hasOwn(value, "prototype"))) {
      throw new SyntaxError("forbidden key");
    }
    return value;
  });

const json = (body: Uint8Array, parseJson: (text: string) => unknown): ParsedBody => {
  const beyond = beyondBounds(body, { maxDepth: MAX_JSON_DEPTH, maxValues: MAX_JSON_VALUES });
  if (beyond === "depth") throw parseError(`The text is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  if (beyond === "values") throw payloadTooLarge(`The body holds too many values; at most ${MAX_JSON_VALUES} are taken.`);
  const text = utf8(body);
  const value = text === "" ? {} : parsed(text, parseJson);
  return { kind: "json", value, fields: isObject(value) ? value : {} };
};

const parsed = (text: string, parseJson: (text: string) => unknown): unknown => {
  try {
    return parseJson(text);
  } catch (cause) {
    throw malformed("The text is not valid JSON.", cause);
  }
};

const utf8 = (body: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw malformed("The body is not valid UTF-8.", cause);
  }
};

const malformed = (reason: string, cause: unknown): ApiError => parseError(reason, cause);

const multipart = async (body: Uint8Array, contentType: string): Promise<Iterable<[string, string]>> => {
  try {
    const data = await new Response(Uint8Array.from(body), { headers: { "content-type": contentType } }).formData();
    return await Promise.all(
      [...data].map(async ([name, value]): Promise<[string, string]> => [name, typeof value === "string" ? value : await value.text()]),
    );
  } catch (cause) {
    throw parseError("The multipart form cannot be read: check its boundary.", cause);
  }
};

const form = (pairs: Iterable<[string, string]>): ParsedBody => {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const known = values.get(name);
    if (known) known.push(value);
    else values.set(name, [value]);
  }
  return { kind: "form", values, fields: Object.fromEntries([...values].map(([name, all]) => [name, all.at(-1)])) };
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
