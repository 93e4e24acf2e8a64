import type { EngineName, Rows } from "../engine/engine.ts";

/** What it took to compute the rows of a run. */
export interface Effort {
  /** ClickHouse where it ran any of the run's queries. */
  readonly engine: EngineName;
  /** Bytes of the column chunks that all of them needed. */
  readonly neededBytes: number;
}

/** The effort of a run whose queries gave these rows. */
export const effortOf = (results: readonly Pick<Rows, "engine" | "cost">[]): Effort => ({
  engine: results.some(({ engine }) => engine === "clickhouse") ? "clickhouse" : "embedded",
  neededBytes: results.reduce((sum, { cost }) => sum + cost.neededBytes, 0),
});

/** The header `x-run-path` of rows that were computed now: what it always was where the platform's own engine did it. */
export const livePath = ({ engine }: Effort): string => (engine === "embedded" ? "live" : `live; engine=${engine}`);

/** An effort in the words of logs. */
export const loggedEffort = ({ engine, neededBytes }: Effort) => ({ engine, needed_bytes: neededBytes });
