import * as z from "zod";

/** Settings of a deployment, read once from the environment. Names are the environment's in camelCase. */
export const Config = z.object({
  /** `{base_url}` and `{ingest_url}`, without a final slash; empty where the request's own origin is to be used. */
  baseUrl: z.string().default(""),
  ingestUrl: z.string().default(""),
  /** Multiplies all throttle rates. */
  throttleScale: z.coerce.number().positive().default(1),
  /** Live runs at once per project. */
  concurrentRuns: z.coerce.number().int().positive().default(10),
  /** Longest engine time of a run, milliseconds. */
  queryTimeMs: z.coerce.number().int().positive().max(25_000).default(20_000),
  /** What capture does with a token that no project has. */
  unknownToken: z.enum(["enforce", "off"]).default("enforce"),
  /** Local disk that the engine may use, bytes, and memory, megabytes. */
  engineDiskBytes: z.coerce.number().int().positive().default(4_000_000_000),
  engineMemoryMb: z.coerce.number().int().positive().default(1_500),
  /** How long the compaction waits, as multiples of the defaults in `lib/lake/policy.ts`; small locally. */
  compaction: z.enum(["deployed", "local"]).default("deployed"),
});
export type Config = z.output<typeof Config>;
