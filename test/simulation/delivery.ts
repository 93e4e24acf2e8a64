import { createHash } from "node:crypto";
import { importIdOf, requestOfImport } from "../../lib/event/imports.ts";
import { type CaptureMessage, decodeMessage, encodeMessage, MESSAGE_FORMAT } from "../../lib/event/message.ts";
import { recordingEvent } from "../../lib/event/recordings.ts";
import { pointerKey } from "../../lib/lake/paths.ts";
import type { Request } from "../model/copies.ts";
import { objectOr, readJson, written } from "../model/json.ts";
import type { SentEvent, SentRequest } from "./scenario.ts";

const US_PER_MS = 1_000;

/** A request as capture took it, and the messages and objects that it became. */
export interface Taken {
  readonly request: Request;
  readonly messages: readonly string[];
  readonly objects: readonly { readonly key: string; readonly bytes: Uint8Array }[];
}

/** What a client composes at a time: the bytes that it repeats until it has an answer. */
export const composed = ({ path, historical, batch, sentBeforeMs, importName }: SentRequest, now: number): string =>
  written(
    path === "/s/"
      ? batch
      : {
          api_key: "phc_simulated",
          historical_migration: historical,
          ...(importName === undefined ? {} : { import_id: importName }),
          batch,
          ...(sentBeforeMs === null ? {} : { sent_at: new Date(now - sentBeforeMs).toISOString() }),
        },
  );

/** What capture makes of a request: all that decides the identity of its events is fixed here. */
export const taken = (sent: SentRequest, text: string, receivedMs: number, attempt: number): Taken => {
  const named = sent.sentBeforeMs === null ? `${sent.name} ${attempt}` : text;
  const digest = createHash("md5").update(named).digest("hex");
  const importName = sent.historical ? sent.importName : undefined;
  const id = importName === undefined ? digest : requestOfImport(importIdOf(importName), digest);
  const body = readJson(text);
  const facts = {
    v: MESSAGE_FORMAT,
    project: sent.project,
    organization: "simulated",
    request: id,
    received: String(receivedMs * US_PER_MS),
    sentAt: sentAtOf(text),
    historical: sent.historical,
    engage: false,
    ...(importName === undefined ? {} : { importName }),
  };
  const all = sent.path === "/s/" ? sessionEvents(sent.batch, receivedMs) : sent.batch;
  const size = Math.ceil(all.length / sent.pieces);
  const starts = Array.from({ length: Math.ceil(all.length / size) }, (_, piece) => piece * size);
  const objects: Taken["objects"][number][] = [];
  const messages = starts.map((first) => {
    const events = all.slice(first, first + size);
    const isWhole = starts.length === 1 && sent.path === "/batch/";
    const bytes = Buffer.from(isWhole ? text : written(events));
    const key = pointerKey(`${id}-${attempt}-${first}`);
    if (sent.byPointer) objects.push({ key, bytes });
    const payload: CaptureMessage = {
      ...facts,
      payload: isWhole ? "envelope" : "events",
      first,
      events: events.length,
      decodedBytes: bytes.length,
      body: sent.byPointer ? { encoding: "none", key } : { encoding: "none", inline: bytes.toString("base64") },
    };
    return encodeMessage(payload);
  });
  return { request: { project: sent.project, path: sent.path, id, received: BigInt(facts.received), body }, messages, objects };
};

/** Of recordings capture sends on only which sessions there were. */
const sessionEvents = (batch: readonly SentEvent[], receivedMs: number): readonly object[] => {
  const sources = new Map(
    batch.map(({ properties }) => {
      const { $session_id: session, $snapshot_source: source } = objectOr(properties);
      return [String(session), source === "mobile" ? "mobile" : "web"] as const;
    }),
  );
  return [...sources].map(([session, source]) => recordingEvent(session, source, receivedMs));
};

const sentAtOf = (text: string): string | null => {
  const written = /"sent_at":"([^"]+)"/.exec(text)?.[1];
  return written === undefined ? null : String(Date.parse(written) * US_PER_MS);
};

/** The message as it would be if ingest asked its own clock. */
export const receivedAt = (text: string, nowMs: number): string =>
  encodeMessage({ ...decodeMessage(text), received: String(nowMs * US_PER_MS) });
