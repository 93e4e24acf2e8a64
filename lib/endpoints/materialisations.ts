import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** States as clients see them; `Unknown` until the first run begins. */
export const MATERIALISATION_STATES = ["Unknown", "Running", "Completed", "Failed", "Modified", "Cancelled"] as const;

/** The table that a version's runs read, and what it was made of. */
export const MaterialisedTable = z.object({
  /** `rows` of a query, as Parquet; `insight`: its rows as JSON. */
  kind: z.enum(["rows", "insight"]),
  key: z.string(),
  bytes: z.int(),
  rows: z.int(),
  /** JSON of the columns with their types. */
  columns: z.string(),
  /** The query that reads it, packed like a version's tree; empty for an insight. */
  read: Bytes,
  /** code_names, or names of breakdowns, that a run has to give. */
  variables: z.array(z.string()),
  /** The request that it answers: of an earlier one it may be made of other buckets. */
  wanted: z.int(),
  /** Milliseconds since 1970: the moment whose events it holds. */
  as_of: z.int(),
  /** Digests of what each piece of it was made of, packed; absent where it is made whole each time. */
  pieces: Bytes.optional(),
});
export type MaterialisedTable = z.output<typeof MaterialisedTable>;

/** That one version of a saved query has a table, and how that stands. Gone as soon as it is switched off. */
export const Materialisations = entity({
  name: "materialisation",
  version: 1,
  schema: z.object({
    project: z.int(),
    endpoint_id: z.guid(),
    version: z.int(),
    id: z.guid(),
    endpoint_name: z.string(),
    freshness_seconds: z.int(),
    bucket_overrides: z.record(z.string(), z.string()).nullable(),
    status: z.enum(MATERIALISATION_STATES),
    error: z.string(),
    last_materialized_at: z.string().nullable(),
    /** Counts what was asked for: a run that began before the last of it is followed by another. */
    wanted: z.int(),
    /** The run in work, and when another may take its place. */
    run: z.string().nullable(),
    run_until: z.int(),
    /** When the next run is due, milliseconds since 1970. */
    due_at: z.int(),
    table: MaterialisedTable.nullable(),
    /** Tables that runs may still read from, until the next one is made. */
    replaced: z.array(z.string()),
  }),
  key: within("project", "materialisation#{endpoint_id}#{version}"),
  patterns: { due: { index: "due", pk: "materialise", sk: "{due_at}#{project}#{endpoint_id}#{version}" } },
});
export type Materialisation = z.output<typeof Materialisations.schema>;
