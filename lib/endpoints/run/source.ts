import type { EnginePorts } from "../../engine/engine.ts";
import type { Materialisation, MaterialisedTable } from "../materialisations.ts";
import type { RunRequest } from "../run-request.ts";
import { namesRows, overriddenBreakdown } from "./insight-table.ts";
import { isFresh } from "./remembered-table.ts";
import type { ResolvedQuery } from "./resolved-query.ts";
import { answersExactly, readTable, type TableAnswer } from "./table-read.ts";

/** A table of the version that answers instead of the events. */
export interface MaterialisedSource {
  readonly path: "materialised";
  /** Milliseconds since 1970 as of which the table holds the rows. */
  readonly refreshedAt: number;
  /** Reads the rows, undefined where some may be missing. That, and whatever this throws but a 429, lets the run be computed live. */
  readonly read: () => Promise<TableAnswer | undefined>;
}

/** The events themselves; `passedOver` says why a table that exists was not taken, null where there is none. */
export interface LiveSource {
  readonly path: "live";
  readonly passedOver: string | null;
}

/** Where a run's rows come from: the version's own table while that is whole and fresh, else the events. */
export const chooseSource = (world: EnginePorts, request: RunRequest): MaterialisedSource | LiveSource => {
  const { materialisation } = request;
  if (materialisation === undefined) return live(null);
  const { table } = materialisation;
  const query = tableQuery(request);
  const reason = reasonNot(materialisation, request, query);
  if (reason !== null || table === null) return live(reason);
  return {
    path: "materialised",
    refreshedAt: table.as_of,
    read: () => readTable(world, { ...request, query, mayRemember: request.input.refresh === "cache" }, table),
  };
};

const live = (passedOver: string | null): LiveSource => ({ path: "live", passedOver });

/** Reasons that lie in the table and pass with its next making; the others lie in what a run asks for. */
const IN_TABLE: ReadonlySet<string> = new Set(["failed", "not_ready", "cancelled", "modified", "time_zone", "stale"]);

export const liesInTable = (passedOver: string): boolean => IN_TABLE.has(passedOver);

/** Why a table is not asked this query; null where it serves. One that is being made anew serves until it is too old. */
const reasonNot = (
  materialisation: Materialisation,
  { project, input, version, now, query: sent }: RunRequest,
  query: ResolvedQuery,
): string | null => {
  if (input.refresh === "direct") return "direct";
  const { table, status } = materialisation;
  if (table === null) return status === "Failed" ? "failed" : "not_ready";
  if (status === "Failed" || status === "Cancelled") return status.toLowerCase();
  if (table.wanted !== materialisation.wanted) return "modified";
  if (table.timezone !== undefined && table.timezone !== project.timezone) return "time_zone";
  if (!isFresh(materialisation, version, now)) return "stale";
  if (input.filtersOverride !== undefined && query === sent) return "filters_override";
  if (pagesUnion(query)) return "union";
  if (query.kind === "insight" && !namesRows(query.query, query.values.breakdowns, table)) return "breakdowns";
  if (!carriesAll(table, input.variables)) return "variables";
  return query.kind === "insight" || answersExactly(table, query.variables) ? null : "digits";
};

/** The query as its table is asked: an override that names a value of the breakdown is as good as the variable. */
const tableQuery = ({ input: { filtersOverride }, query }: RunRequest): ResolvedQuery => {
  const breakdowns = filtersOverride === undefined || query.kind !== "insight" ? null : overriddenBreakdown(query.query, filtersOverride);
  return breakdowns === null || query.kind !== "insight" ? query : { ...query, values: { ...query.values, breakdowns } };
};

/** The rows of a UNION's table could be paged, but lowering the query itself refuses that, and both forms have to answer alike. */
const pagesUnion = (query: ResolvedQuery): boolean => query.kind === "sql" && query.page !== null && query.ast.kind === "set";

const carriesAll = ({ variables }: MaterialisedTable, sent: Readonly<Record<string, unknown>>): boolean =>
  Object.keys(sent).every((name) => variables.includes(name));
