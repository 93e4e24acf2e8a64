import type { DuckDBPreparedStatement } from "@duckdb/node-api";

/** Statements that are asked again and again with other values, by their texts. */
export interface PreparedStatements {
  /** The statement of this text, prepared now where it is not kept. */
  of(sql: string): Promise<DuckDBPreparedStatement>;
  /** Lets go of all: what they name goes, or one of them failed. */
  forget(): void;
}

/** Of one instance. A plan takes some ten times as much memory as its text. */
const MOST_KEPT = 8;
const MOST_LETTERS = 10_000;

/** The one that was used longest ago goes first. One statement at a time, as on its connection. */
export const openPreparedStatements = (prepare: (sql: string) => Promise<DuckDBPreparedStatement>): PreparedStatements => {
  const kept = new Map<string, DuckDBPreparedStatement>();
  const drop = (sql: string, statement: DuckDBPreparedStatement): void => {
    kept.delete(sql);
    statement.destroySync();
  };
  return {
    async of(sql) {
      const statement = kept.get(sql) ?? (await prepare(sql));
      kept.delete(sql);
      if (sql.length <= MOST_LETTERS) kept.set(sql, statement);
      for (const [oldest, unused] of kept) {
        if (kept.size <= MOST_KEPT) break;
        drop(oldest, unused);
      }
      return statement;
    },
    forget() {
      for (const [sql, statement] of kept) drop(sql, statement);
    },
  };
};
