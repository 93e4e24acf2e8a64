import type { Select } from "../../hogql/ast.ts";
import { from } from "../../hogql/build.ts";
import { QueryError } from "../../hogql/errors.ts";
import type { UsedNames } from "../../hogql/inspect.ts";
import type { StoredTable } from "../../hogql/options.ts";
import { someNode } from "../../hogql/walk.ts";
import type { Table } from "../../ports/table.ts";
import { get } from "../../table/store.ts";
import { Materialisations, type MaterialisedTable, TABLE_NAME } from "../materialisations.ts";
import { SavedEndpoints } from "../saved-endpoints.ts";
import { unpackAst } from "./stored-ast.ts";

/** The name of a version's table in queries. */
const NAME = /^([a-zA-Z][a-zA-Z0-9_-]{0,127})_v([1-9]\d{0,8})$/;

/** Tables of other saved queries that one query may read: each is two reads of the table. */
const MOST = 10;

/**
 * The tables of saved queries' versions that a query of the same project names, `{name}_v{n}`; those that are not there are left out. Throws a
 * `QueryError` where it names more of them than one query may read.
 */
export const namedTables = async (
  table: Table,
  project: number,
  { tables }: Pick<UsedNames, "tables">,
): Promise<ReadonlyMap<string, StoredTable>> => {
  const named = tables.filter((name) => NAME.test(name));
  if (named.length > MOST)
    throw new QueryError(
      "too_complex",
      `The query reads ${named.length} tables of other saved queries. Read at most ${MOST} in one query.`,
    );
  const found = await Promise.all(named.map(async (name) => [name, await tableNamed(table, project, name)] as const));
  return new Map(found.flatMap(([name, stored]) => (stored === undefined ? [] : asNamed(name, stored))));
};

const tableNamed = async (table: Table, project: number, called: string): Promise<MaterialisedTable | undefined> => {
  const [, name = "", version] = NAME.exec(called) ?? [];
  const endpoint = await get(table, SavedEndpoints, { project, name }, { consistent: true });
  if (endpoint === undefined) return undefined;
  const place = { project, endpoint_id: endpoint.id, version: Number(version) };
  const stored = (await get(table, Materialisations, place, { consistent: true }))?.table;
  return stored?.kind === "rows" ? stored : undefined;
};

/** Without variables the rows are those that a run reads: what they are made of may be kept under other names, and before LIMIT. */
const asNamed = (name: string, stored: MaterialisedTable): readonly (readonly [string, StoredTable])[] => {
  const { key, bytes, variables } = stored;
  const kept = { key, bytes, columns: columnsIn(stored.columns) };
  const read = unpackAst(stored.read);
  if (variables.length === 0 && read.kind === "select" && standsByItself(read)) {
    const file = `${name} (file)`;
    return [
      [name, { ...kept, rows: overFile(read, file) }],
      [file, kept],
    ];
  }
  const columns = kept.columns.map(({ shown, ...column }) => ({ ...column, name: shown ?? column.name }));
  const hasParts = columns.some(({ parts }) => parts !== undefined);
  return [[name, { ...kept, columns, ...(hasParts && { isWhole: true as const }) }]];
};

/** What its placeholders stand for, only its own query says. */
const standsByItself = ({ columns, having, orderBy, limit, offset }: Select): boolean =>
  [...columns, having, ...orderBy.map(({ expr }) => expr), limit, offset].every(
    (item) => item === null || !someNode(item, ({ kind }) => kind === "placeholder"),
  );

const overFile = (read: Select, file: string): Select => ({ ...read, from: from(file, TABLE_NAME) });

/** Only the worker writes these columns. */
const columnsIn = (json: string): StoredTable["columns"] => JSON.parse(json) as StoredTable["columns"];
