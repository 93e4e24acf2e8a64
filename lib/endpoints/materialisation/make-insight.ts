import type { EnginePorts } from "../../engine/engine.ts";
import { QueryError } from "../../hogql/errors.ts";
import { usedNames } from "../../hogql/inspect.ts";
import { lower } from "../../hogql/lower.ts";
import { planInsight } from "../../insight/kinds.ts";
import { planningContext } from "../../insight/plan.ts";
import { breakdownNames, type InsightQuery } from "../../insight/query.ts";
import { TOO_LARGE } from "../../insight/rows.ts";
import { NAMED_BY_TABLE, openEarned } from "../../lake/earned-properties.ts";
import { readGroupTypes } from "../../lake/group-types.ts";
import { issueLists } from "../query/issue-lists.ts";
import { pinFor } from "../query/pin-for.ts";
import { unpackExpressions } from "../query/stored-ast.ts";
import { keepFirstTypes, withVersionTypes } from "../query/version-types.ts";
import type { EndpointVersion } from "../saved-endpoints.ts";
import type { MadeTable } from "./runs.ts";

/** Limits of the rows of one query and of the whole insight: they are held in memory while they are read. */
const LIMITS = { maxRows: 500_001, maxReplyBytes: 33_554_432 } as const;
const MAX_BYTES = 16_777_216;

export interface InsightMaking {
  readonly project: { readonly id: number; readonly timezone: string };
  readonly query: InsightQuery;
  readonly version: EndpointVersion;
  readonly key: string;
  /** For all queries of the insight together. */
  readonly timeMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Makes the rows of an insight with all values of its breakdowns, as of now; runs take those that they name. */
export const makeInsight = async (
  world: EnginePorts,
  { project, query, version, key, timeMs: wholeMs, signal }: InsightMaking,
): Promise<MadeTable> => {
  const now = world.clock.now();
  const { id, timezone } = project;
  const plan = planInsight(query, planningContext({ now, timezone, expressions: unpackExpressions(version.ast), breakdownValues: {} }));
  const groupTypes = await readGroupTypes(world.table, id);
  const used = usedNames(plan.queries);
  const wanted = used.properties(groupTypes);
  const lists = await issueLists(world.table, id, used);
  const rowLimits = { maxRows: LIMITS.maxRows, defaultRows: LIMITS.maxRows };
  const own = version.property_types;
  const earned = await openEarned(world.table, id, now);
  const { made: queries, learnt } = await withVersionTypes(world.table, { project: id, now, own }, wanted, (propertyType) => {
    const known = { project: id, timezone, now, groupTypes, ...lists, propertyType, hasEarned: earned.hasEarned() };
    return plan.queries.map((each) => lower(each, { ...known, variables: {}, page: null, ...rowLimits }).lowered);
  });
  await earned.note(NAMED_BY_TABLE);
  if (learnt !== null) await keepFirstTypes(world.table, version, learnt);
  const pinned = await pinFor(world, id, queries);
  const results = [];
  const end = performance.now() + wholeMs;
  for (const each of queries) {
    const timeMs = Math.max(1, Math.ceil(end - performance.now()));
    const { rows } = await world.engine.run(each, pinned, { ...LIMITS, timeMs, engine: version.engine, signal });
    if (rows.length >= LIMITS.maxRows) throw new QueryError("query_too_large", TOO_LARGE);
    results.push(rows);
  }
  const rows = plan.rows(results);
  const bytes = Buffer.from(JSON.stringify(rows));
  if (bytes.length > MAX_BYTES) throw new QueryError("query_too_large", TOO_LARGE);
  await world.objects.put(key, bytes);
  const variables = [...breakdownNames(query.breakdownFilter)];
  const sizes = { bytes: bytes.length, rows: rows.length };
  return { kind: "insight", key, ...sizes, columns: "[]", read: new Uint8Array(), variables, as_of: now, timezone };
};
