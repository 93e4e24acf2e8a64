import type { Statement } from "../statement.ts";

/** The columns of a table of the language: those that are named, each computed once, in a query over the base relations. */
export interface Outputs {
  /** The column, as it is read outside, under a name that tells it from the others. */
  put(as: string, sql: string): string;
  /** The query with its alias. */
  from(rest: string): string;
}

export const newOutputs = ({ alias }: Pick<Statement, "alias">): Outputs => {
  const table = alias();
  const listed = new Map<string, string>();
  return {
    put: (as, sql) => {
      listed.set(as, sql);
      return `${table}.${as}`;
    },
    from: (rest) => {
      const columns = [...listed].map(([as, sql]) => `${sql} AS ${as}`);
      return `(SELECT ${columns.length === 0 ? "1 AS one" : columns.join(", ")} ${rest}) AS ${table}`;
    },
  };
};

/** A time of the lake, which is in UTC, in the project's zone. */
export const local = ({ options, text }: Statement, sql: string): string =>
  options.timezone === "UTC" ? sql : `toTimeZone(${sql}, ${text(options.timezone)})`;
