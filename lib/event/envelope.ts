import { type ExactNumber, toDouble } from "../core/exact-json.ts";
import { isUuid } from "../core/uuid.ts";
import { type Fields, isFields } from "./fields.ts";
import { isImportName, MAX_IMPORT_NAME } from "./imports.ts";
import { Refused } from "./refused.ts";
import { trimmedToken } from "./token-text.ts";

/** An event as a client sent it: types are checked, unknown fields are still there, nothing is converted yet. */
export interface RawEvent {
  readonly event: string;
  readonly distinct_id?: unknown;
  readonly $distinct_id?: unknown;
  readonly uuid?: string | null;
  readonly properties?: Fields;
  readonly timestamp?: string | null;
  /** Milliseconds before the receive time. */
  readonly offset?: number | ExactNumber | null;
  readonly token?: string | null;
  readonly $token?: string | null;
  readonly api_key?: string | null;
  readonly $set?: Fields | null;
  readonly $set_once?: Fields | null;
  /** A list of names, or an object whose names count; anything else is ignored. */
  readonly $unset?: unknown;
}

export interface Envelope {
  readonly shape: "list" | "batch" | "single";
  readonly events: readonly RawEvent[];
  /** The key of a batch envelope; undefined for the other shapes, whose events carry their own tokens. */
  readonly key: string | undefined;
  readonly historical: boolean;
  /** As written, perhaps no readable time. */
  readonly sentAt: string | undefined;
  /** The name of the import that a flagged request says it belongs to. */
  readonly importName: string | undefined;
}

/**
 * Recognises the four shapes of a request (list, batch envelope, single event, person update on `/engage`) and checks the
 * types of every event. Throws `Refused` (400) for the first thing that is wrong: a request is taken whole or not at all.
 */
export const readEnvelope = (parsed: unknown, options: { readonly engage: boolean }): Envelope => {
  if (Array.isArray(parsed)) return keyless("list", parsed);
  if (!isFields(parsed)) throw badRequest("expected an object or a list of events");
  const batch = batchEnvelope(parsed);
  if (batch !== undefined) return batch;
  if (typeof parsed.event === "string") return keyless("single", [parsed]);
  if (options.engage) return keyless("single", [{ ...parsed, event: "$identify" }]);
  throw whyNoShapeFits(parsed);
};

const keyless = (shape: "list" | "single", events: readonly unknown[]): Envelope => ({
  shape,
  events: checkedEvents(events),
  key: undefined,
  historical: false,
  sentAt: undefined,
  importName: undefined,
});

/** The token that the events of a list carry; each falls back to its property. Throws `Refused` (401) for none or two. */
export const tokenOfEvents = (events: readonly RawEvent[]): string => {
  let found: string | undefined;
  for (const event of events) {
    const raw = eventToken(event);
    if (raw === undefined) continue;
    const token = trimmedToken(raw);
    if (token === found) continue;
    if (found !== undefined) throw new Refused(401, "batch submitted with inconsistent api_key values");
    found = token;
  }
  if (found === undefined) throw new Refused(401, "event submitted without an api_key");
  return found;
};

const eventToken = (event: RawEvent): string | undefined => {
  const own = event.token ?? event.$token ?? event.api_key;
  if (typeof own === "string") return own;
  const inside = event.properties?.token;
  return typeof inside === "string" ? inside : undefined;
};

const batchEnvelope = (body: Fields): Envelope | undefined => {
  const key = bodyKey(body);
  if (key === undefined || !Array.isArray(body.batch)) return undefined;
  const historical = body.historical_migration ?? false;
  const sentAt = body.sent_at ?? undefined;
  if (typeof historical !== "boolean" || (sentAt !== undefined && typeof sentAt !== "string")) return undefined;
  const events = checkedEvents(body.batch);
  return { shape: "batch", events, key, historical, sentAt, importName: historical ? namedImport(body.import_id) : undefined };
};

/** Only a flagged request names its import: to any other one it is an unknown key. */
const namedImport = (name: unknown): string | undefined => {
  if (name === undefined || name === null) return undefined;
  if (!isImportName(name)) throw badRequest(`import_id must be a text of 1 to ${MAX_IMPORT_NAME} characters`);
  return name;
};

const bodyKey = (body: Fields): string | undefined => {
  if (typeof body.api_key === "string") return body.api_key;
  return typeof body.token === "string" ? body.token : undefined;
};

const whyNoShapeFits = (body: Fields): Refused => {
  if (bodyKey(body) === undefined || !Array.isArray(body.batch)) {
    const text = "failed to hydrate events from request: non-engage request missing event name attribute";
    return new Refused(400, text, Array.isArray(body.batch) ? "a batch names its project by the text api_key beside it" : undefined);
  }
  if (typeof (body.historical_migration ?? false) !== "boolean") return badRequest("historical_migration must be a boolean");
  return badRequest("sent_at must be a string");
};

const checkedEvents = (list: readonly unknown[]): readonly RawEvent[] => {
  assertEvents(list);
  return list;
};

function assertEvents(list: readonly unknown[]): asserts list is readonly RawEvent[] {
  for (let position = 0; position < list.length; position++) {
    const wrong = eventFault(list[position]);
    if (wrong !== null) throw badRequest(`${wrong} (event ${position})`);
  }
}

/** The reason why a value is no event, or null. Written by hand: it runs for every event of every request. */
export const eventFault = (event: unknown): string | null => {
  if (!isFields(event)) return "an event must be an object";
  if (typeof event.event !== "string") return "event must be a string";
  if (event.properties !== undefined && !isFields(event.properties)) return "properties must be an object";
  if (event.uuid !== undefined && !isUuidOrNone(event.uuid)) return "uuid must be a UUID";
  if (!isTextOrNone(event.timestamp)) return "timestamp must be a string";
  if (event.offset !== undefined && !isOffsetOrNone(event.offset)) return "offset must be an integer of milliseconds";
  if (!isTextOrNone(event.token) || !isTextOrNone(event.$token) || !isTextOrNone(event.api_key)) return "token must be a string";
  if (!isFieldsOrNone(event.$set)) return "$set must be an object";
  if (!isFieldsOrNone(event.$set_once)) return "$set_once must be an object";
  return null;
};

const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === "string" || value === null;
const isFieldsOrNone = (value: unknown): boolean => value === undefined || value === null || isFields(value);
const isOffsetOrNone = (value: unknown): boolean => value === null || Number.isSafeInteger(toDouble(value));
const isUuidOrNone = (value: unknown): boolean => value === null || value === "" || (typeof value === "string" && isUuid(value));

const badRequest = (reason: string): Refused => new Refused(400, `failed to parse request: ${reason}`);
