import { gzipSync } from "node:zlib";
import { type CaptureMessage, encodeMessage, MESSAGE_FORMAT } from "../../../lib/event/message.ts";
import type { Delivery } from "../../../lib/ports/queues.ts";

export const ORGANIZATION = "0190d0aa-0000-7000-8000-000000000001";

/** What a message says apart from its events: received at the beginning of 1970 for project 1, unless told otherwise. */
export const messageFacts = (changes: Partial<CaptureMessage> = {}): CaptureMessage => ({
  v: MESSAGE_FORMAT,
  project: 1,
  organization: ORGANIZATION,
  request: "ab".repeat(16),
  received: "0",
  sentAt: null,
  historical: false,
  payload: "envelope",
  engage: false,
  first: 0,
  events: 1,
  decodedBytes: 1,
  body: { encoding: "none", inline: "" },
  ...changes,
});

/** A request of these events, as capture puts it into a queue. */
export const messageOf = (events: readonly object[], changes: Partial<CaptureMessage> = {}): string => {
  const text = Buffer.from(JSON.stringify({ api_key: "phc", batch: events }));
  const body = { encoding: "gzip", inline: gzipSync(text).toString("base64") } as const;
  return encodeMessage(messageFacts({ events: events.length, decodedBytes: text.length, body, ...changes }));
};

/** The same as it comes out of the queue, of a request of its own unless it is said to be another's. */
export const deliveryOf = (events: readonly object[], changes: Partial<CaptureMessage> = {}): Delivery => {
  deliveries += 1;
  const request = deliveries.toString(16).padStart(32, "0");
  return { id: `m${deliveries}`, body: messageOf(events, { request, ...changes }), attempts: 1 };
};

let deliveries = 0;
