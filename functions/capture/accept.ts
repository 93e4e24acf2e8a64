import { hash } from "node:crypto";
import type { World } from "../../lib/app/world.ts";
import { checkedToken, type Owner, tokenOwner } from "../../lib/auth/project-token.ts";
import { writtenVersion } from "../../lib/core/formats.ts";
import { notJson } from "../../lib/core/json-scan.ts";
import { type Envelope, type RawEvent, readEnvelope, tokenOfEvents } from "../../lib/event/envelope.ts";
import { importIdOf, requestOfImport } from "../../lib/event/imports.ts";
import { isKept, MESSAGE_FORMAT } from "../../lib/event/message.ts";
import type { EventResource } from "../../lib/event/quota-resources.ts";
import { Refused, tooLarge } from "../../lib/event/refused.ts";
import { parseTime } from "../../lib/event/times.ts";
import { type HttpRequest, queryValue } from "../../lib/http/request.ts";
import type { DecodedBody } from "../../lib/http/sdk.ts";
import { checkEvent } from "../../lib/intake/check-event.ts";
import { checkDepth, type JsonMeasures, measureJson } from "../../lib/intake/json-limits.ts";
import { MAX_EVENT_BYTES, MAX_EVENTS, MAX_OBJECT_SHAPES } from "../../lib/intake/limits.ts";
import { encodeBatch, type MessageHeader } from "../../lib/intake/messages.ts";
import { limitShapes } from "../../lib/intake/shape-limit.ts";
import { decodeKnown, nobodys } from "./known-sender.ts";
import { usedUpResources } from "./quota.ts";
import { send } from "./send.ts";

/** The fields of the log line of a request that was taken. */
export interface AcceptedRequest {
  readonly project: number | null;
  readonly events: number;
  readonly dropped: number;
  readonly historical: boolean;
  readonly decodedBytes: number;
}

/**
 * Takes a request whole or throws `Refused`: decoding, shape and types, token, project, quota, then the rules of the events
 * that stay. Returns once the queue has confirmed everything.
 */
export const accept = async (
  request: HttpRequest,
  options: { readonly legacy: boolean; readonly engage: boolean },
  world: World,
): Promise<AcceptedRequest> => {
  const statedInQuery = sentAtInQuery(request);
  const { now, decoded, envelope, owner } = await readRequest(request, options, world);
  const limited = owner.kind === "project" ? await usedUpResources(owner.project, world) : [];
  const kept = checkKept(envelope, limited);
  const accepted = {
    project: owner.kind === "project" ? owner.project : null,
    events: kept,
    dropped: envelope.events.length - kept,
    historical: envelope.historical,
    decodedBytes: decoded.text.length,
  };
  if (owner.kind === "unknown" || kept === 0) return accepted;

  const sentAt = envelope.sentAt === undefined ? undefined : parseTime(envelope.sentAt);
  const header: MessageHeader = {
    v: writtenVersion(MESSAGE_FORMAT),
    ...ownerFields(owner),
    request: requestId(sentAt === undefined ? randomId(world) : bodyDigest(decoded.received), envelope),
    received: `${now}000`,
    // An import has the sent_at of its body or none: it decides identities there, and a retry repeats the body.
    sentAt: (sentAt ?? (envelope.historical ? undefined : statedInQuery))?.toString() ?? null,
    historical: envelope.historical,
    engage: options.engage,
    ...(envelope.importName === undefined ? {} : { importName: envelope.importName }),
    ...(limited.length > 0 ? { limited } : {}),
  };
  const batch = encodeBatch(header, { text: decoded.text, gzip: decoded.gzip, events: envelope.events }, () => world.ids.ulid());
  await send(batch, envelope.historical ? "historical" : "live", world);
  return accepted;
};

/** The content of a request, and its owner. */
export interface ReceivedRequest {
  /** When it came: what is decided about its events is decided by this. */
  readonly now: number;
  readonly decoded: DecodedBody;
  readonly envelope: Envelope;
  readonly owner: Owner;
}

/** How a path reads requests. Events are bounded in size; of a recording nothing is kept that could be too large. */
interface Reading {
  readonly legacy: boolean;
  readonly engage: boolean;
  readonly events?: "of any size";
}

