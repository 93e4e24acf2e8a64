import { cache, perOwner } from "../../core/cache.ts";
import { jsonDigest } from "../../core/canonical-json.ts";
import { isLongWholeNumber } from "../../core/exact-json.ts";
import { HOUR_MS } from "../../core/time.ts";
import { Defect } from "../../core/unreachable.ts";
import type { EnginePorts } from "../../engine/engine.ts";
import type { Ast, Expr } from "../../hogql/ast.ts";
import { parseTimestamp } from "../../hogql/calendar.ts";
import { QueryError } from "../../hogql/errors.ts";
import type { StoredTable } from "../../hogql/options.ts";
import { timeZone } from "../../hogql/time-zone.ts";
import { childNodes } from "../../hogql/walk.ts";
import { type InsightRow, shownRow } from "../../insight/rows.ts";
import type { PinnedState } from "../../lake/catalogue.ts";
import type { Objects } from "../../ports/objects.ts";
import { type MaterialisedTable, TABLE_NAME } from "../materialisations.ts";
import { unpackAst } from "../query/stored-ast.ts";
import { knowsAll, rowsWith } from "./insight-table.ts";
import { checkSize, lowerQueries } from "./lowered-queries.ts";
import type { ResolvedQuery } from "./resolved-query.ts";
import type { StoredResult } from "./result-cache.ts";

type TableRows = Pick<StoredResult, "columns" | "rows" | "hasMore">;

/** Rows of a table, and whether the same was asked of it before. */
export interface TableAnswer {
  readonly rows: TableRows;
  readonly isKept: boolean;
}

/** A run as far as a table has to know it. */
export interface TableRun {
  readonly project: { readonly id: number; readonly timezone: string };
  readonly query: ResolvedQuery;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Rows that were read before may be given again. */
  readonly mayRemember: boolean;
}

/** A table is immutable, so what was read of it may be kept as long as there is room; in characters of the rows. */
const ROWS_CAPACITY = 32_000_000;
const ROWS_KEPT_MS = HOUR_MS;
/** Tables whose reading query is kept unpacked. */
const PLANS = 1_000;
/** Questions that were asked of tables of insights. */
const QUESTIONS = 10_000;

interface ReadPlan {
  readonly read: Ast;
  readonly tables: ReadonlyMap<string, StoredTable>;
  /** The variables that are rounded down with the column that they bound. */
  readonly bounds: readonly string[];
}

const memory = perOwner((_: Objects) => ({
  plans: cache<string, ReadPlan>({ capacity: PLANS }),
  rows: cache<string, TableRows & { readonly size: number }>({ capacity: ROWS_CAPACITY, weigh: ({ size }) => size }),
  asked: cache<string, true>({ capacity: QUESTIONS }),
}));

/** The rows that a run asks for, read from the version's table; undefined where the table may lack some of them. */
export const readTable = async (world: EnginePorts, request: TableRun, table: MaterialisedTable): Promise<TableAnswer | undefined> => {
  const { query, mayRemember, now } = request;
  if (query.kind === "insight") return insightAnswer(world, request, table, query.values.breakdowns);
  const { rows } = memory(world.objects);
  const name = `${table.key}#${jsonDigest([query.variables, query.page])}`;
  const known = mayRemember ? rows.get(name, now) : undefined;
  if (known !== undefined) return { rows: known, isKept: true };
  const found = await computed(world, request, table);
  rows.set(name, { ...found, size: JSON.stringify(found.rows).length }, now + ROWS_KEPT_MS);
  return { rows: found, isKept: false };
};

/** Of an insight all rows are one object, which is kept like the rows that were read of other tables. */
const insightAnswer = async (
  { objects }: EnginePorts,
  { now, mayRemember }: TableRun,
  table: MaterialisedTable,
  values: Readonly<Record<string, string>>,
): Promise<TableAnswer | undefined> => {
  const { rows, asked } = memory(objects);
  const known = rows.get(table.key, now) ?? (await allRows(objects, table));
  rows.set(table.key, { ...known, size: table.bytes }, now + ROWS_KEPT_MS);
  const named = rowsWith(insightIn(known), table, values);
  if (!knowsAll(insightIn(known), named)) return undefined;
  const shown = named.map(shownRow);
  checkSize(shown);
  const question = `${table.key}#${jsonDigest(values)}`;
  const isKept = mayRemember && asked.get(question, now) === true;
  asked.set(question, true, now + ROWS_KEPT_MS);
  return { rows: { ...known, rows: shown }, isKept };
};

