import { MAX_WAIT_MS } from "../core/fair-queue.ts";
import type { EnginePorts } from "../engine/engine.ts";
import type { Ast } from "../hogql/ast.ts";
import { QueryError } from "../hogql/errors.ts";
import { tableKey } from "../lake/paths.ts";
import { accept } from "./accept.ts";
import { storedQuery, storedSql } from "./definition.ts";
import { inSlot } from "./in-slot.ts";
import { makeVersion } from "./materialisation/make-version.ts";
import { findMaterialisation, type Materialisation, type MaterialisedTable } from "./materialisations.ts";
import { pinFor } from "./query/pin-for.ts";
import { unpackAst } from "./query/stored-ast.ts";
import type { VersionTypes } from "./query/version-types.ts";
import { namesRows } from "./run/insight-table.ts";
import { lowerFor } from "./run/lower-for.ts";
import { runQueries } from "./run/lowered-queries.ts";
import { type ResolvedQuery, resolveInsight, resolveSql } from "./run/resolved-query.ts";
import type { StoredResult } from "./run/result-cache.ts";
import { readTable } from "./run/table-read.ts";
import type { EndpointVersion } from "./saved-endpoints.ts";

/** One of the two ways to the rows of a run, with what it took. */
export interface Side {
  readonly columns: readonly string[];
  readonly rows: StoredResult["rows"];
  readonly ms: number;
  /** Bytes of the column chunks that were needed; of an insight's table all of it. */
  readonly bytes: number;
  /** Why there are no rows. */
  readonly error: string | null;
}

export interface BothForms {
  readonly live: Side;
  readonly materialised: Side;
  /** Bytes of the table, and the milliseconds in which it was made for this; null for the one that the version has. */
  readonly table: { readonly bytes: number; readonly made_ms: number | null } | null;
}

type ProjectZone = { readonly id: number; readonly timezone: string };

/** Longest making of a table that is made only to be looked at, milliseconds. */
const MAKING_MS = 15_000;

/**
 * The rows of a run of this version from the events and from its table, one after the other, in one of the project's slots. A version
 * without a table gets one for as long as this takes. Throws 400 for variables that the version does not take, and `Busy`.
 */
export const bothForms = (
  world: EnginePorts,
  project: ProjectZone,
  version: EndpointVersion,
  variables: Readonly<Record<string, unknown>>,
): Promise<BothForms> =>
  inSlot(world, { project, id: world.ids.uuid() }, async (admitted) => {
    await admitted;
    return computeForms({ ...world, engine: hurried(world.engine) }, project, version, variables);
  });

/** Somebody waits for the answer, so a table that is made for it waits for its turn no longer than a run does. */
const hurried = (engine: EnginePorts["engine"]): EnginePorts["engine"] => ({
  ...engine,
  write: (query, pinned, limits, key) => engine.write(query, pinned, { ...limits, maxWaitMs: MAX_WAIT_MS }, key),
});

const computeForms = async (
  world: EnginePorts,
  project: ProjectZone,
  version: EndpointVersion,
  variables: Readonly<Record<string, unknown>>,
): Promise<BothForms> => {
  const now = world.clock.now();
  const query = await resolved(version, variables, { now, timezone: project.timezone });
  const run = { project, query, now, types: version.property_types };
  const live = await runSide(world, async (metered) => {
    const { made: lowered } = await lowerFor(world.table, run);
    const pinned = await pinFor(world, project.id, lowered.queries);
    const { rows } = await runQueries(metered, lowered, pinned, { engine: version.engine });
    return lowered.resultOf(rows);
  });
  const ready = readyTable(await findMaterialisation(world.table, version), version);
  if (ready !== undefined) return { live, ...(await fromTable(world, run, ready, null)) };
  const key = tableKey(project.id, `${version.endpoint_id}/${version.version}`, `trial-${world.ids.ulid()}`);
  try {
    const started = performance.now();
    const made = await makeVersion(world, { project, version, key, before: null, timeMs: MAKING_MS });
    const made_ms = since(started);
    return { live, ...(await fromTable(world, run, { ...made, wanted: 0 }, made_ms)) };
  } catch (thrown) {
    return { live, materialised: { ...NOTHING, error: faultSentence(thrown) }, table: null };
  } finally {
    await world.objects.remove([key]);
  }
};

