import { startPython } from "./python.ts";
import { type Asked, type Catalogue, type Dialect, type Reader, whereSql } from "./reader.ts";

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

const DUCKDB: Dialect = {
  name: (column) => `"${column}"`,
  time: (micros) => `make_timestamptz(${micros})`,
  text,
  startsWith: (column, value) => `starts_with(${column}, ${value})`,
};

const SPARK: Dialect = {
  name: (column) => `\`${column}\``,
  time: (micros) => `timestamp_micros(${micros})`,
  text: (value) => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`,
  startsWith: (column, value) => `startswith(${column}, ${value})`,
};

/** A program that takes SQL's conditions. */
const sqlReader = async (program: ReturnType<typeof startPython>, given: object, dialect: Dialect): Promise<Reader> => {
  const attached = await program.ask<Pick<Reader, "version" | "tables">>("attach", given);
  const asking = ({ filters, ...asked }: Asked): object => ({ ...asked, where: whereSql(filters, dialect) });
  return {
    ...attached,
    read: (asked) => program.ask("read", asking(asked)),
    texts: async (asked) => (await program.ask<{ readonly texts: readonly string[] }>("read", { ...asking(asked), whole: true })).texts,
    close: program.close,
  };
};

export const openDuckdb = (python: string, catalogue: Catalogue): Promise<Reader> =>
  sqlReader(startPython(python, "duckdb_reader.py"), catalogue, DUCKDB);

/** What Spark runs on. */
export interface SparkPlace {
  readonly python: string;
  readonly javaHome: string;
  /** Maven coordinates of what Spark itself fetches, and the folder that it keeps them in. */
  readonly packages: readonly string[];
  readonly jars: string;
}

export interface Spark extends Reader {
  /** Begins a scan, which `finish` ends whenever that may be. */
  plan(name: string, asked: Pick<Asked, "table" | "columns">): Promise<void>;
  finish(name: string): Promise<{ readonly rows: number; readonly digest: string }>;
  /** The plan of a scan as Spark writes it. */
  explain(asked: Pick<Asked, "table" | "filters">): Promise<string>;
}

export const openSpark = async (place: SparkPlace, catalogue: Catalogue): Promise<Spark> => {
  const program = startPython(place.python, "spark_reader.py", { JAVA_HOME: place.javaHome });
  const given = { ...catalogue, packages: place.packages, folder: place.jars };
  const reader = await sqlReader(program, given, SPARK);
  return {
    ...reader,
    plan: (name, asked) => program.ask("plan", { name, ...asked }),
    finish: (name) => program.ask("finish", { name }),
    explain: ({ table, filters }) => program.ask("explain", { table, where: whereSql(filters, SPARK) }),
  };
};
