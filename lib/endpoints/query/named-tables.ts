import type { UsedNames } from "../../hogql/inspect.ts";
import type { StoredTable } from "../../hogql/options.ts";
import type { Table } from "../../ports/table.ts";
import { get } from "../../table/store.ts";
import { Materialisations } from "../materialisations.ts";
import { SavedEndpoints } from "../saved-endpoints.ts";

/** The name of a version's table in queries. */
const NAME = /^([a-zA-Z][a-zA-Z0-9_-]{0,127})_v([1-9]\d{0,8})$/;

/** Tables of other saved queries that one query may read: each is two reads of the table. */
const MOST = 10;

/** The tables of saved queries' versions that a query of the same project names, `{name}_v{n}`; those that are not there are left out. */
export const namedTables = async (
  table: Table,
  project: number,
  { tables }: Pick<UsedNames, "tables">,
): Promise<ReadonlyMap<string, StoredTable>> => {
  const named = tables.filter((name) => NAME.test(name)).slice(0, MOST);
  const found = await Promise.all(named.map(async (name) => [name, await tableNamed(table, project, name)] as const));
  return new Map(found.flatMap(([name, stored]) => (stored === undefined ? [] : [[name, stored] as const])));
};

const tableNamed = async (table: Table, project: number, called: string): Promise<StoredTable | undefined> => {
  const [, name = "", version] = NAME.exec(called) ?? [];
  const endpoint = await get(table, SavedEndpoints, { project, name }, { consistent: true });
  if (endpoint === undefined) return undefined;
  const place = { project, endpoint_id: endpoint.id, version: Number(version) };
  const stored = (await get(table, Materialisations, place, { consistent: true }))?.table;
  if (stored?.kind !== "rows") return undefined;
  const columns = columnsIn(stored.columns).map(({ shown, ...column }) => ({ ...column, name: shown ?? column.name }));
  const hasParts = columns.some(({ parts }) => parts !== undefined);
  return { key: stored.key, bytes: stored.bytes, columns, ...(hasParts && { isWhole: true as const }) };
};

/** Only the worker writes these columns. */
const columnsIn = (json: string): StoredTable["columns"] => JSON.parse(json) as StoredTable["columns"];
