import * as z from "zod";
import type { Table } from "../ports/table.ts";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";
import { get, getMany } from "../table/store.ts";

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

/** States as clients see them; `Unknown` until the first run begins. */
export const MATERIALISATION_STATES = ["Unknown", "Running", "Completed", "Failed", "Modified", "Cancelled"] as const;

/** The name of a version's table in the query that reads it. */
export const TABLE_NAME = "materialised_rows";

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
  /** The project's time zone as it was then, which its days and times are of; absent in tables that are older than this field. */
  timezone: z.string().optional(),
  /** Digests of what each piece of it was made of, packed; absent where it is made whole each time. */
  pieces: Bytes.optional(),
});
export type MaterialisedTable = z.output<typeof MaterialisedTable>;

/** Where the tables that are due lie in the index. */
const DUE_PK = "materialise";

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
    /** Runs that failed since the last one that did not: the next one waits the longer. */
    failures: z.int().default(0),
    /** When the next run is due, milliseconds since 1970. */
    due_at: z.int(),
    table: MaterialisedTable.nullable(),
    /** Tables that runs may still read from, until the next one is made. */
    replaced: z.array(z.string()),
  }),
  key: within("project", "materialisation#{endpoint_id}#{version}"),
  patterns: { due: { index: "due", pk: DUE_PK, sk: "{due_at}#{project}#{endpoint_id}#{version}" } },
});
export type Materialisation = z.output<typeof Materialisations.schema>;

/** The version that a materialisation is of; versions themselves are such places, too. */
export type MaterialisationKey = Pick<Materialisation, "project" | "endpoint_id" | "version">;

export const materialisationKey = ({ project, endpoint_id, version }: MaterialisationKey): MaterialisationKey => ({
  project,
  endpoint_id,
  version,
});

/** The materialisation of a version, as it is now; undefined where none was switched on. */
export const findMaterialisation = (table: Table, version: MaterialisationKey): Promise<Materialisation | undefined> =>
  get(table, Materialisations, materialisationKey(version), { consistent: true });

/** Those of several versions, in no order. */
export const findMaterialisations = (table: Table, versions: readonly MaterialisationKey[]): Promise<readonly Materialisation[]> =>
  getMany(table, Materialisations, versions.map(materialisationKey), { consistent: true });

/** Whether a run may begin now: one is due, and none is in work. */
export const isDue = ({ due_at, run_until }: Pick<Materialisation, "due_at" | "run_until">, now: number): boolean =>
  due_at <= now && run_until <= now;

/** The tables that are due by the index, which lags: the one that is so for longest first. */
export const dueTables = async (table: Table, now: number): Promise<readonly MaterialisationKey[]> => {
  const due: MaterialisationKey[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ index: "due", pk: DUE_PK, sk: { to: `${String(now).padStart(16, "0")}#~` }, cursor });
    due.push(...page.items.map(({ pk, sk }) => keyNamed(pk, sk)));
    cursor = page.cursor;
  } while (cursor !== null);
  return due;
};

const keyNamed = (pk: string, sk: string): MaterialisationKey => {
  const [, project] = pk.split("#");
  const [, endpoint_id = "", version] = sk.split("#");
  return { project: Number(project), endpoint_id, version: Number(version) };
};
