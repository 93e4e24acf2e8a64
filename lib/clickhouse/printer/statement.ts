import type { EarnedColumn } from "../../event/earned-properties.ts";
import type { Expr } from "../../hogql/ast.ts";
import type { LowerOptions, StoredTable } from "../../hogql/options.ts";
import type { RowList } from "../../hogql/row-list.ts";

/** A value that goes along with a statement, as a parameter of the protocol: texts as they are, with nothing escaped. */
export type StatementParameter =
  | { readonly type: "String"; readonly value: string }
  | { readonly type: "Array(String)"; readonly value: readonly string[] };

/** A relation that a statement reads by a name of ours, with the physical columns that it names; at least one. */
export type Need = {
  readonly name: string;
  readonly columns: readonly string[];
} & (
  | { readonly table: BaseTable; readonly earned?: readonly EarnedColumn[] }
  | { readonly table: "table"; readonly stored: StoredTable }
  | { readonly table: "list"; readonly list: RowList }
);

/** What a statement reads: a table of the pinned state, one that was written from a query, or rows that go along. */
type Source = BaseTable | StoredTable | RowList;

/** Tables of the pinned state. */
export type BaseTable = "events" | "persons" | "person_distinct_ids" | "groups";

/**
 * A statement while it is printed. Of what its author wrote, texts become parameters and names become names of ours, one for each,
 * so that nothing of it stands in the SQL and nothing in it can mean one of the relations that are read.
 */
export interface Statement {
  readonly options: LowerOptions;
  /** A text of the author or of a caller. */
  text(value: string): string;
  /** An array of such texts. */
  texts(values: readonly string[]): string;
  /** What stands for a name of the author, the same wherever it is named. */
  name(author: string): string;
  /** A name that nothing else has. */
  alias(): string;
  /** Names a query in WITH ahead of the statement, whose text is asked for at its end; `once`: it is computed once, however often it is read. */
  define(query: () => string, once: boolean): string;
  /** A constant number of rows, as LIMIT and OFFSET have it. */
  count(node: Expr, what: string): bigint;
  /** The name of a relation, of which these columns are read. */
  read(source: Source, columns: readonly string[]): string;
  /** Notes that the column of an earned property is read of a table. */
  readEarned(table: BaseTable, column: EarnedColumn): void;
  readonly parameters: ReadonlyMap<string, StatementParameter>;
  readonly needs: () => readonly Need[];
  /** The queries of WITH, each with its name, in the order in which they name each other. */
  readonly definitions: () => readonly string[];
}

export const newStatement = (options: LowerOptions, count: Statement["count"]): Statement => {
  const parameters = new Map<string, StatementParameter>();
  const byValue = new Map<string, string>();
  const names = new Map<string, string>();
  const sources = new Map<Source, { readonly name: string; readonly columns: Set<string> }>();
  const earned = new Map<BaseTable, Map<string, EarnedColumn>>();
  const definitions: { readonly name: string; readonly query: () => string; readonly once: boolean }[] = [];
  let aliases = 0;
  const alias = (): string => {
    aliases += 1;
    return `r${aliases}`;
  };
  const parameter = (given: StatementParameter): string => {
    const key = JSON.stringify(given.value);
    const name = byValue.get(key) ?? `p${byValue.size + 1}`;
    byValue.set(key, name);
    parameters.set(name, given);
    return `{${name}:${given.type}}`;
  };
  return {
    options,
    text: (value) => parameter({ type: "String", value }),
    texts: (value) => parameter({ type: "Array(String)", value }),
    name: (author) => {
      const name = names.get(author) ?? `n${names.size + 1}`;
      names.set(author, name);
      return name;
    },
    alias,
    count,
    define: (query, once) => {
      const name = alias();
      definitions.push({ name, query, once });
      return name;
    },
    definitions: () => definitions.map(({ name, query, once }) => `${name} AS ${once ? "MATERIALIZED " : ""}(${query()})`),
    read: (source, columns) => {
      const known = sources.get(source) ?? { name: `base_${typeof source === "string" ? source : sources.size + 1}`, columns: new Set() };
      sources.set(source, known);
      for (const column of columns) known.columns.add(column);
      return known.name;
    },
    readEarned: (table, column) => {
      const known = earned.get(table) ?? new Map<string, EarnedColumn>();
      earned.set(table, known.set(column.column, column));
    },
    parameters,
    needs: () =>
      [...sources].map(([source, { name, columns }]): Need => {
        const listed = [...columns].sort();
        if (typeof source === "string") {
          const own = earned.get(source);
          if (own !== undefined) return { name, table: source, columns: listed, earned: [...own.values()] };
          return { name, table: source, columns: listed.length === 0 ? [CHEAPEST[source]] : listed };
        }
        if ("digest" in source) return { name, table: "list", list: source, columns: listed.length === 0 ? [firstColumn(source)] : listed };
        return { name, table: "table", stored: source, columns: listed.length === 0 ? ["c1"] : listed };
      }),
  };
};

const firstColumn = ({ columns }: RowList): string => columns[0]?.name ?? "";

/** What is read of a table of which only the rows are counted. */
const CHEAPEST: Readonly<Record<BaseTable, string>> = {
  events: "person_mode",
  persons: "is_identified",
  person_distinct_ids: "person_id",
  groups: "index",
};
