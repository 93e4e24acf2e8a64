import { Materialisations } from "../../../lib/endpoints/materialisations.ts";
import { tablesPrefix } from "../../../lib/endpoints/table-files.ts";
import { SymbolSets } from "../../../lib/error-tracking/symbol-sets.ts";
import { symbolsKey, tablesFolder } from "../../../lib/lake/paths.ts";
import type { Names } from "../../../lib/lake/verify.ts";
import type { Table } from "../../../lib/ports/table.ts";
import * as store from "../../../lib/table/store.ts";
import { rollUpKeys } from "../../../lib/usage/roll-ups.ts";

/** Objects that items of the table name and not the lake's catalogue, and the folder in which nothing else lies. */
export interface NamedFolder {
  readonly prefix: string;
  readonly names: () => Promise<Names>;
}

/** Of a project: the tables of its saved queries, and what was uploaded to find its sources by. */
export const foldersOfProject = (table: Table, project: number): readonly NamedFolder[] => [
  { prefix: tablesFolder(project), names: () => namedTables(table, project) },
  { prefix: symbolsKey(project, ""), names: () => namedSymbols(table, project) },
];

/** Of an organization: its usage. */
export const foldersOfOrganization = async (table: Table, organization: string): Promise<readonly NamedFolder[]> => {
  const { prefix } = await rollUpKeys(table, organization);
  return [{ prefix, names: () => namedRollUps(table, organization) }];
};

const namedTables = async (table: Table, project: number): Promise<Names> => {
  const names = new Map<string, { isNeeded: boolean; bytes?: number }>();
  for await (const page of store.pages(table, Materialisations, "key", { project }, { consistent: true }))
    for (const each of page) {
      for (const key of each.replaced) names.set(key, { isNeeded: false });
      if (each.run !== null) names.set(tablesPrefix(each) + each.run, { isNeeded: false });
      if (each.table !== null) names.set(each.table.key, { isNeeded: true, bytes: each.table.bytes });
    }
  return names;
};

const namedSymbols = async (table: Table, project: number): Promise<Names> => {
  const names = new Map<string, { isNeeded: boolean; bytes?: number }>();
  for await (const page of store.pages(table, SymbolSets, "key", { project }, { consistent: true }))
    for (const { object, pending, bytes } of page) {
      if (pending !== null) names.set(pending, { isNeeded: false });
      if (object !== null) names.set(object, { isNeeded: true, bytes });
    }
  return names;
};

const namedRollUps = async (table: Table, organization: string): Promise<Names> => {
  const { current, previous } = await rollUpKeys(table, organization);
  const named = (keys: readonly string[], isNeeded: boolean) => keys.map((key) => [key, { isNeeded }] as const);
  return new Map([...named(previous, false), ...named(current, true)]);
};
