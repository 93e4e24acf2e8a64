import { gzipSync, zstdCompressSync } from "node:zlib";
import { exactJson } from "../../core/exact-json.ts";
import { Defect } from "../../core/unreachable.ts";
import type { RawEvent } from "../../event/envelope.ts";
import { type Fields, isFields } from "../../event/fields.ts";
import { readDistinctId } from "../../event/identity.ts";
import { decompress, type Encoding } from "../../event/message.ts";

/** Stands where an event stood, so that those behind it keep their places, which decide who they are. Ingest takes none of it. */
const NO_EVENT: Fields = Object.freeze({ event: "$performance_event" });

/** What stays of a payload: all of it, or some or none of its events in as many bytes. */
export type LessEvents = { readonly kind: "all" } | { readonly kind: "some" | "none"; readonly bytes: Buffer };

/** The compressed payload of a message without the events of some ids, compressed as it was. Throws for what is no payload. */
export const withoutEventsOf = (ids: ReadonlySet<string>, encoding: Encoding, compressed: Uint8Array): LessEvents => {
  const text = Buffer.from(decompress(encoding, compressed)).toString("utf8");
  const body = exactJson(text);
  const events = eventsOf(body);
  const left = events.map((event) => (isErased(event, ids) ? NO_EVENT : event));
  if (left.every((event, at) => event === events[at])) return { kind: "all" };
  const kind = left.every((event) => event === NO_EVENT) ? "none" : "some";
  return { kind, bytes: compress(encoding, Buffer.from(JSON.stringify(withEvents(body, left)))) };
};

/** How the bytes of an object that a message points to are compressed, by their first ones. */
export const encodingOf = (bytes: Uint8Array): Encoding => {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "gzip";
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd ? "zstd" : "none";
};

/** The text that names the project of a payload: it stands in a batch, or in its first event. */
export const tokenIn = (encoding: Encoding, compressed: Uint8Array): string | undefined => {
  const body: unknown = JSON.parse(Buffer.from(decompress(encoding, compressed)).toString("utf8"));
  const holders = [body, ...eventsOf(body).slice(0, 1)].filter(isFields);
  return holders.flatMap(({ api_key, token, $token, properties }) => [
    ...[api_key, token, $token, isFields(properties) ? properties.token : undefined].filter((each) => typeof each === "string"),
  ])[0];
};

const eventsOf = (body: unknown): readonly Fields[] => {
  const list = Array.isArray(body) ? body : isFields(body) && Array.isArray(body.batch) ? body.batch : [body];
  if (!list.every(isFields)) throw new Defect("a payload that holds something else than events");
  return list;
};

const withEvents = (body: unknown, events: readonly Fields[]): unknown =>
  isFields(body) && Array.isArray(body.batch) ? { ...body, batch: events } : events;

/** Capture has checked that it is one. */
const isErased = (event: Fields, ids: ReadonlySet<string>): boolean => {
  const id = readDistinctId(event as unknown as RawEvent);
  return id !== null && ids.has(id);
};

const compress = (encoding: Encoding, bytes: Buffer): Buffer => {
  if (encoding === "none") return bytes;
  return encoding === "gzip" ? gzipSync(bytes) : zstdCompressSync(bytes);
};
