import type { DescribedOperation } from "../../lib/http/group.ts";

const PLAIN = { "text/plain": { schema: { type: "string" } } };

const EVENT = {
  type: "object",
  required: ["event"],
  properties: {
    event: { type: "string", description: "Name of the event." },
    distinct_id: { type: "string", description: "Who did it; may stand in the properties instead." },
    properties: { type: "object", additionalProperties: true, description: "Whatever is worth knowing of the event, by name." },
    timestamp: { type: ["string", "null"], format: "date-time", description: "When it happened; the time of receipt when left out." },
    uuid: { type: ["string", "null"], format: "uuid", description: "Names the event: sent twice, it is stored once." },
  },
};

const EXAMPLE = {
  api_key: "phc_token",
  historical_migration: true,
  batch: [{ event: "signed up", distinct_id: "user-1", properties: { plan: "free" }, timestamp: "2026-01-01T12:00:00Z" }],
};

const BATCH = {
  type: "object",
  required: ["api_key", "batch"],
  properties: {
    api_key: { type: "string", description: "Token of the project (phc_…)." },
    batch: { type: "array", items: EVENT, minItems: 1, description: "The events; one that does not fit refuses them all." },
    historical_migration: { type: ["boolean", "null"], description: "Events older than 48 hours: not billed, and no delay to live ones." },
    sent_at: { type: ["string", "null"], format: "date-time", description: "When the client sends it: corrects a clock that is wrong." },
    import_id: {
      type: ["string", "null"],
      minLength: 1,
      maxLength: 200,
      description: "Of flagged requests: a name that the requests of one import share, by which it can be taken back as a whole.",
    },
  },
};

const RESPONSES = {
  "200": {
    description: "Every event of the request is stored.",
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["status"],
          properties: { status: { type: "string", description: "Always `Ok`: nothing has to be sent again." } },
        },
        example: { status: "Ok" },
      },
    },
  },
  "400": { description: "One event or the request does not fit; nothing is stored.", content: PLAIN },
  "401": { description: "The token is missing, malformed or of no project.", content: PLAIN },
  "413": { description: "The body is too large, before or after decoding.", content: PLAIN },
  "503": { description: "Not stored for sure: send it all again. What is stored already is not stored twice.", content: PLAIN },
};

const post = (path: string, operationId: string, summary: string, description: string): DescribedOperation => ({
  path,
  method: "post",
  operation: {
    operationId,
    summary,
    description,
    tags: ["Capture"],
    requestBody: { required: true, content: { "application/json": { schema: BATCH, example: EXAMPLE } } },
    responses: RESPONSES,
  },
});

const SHAPES = "Also takes a single event or an array of events, compressed with gzip, lz64 or base64, and forms with a `data` field.";

/** Capture in the API's description: its requests come in more shapes than a schema says. */
export const OPERATIONS: readonly DescribedOperation[] = [
  post("/batch/", "captureBatch", "Send a batch of events", `All events of a request are stored or none is. ${SHAPES}`),
  post("/i/v0/e/", "captureEvents", "Send events", `As the batch path. ${SHAPES}`),
];
