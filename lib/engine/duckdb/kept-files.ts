import type { DuckDBConnection } from "@duckdb/node-api";
import { MINUTE_MS } from "../../core/time.ts";
import { literal, quoteName, readParquet } from "./sql-text.ts";

/** Files that statements name as tables, by their paths. Whatever lies at one of these stays as it is. */
export interface KeptFiles {
  /** Sees that statements can read these, and says which place they read. Throws what the engine throws where a file cannot be read. */
  ready(paths: readonly string[]): Promise<"files" | "memory">;
}

interface Held {
  readonly place: "file" | "memory";
  /** Of its rows, while they are in memory. */
  readonly bytes: number;
  /** Whether it stays a file. */
  readonly stays: boolean;
  readonly usedAt: number;
}

/** Rows and bytes of what is taken into memory, and the bytes of all of it in an instance. */
const MOST_ROWS = 200_000;
const MOST_BYTES = 16_000_000;
const MOST_BYTES_HELD = 32_000_000;
const MOST_HELD = 64;
/** What nobody has asked for in so long is let go. */
const IDLE_MS = 10 * MINUTE_MS;
/** Of a value, beside the letters of a text. */
const VALUE_BYTES = 16;

/**
 * The first statement reads a Parquet file as it is; with the second its rows are taken into memory, where to find a few takes half as
 * long. The one that was used longest ago goes first; `onDrop` is called before one goes. One statement at a time, as on its connection.
 */
export const openKeptFiles = (connection: Pick<DuckDBConnection, "run" | "runAndReadAll">, onDrop: () => void): KeptFiles => {
  const held = new Map<string, Held>();

  const drop = async (path: string, { place }: Held): Promise<void> => {
    held.delete(path);
    onDrop();
    await connection.run(`DROP ${place === "memory" ? "TABLE" : "VIEW"} IF EXISTS ${quoteName(path)}`);
  };

  /** Those that are asked for now were used last, and stay whatever they take. */
  const makeRoom = async (now: number, asked: readonly string[]): Promise<void> => {
    for (const [path, oldest] of held) {
      if (asked.includes(path)) break;
      const bytes = [...held.values()].reduce((sum, one) => sum + one.bytes, 0);
      if (bytes <= MOST_BYTES_HELD && held.size <= MOST_HELD && now - oldest.usedAt < IDLE_MS) break;
      await drop(path, oldest);
    }
  };

  const take = async (path: string, usedAt: number): Promise<void> => {
    // Whatever ends this, it is tried once.
    held.set(path, { place: "file", bytes: 0, stays: true, usedAt });
    const bytes = await bytesInMemory(connection, path);
    if (bytes > MOST_BYTES) return;
    await connection.run("BEGIN");
    try {
      await connection.run(`DROP VIEW ${quoteName(path)}`);
      await connection.run(`CREATE TABLE ${quoteName(path)} AS SELECT * FROM ${readParquet([path])}`);
      await connection.run("COMMIT");
      held.set(path, { place: "memory", bytes, stays: false, usedAt });
    } catch (thrown) {
      await connection.run("ROLLBACK");
      throw thrown;
    }
  };

  return {
    async ready(paths) {
      const now = performance.now();
      for (const path of paths) {
        const known = held.get(path);
        held.delete(path);
        if (known === undefined) await connection.run(`CREATE OR REPLACE VIEW ${quoteName(path)} AS SELECT * FROM ${readParquet([path])}`);
        held.set(path, { ...(known ?? { place: "file", bytes: 0, stays: false }), usedAt: now });
        if (known?.place === "file" && !known.stays) await take(path, now);
      }
      await makeRoom(now, paths);
      return paths.every((path) => held.get(path)?.place === "memory") ? "memory" : "files";
    },
  };
};

/** What a file's rows would take; infinite where there are many or they hold lists. */
const bytesInMemory = async (connection: Pick<DuckDBConnection, "runAndReadAll">, path: string): Promise<number> => {
  const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS();
  const [[rows] = []] = await rowsOf(`SELECT num_rows FROM parquet_file_metadata(${literal(path)})`);
  if (Number(rows) > MOST_ROWS) return Number.POSITIVE_INFINITY;
  const columns = await rowsOf(`DESCRIBE SELECT * FROM ${readParquet([path])}`);
  if (columns.some(([, type]) => /\[|STRUCT|MAP/.test(String(type)))) return Number.POSITIVE_INFINITY;
  const letters = columns.filter(([, type]) => type === "VARCHAR").map(([name]) => `coalesce(sum(strlen(${quoteName(String(name))})), 0)`);
  const [[bytes] = []] = letters.length === 0 ? [[0]] : await rowsOf(`SELECT ${letters.join(" + ")} FROM ${readParquet([path])}`);
  return Number(bytes) + Number(rows) * columns.length * VALUE_BYTES;
};