const resolved = (
  version: EndpointVersion,
  variables: Readonly<Record<string, unknown>>,
  moment: { readonly now: number; readonly timezone: string },
): Promise<ResolvedQuery> | ResolvedQuery => {
  const query = storedQuery(version);
  const input = { ...NO_INPUT, variables };
  return query.kind === "HogQLQuery"
    ? resolveSql(query, version, input)
    : resolveInsight(query, version, input, { ...moment, hasTable: true });
};

const NO_INPUT = {
  version: undefined,
  limit: undefined,
  offset: undefined,
  refresh: "force",
  debug: false,
  filtersOverride: undefined,
} as const;

/** The version's own table, if it is one of these buckets. */
const readyTable = (found: Materialisation | undefined, { bucket_overrides }: EndpointVersion): MaterialisedTable | undefined => {
  const isSame = JSON.stringify(found?.bucket_overrides ?? null) === JSON.stringify(bucket_overrides);
  return isSame && found?.status === "Completed" && found.table?.wanted === found.wanted ? found.table : undefined;
};

type Run = Parameters<typeof lowerFor>[1];

const fromTable = async (
  world: EnginePorts,
  run: Run,
  table: MaterialisedTable,
  made_ms: number | null,
): Promise<Omit<BothForms, "live">> => {
  const { query } = run;
  const isNamed = query.kind === "sql" || namesRows(query.query, query.values.breakdowns, table);
  const materialised = isNamed
    ? await runSide(world, async (metered) => {
        const found = await readTable({ ...world, ...metered }, { ...run, mayRemember: false }, table);
        if (found === undefined) throw new QueryError("unsupported", PAST_LIMIT);
        return found.rows;
      })
    : { ...NOTHING, error: LEFT_OUT };
  const bytes = query.kind === "sql" ? materialised.bytes : table.bytes;
  return { materialised: { ...materialised, bytes }, table: { bytes: table.bytes, made_ms } };
};

const LEFT_OUT =
  "A run that leaves out a breakdown, or whose values are ranges or cannot be told apart in a table, is computed from the events.";
const PAST_LIMIT = "A run for a value that may be past the breakdown's limit is computed from the events.";

const NOTHING: Side = { columns: [], rows: [], ms: 0, bytes: 0, error: null };

type MeteredWorld = Pick<EnginePorts, "engine" | "config">;

const runSide = async (
  { engine, config }: EnginePorts,
  read: (metered: MeteredWorld) => Promise<Pick<StoredResult, "columns" | "rows">>,
): Promise<Side> => {
  let bytes = 0;
  const run: EnginePorts["engine"]["run"] = async (...given) => {
    const rows = await engine.run(...given);
    bytes += rows.cost.neededBytes;
    return rows;
  };
  const started = performance.now();
  try {
    const { columns, rows } = await read({ engine: { ...engine, run }, config });
    return { columns: columns.map(({ name }) => name), rows, ms: since(started), bytes, error: null };
  } catch (thrown) {
    return { ...NOTHING, ms: since(started), bytes, error: faultSentence(thrown) };
  }
};

const since = (started: number): number => Math.round((performance.now() - started) * 10) / 10;

/** Only what is wrong with a query is told. */
const faultSentence = (thrown: unknown): string => {
  if (thrown instanceof QueryError) return thrown.message;
  throw thrown;
};

/** Rows with their columns, which no run keeps or records. */
export type TrialRows = Pick<StoredResult, "columns" | "rows">;

/** A parsed query, and the types that it takes properties for; those of today where it names others. */
export interface TrialQuery {
  readonly text: string;
  readonly ast: Ast;
  readonly types: VersionTypes;
}

/** The rows that a saved query of this tree would have now, within the limits of a run. Throws `QueryError`. */
export const treeRows = async (world: EnginePorts, project: ProjectZone, { text, ast, types }: TrialQuery): Promise<TrialRows> => {
  const query = { kind: "sql", query: storedSql({ kind: "HogQLQuery", query: text }, null), ast, variables: {}, page: null } as const;
  const { made } = await lowerFor(world.table, { query, project, now: world.clock.now(), types });
  const { rows } = await runQueries(world, made, await pinFor(world, project.id, made.queries));
  return made.resultOf(rows);
};

/** The rows that a saved query of this text would have now. Throws 400 for a text that could not be saved, and `QueryError`. */
export const textRows = async (world: EnginePorts, project: ProjectZone, text: string): Promise<TrialRows> => {
  const { ast, property_types } = await accept({ kind: "HogQLQuery", query: text }, world, project);
  return treeRows(world, project, { text, ast: unpackAst(ast), types: property_types });
};
