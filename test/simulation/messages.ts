import { createHash } from "node:crypto";
import type { DeltaGatherer } from "../../lib/lake/deltas.ts";
import type { EventRow } from "../../lib/lake/event.ts";
import { personIdOf } from "../../lib/lake/identity.ts";
import { type CaptureMessage, decodeMessage, encodeMessage, eventsOf, MESSAGE_FORMAT } from "../../lib/lake/message.ts";
import { decompress } from "../../lib/lake/payload.ts";
import { rowsOf } from "../../lib/lake/rows.ts";
import type { TypeLearner } from "../../lib/lake/type-learner.ts";
import type { Request } from "./scenario.ts";

const US_PER_MS = 1_000;

/** The message that capture makes of a request: what decides the identity of its events is fixed here. */
export const messageOf = (request: Request, receivedMs: number): CaptureMessage => {
  const batch = request.events.map(({ event, distinctId, uuid, timestamp, amount, person }) => ({
    event,
    distinct_id: distinctId,
    ...(uuid === null ? {} : { uuid }),
    ...(timestamp === null ? {} : { timestamp: new Date(timestamp).toISOString() }),
    properties: {
      amount,
      ...(person === null
        ? { $process_person_profile: false }
        : { $set: person.set, ...(person.anonymous === null ? {} : { $anon_distinct_id: person.anonymous }) }),
    },
  }));
  const body = Buffer.from(JSON.stringify({ api_key: "phc_simulated", historical_migration: request.historical, batch }));
  return {
    v: MESSAGE_FORMAT,
    project: request.project,
    organization: "simulated",
    request: createHash("md5").update(request.id).digest("hex"),
    received: String(receivedMs * US_PER_MS),
    sentAt: null,
    historical: request.historical,
    payload: "envelope",
    engage: false,
    first: 0,
    events: batch.length,
    decodedBytes: body.length,
    body: { encoding: "none", inline: body.toString("base64") },
  };
};

/** The rows that these events are, whoever delivers them; what they say about persons goes to `learned`, and about properties to `types`. */
export const rowsOfMessage = (message: CaptureMessage, learned: DeltaGatherer, types: TypeLearner): readonly EventRow[] => {
  const { project, body } = message;
  if (!("inline" in body)) return [];
  const events = eventsOf(message, decompress(body.encoding, Buffer.from(body.inline, "base64")));
  return rowsOf(message, events, { project, groupTypes: [], personId: (id) => personIdOf(project, id) }, learned, types).rows;
};

/** The message as it would be if ingest asked its own clock. */
export const receivedAt = (text: string, nowMs: number): string =>
  encodeMessage({ ...decodeMessage(text), received: String(nowMs * US_PER_MS) });
