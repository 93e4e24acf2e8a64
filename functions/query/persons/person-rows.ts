import { exactJson } from "../../../lib/core/exact-json.ts";
import type { TreeRun } from "../../../lib/endpoints/tree-runs.ts";
import type { Cell } from "../../../lib/engine/engine.ts";
import type { Expr, OrderItem } from "../../../lib/hogql/ast.ts";
import { call, compare, constant, field, from, select, tuple } from "../../../lib/hogql/build.ts";
import type { Person } from "./wire.ts";
import { withinBytes } from "./within-bytes.ts";

/** The newest person first; the id tells those apart that were seen first at one moment. */
export const NEWEST_FIRST: readonly OrderItem[] = [
  { expr: field("created_at"), descending: true, nulls: "last" },
  { expr: field("id"), descending: false, nulls: "last" },
];

const COLUMNS = ["id", "created_at", "properties", "is_identified", "last_seen_at"] as const;

/**
 * The persons with these ids, newest first, as many of them as an answer has room for. What a person has is as long as a client made it, so
 * how long is asked before it is read.
 */
export const readPersons = async (run: TreeRun, ids: readonly string[], mostDistinctIds: number): Promise<readonly Person[]> => {
  if (ids.length === 0) return [];
  const among = isAmong("id", ids);
  const parts = { from: from("persons"), where: among, orderBy: NEWEST_FIRST };
  const lengths = await run.rows(
    select([call("length", call("toString", field("properties")))], { ...parts, limit: constant(ids.length) }),
  );
  const most = withinBytes(lengths.map(([length]) => Number(length)));
  const rows = await run.rows(
    select(
      COLUMNS.map((name) => field(name)),
      { ...parts, limit: constant(most) },
    ),
  );
  const shown = rows.map(([id]) => String(id));
  const distinctIds = await readDistinctIds(run, shown, mostDistinctIds);
  return rows.map((row) => person(row, distinctIds.get(String(row[0])) ?? []));
};

/** The first distinct ids of each of these persons, in order. */
const readDistinctIds = async (run: TreeRun, ids: readonly string[], most: number): Promise<ReadonlyMap<string, readonly string[]>> => {
  const own = [field("person_id")];
  const rows = await run.rows(
    select([field("person_id"), field("distinct_id")], {
      from: from("person_distinct_ids"),
      where: isAmong("person_id", ids),
      orderBy: [...own, field("distinct_id")].map((expr) => ({ expr, descending: false, nulls: "last" as const })),
      limitBy: { n: constant(most), offset: null, by: own },
      limit: constant(most * ids.length),
    }),
  );
  return new Map(
    [...Map.groupBy(rows, ([id]) => String(id))].map(([id, pairs]) => [id, pairs.map(([, distinctId]) => String(distinctId))]),
  );
};

/** Whether a column of ids holds one of these. */
export const isAmong = (column: string, ids: readonly string[]): Expr =>
  compare("in", field(column), tuple(ids.map((id) => call("toUUID", constant(id)))));

const person = (
  [uuid, created_at, properties, is_identified, last_seen_at]: readonly (Cell | undefined)[],
  ids: readonly string[],
): Person => {
  const id = String(uuid);
  // Ids that a client made up say less of somebody than those that a product gave.
  const distinct_ids = [...ids.filter((each) => !isMadeUp(each)), ...ids.filter(isMadeUp)];
  const known: Readonly<Record<string, unknown>> = Object(exactJson(String(properties)));
  return {
    id,
    uuid: id,
    name: shownName(known) ?? distinct_ids[0] ?? id,
    distinct_ids,
    properties: known,
    is_identified: is_identified === true,
    created_at: moment(created_at),
    last_seen_at: moment(last_seen_at),
  };
};

const moment = (cell: Cell | undefined): string | null => (cell === null || cell === undefined ? null : String(cell));

const isMadeUp = (distinctId: string): boolean => MADE_UP.test(distinctId);
const MADE_UP = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$|^[0-9a-f]{10,}-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+-[0-9a-f]+$/i;

const shownName = (properties: Readonly<Record<string, unknown>>): string | undefined =>
  NAMES.map((name) => properties[name]).find((value): value is string => typeof value === "string" && value !== "");

/** Properties that people are told apart by, the best first. */
const NAMES = ["email", "name", "username"] as const;