/** Decodes and reads a request and finds its owner. Throws `Refused`. */
export const readRequest = async (request: HttpRequest, options: Reading, world: World): Promise<ReceivedRequest> => {
  const now = world.clock.now();
  const decoded = await decodeKnown(request, options, world);
  const envelope = read(decoded, options, world);
  const source = { ip: request.ip, bytes: decoded.text.length };
  const owner = await tokenOwner(checkedToken(envelope.key ?? tokenOfEvents(envelope.events)), source, world);
  if (owner.kind === "unknown" && world.config.unknownToken === "enforce") throw nobodys();
  return { now, decoded, envelope, owner };
};

/** A text this short exceeds no bound but the depth's: every name in an object, and every event, takes more than one byte. */
const MAX_SHORT_BYTES = MAX_OBJECT_SHAPES;

const read = (decoded: DecodedBody, options: Reading, world: World): Envelope => {
  const { text } = decoded;
  const measures = text.length > MAX_SHORT_BYTES ? measureJson(text) : undefined;
  if (measures && measures.marks > MAX_OBJECT_SHAPES) limitShapes(text, Buffer.from(world.ids.secret(4)).readInt32LE());
  const parsed = parse(text);
  if (!measures) checkDepth(parsed);
  const envelope = readEnvelope(parsed, options);
  if (envelope.events.length === 0) throw new Refused(400, "request holds no event");
  if (envelope.events.length > MAX_EVENTS) throw tooLarge(`the request holds more than ${MAX_EVENTS} events`);
  if (measures && text.length > MAX_EVENT_BYTES && !options.events && longestEvent(decoded, measures, envelope) > MAX_EVENT_BYTES) {
    throw tooLarge(`an event is larger than ${MAX_EVENT_BYTES} bytes`);
  }
  return envelope;
};

const parse = (text: Buffer): unknown => {
  const json = text.toString("utf8");
  try {
    return JSON.parse(json);
  } catch (fault) {
    // What nests too deep is refused for that, whatever else is wrong with it.
    if (text.length <= MAX_SHORT_BYTES) measureJson(text);
    throw new Refused(400, `failed to parse request: ${fault instanceof SyntaxError ? `the body ${notJson(json)}` : "unreadable"}`);
  }
};

const longestEvent = (decoded: DecodedBody, measures: JsonMeasures, { shape }: Envelope): number => {
  if (shape === "single") return decoded.text.length;
  return shape === "list" ? measures.longestInList : measures.longestInBatch;
};

/** Checks the events that no quota drops, and counts them. An import that is flagged is never dropped here. */
const checkKept = ({ events, historical }: Envelope, limited: readonly EventResource[]): number => {
  const dropping = historical ? [] : limited;
  const kept: readonly RawEvent[] = events.filter((event) => isKept(event, dropping));
  for (const event of kept) checkEvent(event);
  return kept.length;
};

/** The part of a message that names its owner. */
export const ownerFields = (owner: Exclude<Owner, { kind: "unknown" }>): Pick<MessageHeader, "project" | "organization" | "token"> =>
  owner.kind === "project"
    ? { project: owner.project, organization: owner.organization }
    : { project: 0, organization: "", token: owner.token };

/** Requests of an import are known by their ids, so that it can be taken back as a whole. */
const requestId = (id: string, { importName }: Envelope): string =>
  importName === undefined ? id : requestOfImport(importIdOf(importName), id);

/** Hexadecimal digits of a request id. */
const ID_DIGITS = 32;

/** A retry repeats its bytes and its sent_at, so it gets the same id and its events the same identity. */
const bodyDigest = (bytes: Buffer): string => hash("sha256", bytes, "hex").slice(0, ID_DIGITS);
export const randomId = (world: World): string => Buffer.from(world.ids.secret(ID_DIGITS / 2)).toString("hex");

const MICROS_PER_MS = 1000n;
/** A smaller number is a time in seconds, or no time at all. */
const EARLIEST_MS = BigInt(Date.UTC(2020, 0, 1));

/** The send time that `?_=` states, microseconds since 1970. Throws `Refused` when it is no integer. */
const sentAtInQuery = (request: HttpRequest): bigint | undefined => {
  const text = queryValue(request, "_");
  if (text === undefined) return undefined;
  if (!/^[+-]?\d{1,18}$/.test(text)) throw new Refused(400, "failed to decode request: query parameter _ must be an integer");
  const ms = BigInt(text);
  return ms > EARLIEST_MS ? ms * MICROS_PER_MS : undefined;
};
