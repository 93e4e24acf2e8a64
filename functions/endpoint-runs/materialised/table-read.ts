import { cache, ownedBy } from "../../../lib/core/cache.ts";
import { Defect } from "../../../lib/core/unreachable.ts";
import { TABLE_NAME } from "../../../lib/endpoint/materialisation/table-name.ts";
import { unpackAst } from "../../../lib/endpoint/stored-ast.ts";
import type { MaterialisedTable } from "../../../lib/entities/endpoints/materialisations.ts";
import type { StoredTable } from "../../../lib/hogql/analysis/options.ts";
import type { Ast } from "../../../lib/hogql/syntax/ast.ts";
import { shownRow } from "../../../lib/insight/labels/sentinels.ts";
import type { InsightRow } from "../../../lib/insight/plan.ts";
import type { Pinned } from "../../../lib/lake/catalogue/pinned.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import type { World } from "../../../lib/world/world.ts";
import { lowerRun } from "../compute/lowered-run.ts";
import { digest, type StoredResult } from "../compute/result-cache.ts";
import type { RunRequest } from "../run-request.ts";
import { rowsWith } from "./insight-table.ts";

type TableRows = Pick<StoredResult, "columns" | "rows" | "hasMore">;

/** A table is immutable, so what was read of it may be kept as long as there is room; in characters of the rows. */
const ROWS_CAPACITY = 32_000_000;
const ROWS_KEPT_MS = 3_600_000;
/** Tables whose reading query is kept unpacked. */
const PLANS = 1_000;

interface ReadPlan {
  readonly read: Ast;
  readonly tables: ReadonlyMap<string, StoredTable>;
}

const memory = ownedBy((_: Objects) => ({
  plans: cache<string, ReadPlan>({ capacity: PLANS }),
  rows: cache<string, TableRows & { readonly size: number }>({ capacity: ROWS_CAPACITY, weigh: ({ size }) => size }),
}));

/** The rows that a run asks for, read from the version's table. */
export const readTable = async (world: World, request: RunRequest, table: MaterialisedTable): Promise<TableRows> => {
  const { query, input, now } = request;
  if (query.kind === "insight") return insightRows(world, request, table, query.values.breakdowns);
  const { rows } = memory(world.objects);
  const name = `${table.key}#${digest([query.variables, query.page])}`;
  const known = input.refresh === "cache" ? rows.get(name, now) : undefined;
  if (known !== undefined) return known;
  const found = await computed(world, request, table);
  rows.set(name, { ...found, size: JSON.stringify(found.rows).length }, now + ROWS_KEPT_MS);
  return found;
};

/** Of an insight all rows are one object, which is kept like the rows that were read of other tables. */
const insightRows = async (
  { objects }: World,
  { now }: RunRequest,
  table: MaterialisedTable,
  values: Readonly<Record<string, string>>,
): Promise<TableRows> => {
  const { rows } = memory(objects);
  const known = rows.get(table.key, now) ?? (await allRows(objects, table));
  rows.set(table.key, { ...known, size: table.bytes }, now + ROWS_KEPT_MS);
  return { ...known, rows: rowsWith(insightIn(known), table, values).map(shownRow) };
};

const allRows = async (objects: Objects, { key }: MaterialisedTable): Promise<TableRows> => {
  const bytes = await objects.get(key);
  if (bytes === undefined) throw new Defect(`the table ${key} is gone`);
  return { columns: [], rows: JSON.parse(Buffer.from(bytes).toString()), hasMore: false };
};

/** Only the worker writes these rows, and of an insight they are objects. */
const insightIn = ({ rows }: TableRows): readonly InsightRow[] => rows as readonly InsightRow[];

const computed = async (
  { engine, objects, config }: World,
  { query, project, now }: RunRequest,
  table: MaterialisedTable,
): Promise<TableRows> => {
  if (query.kind !== "sql") throw new Defect("only a SQL query has a table of rows");
  const { read, tables } = planOf(objects, table, now);
  const { queries, maxRows, maxBytes, resultOf } = lowerRun({ ...query, ast: read }, { project, now, tables });
  const results = [];
  for (const lowered of queries) {
    const { rows } = await engine.run(lowered, nothingPinned(project.id), { timeMs: config.queryTimeMs, maxRows, maxReplyBytes: maxBytes });
    results.push(rows);
  }
  return resultOf(results);
};

const planOf = (objects: Objects, table: MaterialisedTable, now: number): ReadPlan => {
  const { plans } = memory(objects);
  const known = plans.get(table.key, now);
  if (known !== undefined) return known;
  const { key, bytes } = table;
  const plan = { read: unpackAst(table.read), tables: new Map([[TABLE_NAME, { key, bytes, columns: columnsOf(table) }]]) };
  plans.set(key, plan, now + ROWS_KEPT_MS);
  return plan;
};

/** Only the worker writes these columns. */
const columnsOf = ({ columns }: MaterialisedTable): StoredTable["columns"] => JSON.parse(columns) as StoredTable["columns"];

/** A table is one file, which its item names: nothing of the lake is read. */
const nothingPinned = (project: number): Pinned => ({
  project,
  manifests: new Map(),
  waiting: [],
  state: null,
  waitingDeltas: [],
  digest: "",
});
