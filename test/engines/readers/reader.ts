import type { TableName, TextColumn } from "../columns.ts";

/** How an engine gets to the tables: one address and a key. */
export interface Catalogue {
  readonly uri: string;
  /** A personal key with `query:read`. */
  readonly token: string;
  /** The project. */
  readonly namespace: string;
}

/** A time is a moment in microseconds since 1970. */
export type Literal = string | number | { readonly time: bigint };

/** A condition on a column; those of a list hold together. */
export type Filter =
  | { readonly column: string; readonly is: "null" }
  | { readonly column: string; readonly is: "not null" }
  | { readonly column: string; readonly is: "=" | "!=" | "<" | "<=" | ">" | ">="; readonly value: Literal }
  | { readonly column: string; readonly is: "starts with"; readonly value: string };

export interface Asked {
  readonly table: TableName;
  readonly columns: readonly TextColumn[];
  readonly filters?: readonly Filter[];
  readonly snapshot?: string;
}

/** An engine that reads open tables. All of them answer rows as `columns.ts` writes them. */
export interface Reader {
  /** Name and version, as the engine says it itself. */
  readonly version: string;
  /** Names of the tables that the catalogue lists to it. */
  readonly tables: readonly string[];
  read(asked: Asked): Promise<{ readonly rows: number; readonly digest: string }>;
  /** The same rows as texts: for telling what differs. */
  texts(asked: Asked): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** What a reader was asked for, and what that took. */
export interface Read {
  times: number;
  rows: number;
  ms: number;
}

/** The same reader, whose reads are counted. */
export const counted = <R extends Reader>(reader: R): { readonly reader: R; readonly done: Read } => {
  const done: Read = { times: 0, rows: 0, ms: 0 };
  const read: R["read"] = async (asked) => {
    const began = performance.now();
    const answer = await reader.read(asked);
    done.times += 1;
    done.rows += answer.rows;
    done.ms += performance.now() - began;
    return answer;
  };
  return { reader: { ...reader, read }, done };
};

/** How a dialect of SQL writes what filters need. */
export interface Dialect {
  name(column: string): string;
  time(micros: bigint): string;
  text(value: string): string;
  startsWith(column: string, value: string): string;
}

/** The conditions as text for WHERE. */
export const whereSql = (filters: readonly Filter[] = [], dialect: Dialect): string =>
  filters.length === 0 ? "true" : filters.map((filter) => conditionSql(filter, dialect)).join(" AND ");

const conditionSql = (filter: Filter, dialect: Dialect): string => {
  const name = dialect.name(filter.column);
  if (filter.is === "null") return `${name} IS NULL`;
  if (filter.is === "not null") return `${name} IS NOT NULL`;
  if (filter.is === "starts with") return dialect.startsWith(name, dialect.text(filter.value));
  return `${name} ${filter.is} ${literalSql(filter.value, dialect)}`;
};

const literalSql = (value: Literal, dialect: Dialect): string => {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? dialect.text(value) : dialect.time(value.time);
};
