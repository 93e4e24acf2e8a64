import { type Sql, sql } from "../sql/fragment.ts";
import type { Unit } from "../types.ts";

/** Units of time as DuckDB calls them. */
export const UNIT_SQL: Readonly<Record<Unit, Sql>> = {
  second: sql`second`,
  minute: sql`minute`,
  hour: sql`hour`,
  day: sql`day`,
  week: sql`week`,
  month: sql`month`,
  quarter: sql`quarter`,
  year: sql`year`,
};