const allRows = async (objects: Objects, { key }: MaterialisedTable): Promise<TableRows> => {
  const bytes = await objects.get(key);
  if (bytes === undefined) throw new Defect(`the table ${key} is gone`);
  return { columns: [], rows: JSON.parse(Buffer.from(bytes).toString()), hasMore: false };
};

/** Only the worker writes these rows, and of an insight they are objects. */
const insightIn = ({ rows }: TableRows): readonly InsightRow[] => rows as readonly InsightRow[];

const computed = async (
  { engine, objects, config }: EnginePorts,
  { query, project, now }: TableRun,
  table: MaterialisedTable,
): Promise<TableRows> => {
  if (query.kind !== "sql") throw new Defect("only a SQL query has a table of rows");
  const { read, tables, bounds } = planRead(objects, table, now);
  checkBounds(bounds, query.variables, project.timezone);
  const { queries, maxRows, maxBytes, resultOf } = lowerQueries({ ...query, ast: read }, { project, now, tables });
  const results = [];
  for (const lowered of queries) {
    const { rows } = await engine.run(lowered, nothingPinned(project.id), { timeMs: config.queryTimeMs, maxRows, maxReplyBytes: maxBytes });
    results.push(rows);
  }
  return resultOf(results);
};

const planRead = (objects: Objects, table: MaterialisedTable, now: number): ReadPlan => {
  const { plans } = memory(objects);
  const known = plans.get(table.key, now);
  if (known !== undefined) return known;
  const { key, bytes } = table;
  const read = unpackAst(table.read);
  const bounds = read.kind === "set" || read.where === null ? [] : roundedVariables(read.where);
  const plan = { read, tables: new Map([[TABLE_NAME, { key, bytes, columns: tableColumns(table) }]]), bounds };
  plans.set(key, plan, now + ROWS_KEPT_MS);
  return plan;
};

/** The variables that stand as `bucket(toDateTime({variables.name}))`, which is how a table's reads round a bound. */
const roundedVariables = (node: Expr): readonly string[] => {
  const [time] = node.kind === "call" ? node.args : [];
  const [value] = time?.kind === "call" && time.name === "toDateTime" ? time.args : [];
  if (value?.kind === "placeholder") return [value.chain.slice(1).join(".")];
  return childNodes(node).flatMap(roundedVariables);
};

/** Refuses a text that is no time as the query itself does: rounded it would be NULL, and no row would fit what cannot be asked. */
const checkBounds = (bounds: readonly string[], values: Readonly<Record<string, unknown>>, timezone: string): void => {
  const isNone = (value: unknown): boolean => typeof value === "string" && parseTimestamp(value, timeZone(timezone)) === null;
  const name = bounds.find((bound) => isNone(values[bound]));
  if (name !== undefined) throw new QueryError("cannot_parse_text", `The value of '${name}' is no date or time.`);
};

/**
 * Whether a table answers for these values of its variables as the events do: beside a whole number beyond 2^53 a number column does
 * not, because it holds doubles and the events all digits.
 */
export const answersExactly = (table: MaterialisedTable, values: Readonly<Record<string, unknown>>): boolean =>
  !Object.values(values).flat().some(isLongWholeNumber) || !tableColumns(table).some(({ type }) => type.kind === "float");

/** Only the worker writes these columns. */
const tableColumns = ({ columns }: MaterialisedTable): StoredTable["columns"] => JSON.parse(columns) as StoredTable["columns"];

/** A table is one file, which its item names: nothing of the lake is read. */
const nothingPinned = (project: number): PinnedState => ({
  project,
  manifests: new Map(),
  waiting: [],
  state: null,
  waitingDeltas: [],
  digest: "",
});
