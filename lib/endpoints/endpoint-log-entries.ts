import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

export const LOG_LEVELS = ["DEBUG", "LOG", "INFO", "WARN", "ERROR"] as const;

const KEPT_S = 30 * 86_400;

/** One run of a saved endpoint, or one that was refused, as its owner reads about it. Kept for 30 days. */
export const EndpointLogEntries = entity({
  name: "endpoint_log_entry",
  version: 1,
  schema: z.object({
    project: z.int(),
    endpoint_id: z.guid(),
    /** Microseconds since 1970. */
    at: z.int(),
    /** The execution, or the refusal. */
    instance_id: z.guid(),
    level: z.enum(LOG_LEVELS),
    message: z.string(),
  }),
  key: within("endpointLog", "{at}#{instance_id}", { endpoint: "endpoint_id" }),
  patterns: {},
  ttl: ({ at }) => Math.floor(at / 1_000_000) + KEPT_S,
});
export type EndpointLogEntry = z.output<typeof EndpointLogEntries.schema>;
