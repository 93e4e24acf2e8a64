import { mkdir } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBPreparedStatement,
  DuckDBValue,
  DuckDBVector,
} from "@duckdb/node-api";
import { STOPPING, Unavailable } from "../../core/unavailable.ts";
import { Defect } from "../../core/unreachable.ts";
import type { Parameter } from "../../hogql/lowered-query.ts";
import { HASHES, rowHash } from "../hashes/hashes.ts";
import type { Native, NativeRow } from "../native.ts";
import { limitError } from "../query/process/engine-errors.ts";
import { type Chunk, rowSlices } from "../row-slices.ts";
import { openKeptFiles } from "./kept-files.ts";
import { openPreparedStatements } from "./prepared-statements.ts";
import { literal } from "./sql-text.ts";

export interface DatabaseOptions {
  /** The only directory that statements can read; it ends in a slash. */
  readonly readable: string;
  /** Where sorts spill. DuckDB makes it readable too, so no two projects may share one. */
  readonly temporary: string;
  readonly memoryMb: number;
  readonly threads: number;
  /** Bytes that may be spilled. */
  readonly spillBytes: number;
}

/** Is handed rows, and says whether it wants more. */
export type Take = (rows: NativeRow[]) => "more" | "enough";

/** Options of a SELECT. */
export interface SelectOptions {
  /** Bytes of JSON that all rows may take. */
  readonly maxBytes?: number;
  /** A path of our own making: the rows are written there as Parquet, and the one row that is handed over is their number. */
  readonly into?: string;
  /** Paths of the files that the statement names as tables: what lies there stays as it is. */
  readonly kept?: readonly string[];
  /** Whether those are all that the statement reads: then it may stay prepared, and be asked again with other values. */
  readonly readsKeptAlone?: boolean;
}

/** A hardened DuckDB instance of one project. One statement at a time. */
export interface Database {
  /**
   * Runs one SELECT and hands over its rows in batches, in order; until `take` has enough. After `timeMs` it is
   * interrupted; and before it makes rows that `maxBytes` has no room for. Throws `QueryError` when a limit is hit, and `Defect` for
   * anything but a single SELECT.
   */
  select(sql: string, parameters: readonly Parameter[], timeMs: number, take: Take, more?: SelectOptions): Promise<void>;
  /** Runs one COPY … TO of this folder's own making. */
  copy(sql: string): Promise<void>;
  /** Ends what runs, which throws; what is begun afterwards throws, too. */
  interrupt(): void;
  close(): void;
}

type Binding = typeof import("@duckdb/node-api");

/** The binding is 70 MB of native code: loaded when the first database is opened, never at start. */
let loaded: Promise<Binding> | undefined;
const binding = (): Promise<Binding> => {
  loaded ??= import("@duckdb/node-api").then(named);
  return loaded;
};

/** Begins to load the native code, for a process that has nothing else to do. */
export const loadBinding = (): void => {
  // The first database tells why it could not be loaded.
  binding().catch(() => undefined);
};

/** A bundle hands a CommonJS package over whole, as the default export, which then is the binding. */
const named = (api: Binding | { readonly default: Binding }): Binding => ("DuckDBInstance" in api ? api : api.default);

/**
 * Opens an instance that can read `readable` and nothing else: no other file, no network, no extension, no settings. The order
 * matters: the cache of file blocks is switched off before the configuration is locked, else blocks read before a column was
 * fetched would be served afterwards.
 */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const api = await binding();
  await mkdir(options.temporary, { recursive: true });
  const instance = await api.DuckDBInstance.create(":memory:", {
    threads: String(options.threads),
    memory_limit: `${options.memoryMb}MB`,
  });
  const connection = await instance.connect();
  const hardening = [
    `SET temp_directory = ${literal(options.temporary)}`,
    `SET max_temp_directory_size = '${options.spillBytes}B'`,
    "SET enable_external_file_cache = false",
    "SET parquet_metadata_cache = true",
    // What instances let go of goes back to the machine soon, and not when the next one happens to ask for some.
    "SET allocator_background_threads = true",
    "SET TimeZone = 'UTC'",
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    `SET allowed_directories = [${literal(options.readable)}]`,
    "SET enable_external_access = false",
    "SET lock_configuration = true",
  ];
  for (const statement of hardening) await connection.run(statement);
  addHashes(api, connection);
  return database(api, instance, connection);
};

/** Hashes of one or several texts that DuckDB does not have, as functions of their names. */
const addHashes = (api: Binding, connection: DuckDBConnection): void => {
  for (const [name, hash] of Object.entries(HASHES)) {
    const hashed = rowHash(hash);
    const addTo = (columns: readonly DuckDBVector[], output: DuckDBVector, row: number): void =>
      output.setItem(row, hashed(columns.map((column) => textAt(column, row))));
    const function_ = api.DuckDBScalarFunction.create({
      name,
      parameterTypes: [api.VARCHAR],
      varArgsType: api.VARCHAR,
      returnType: api.UBIGINT,
      specialHandling: true,
      mainFunction: (_, chunk, output) => {
        const columns = Array.from({ length: chunk.columnCount }, (_, at) => chunk.getColumnVector(at));
        for (let row = 0; row < chunk.rowCount; row++) addTo(columns, output, row);
        output.flush();
      },
    });
    connection.registerScalarFunction(function_);
  }
};

const textAt = (column: DuckDBVector, row: number): string | null => {
  const value = column.getItem(row);
  return typeof value === "string" ? value : null;
};

const INTERRUPT_MS = 20;

const database = (api: Binding, instance: DuckDBInstance, connection: DuckDBConnection): Database => {
  const prepared = openPreparedStatements((sql) => prepareSelect(api, connection, sql));
  const files = openKeptFiles(connection, () => prepared.forget());
  let interrupting: NodeJS.Timeout | undefined;
  const checkGoing = (): void => {
    if (interrupting !== undefined) throw new Unavailable(STOPPING);
  };
  return {
    async select(sql, parameters, timeMs, take, { maxBytes = Number.POSITIVE_INFINITY, into, kept = [], readsKeptAlone = false } = {}) {
      checkGoing();
      const timer = { expired: false };
      const timeout = setTimeout(() => {
        timer.expired = true;
        connection.interrupt();
      }, timeMs);
      try {
        const place = await files.ready(kept);
        // A plan that reads files would hold them open.
        const staysPrepared = readsKeptAlone && place === "memory" && into === undefined;
        const query = await (staysPrepared ? prepared.of(sql) : prepareSelect(api, connection, sql));
        if (into !== undefined) query.destroySync();
        const statement = into === undefined ? query : await connection.prepare(copyInto(into, sql));
        bind(statement, parameters);
        const result = await statement.stream();
        const room = { bytes: maxBytes };
        for (let wanted: "more" | "enough" = "more"; wanted === "more" && !timer.expired; ) {
          const chunk = await result.fetchChunk();
          if (!chunk || chunk.rowCount === 0) break;
          for (const rows of rowSlices(readChunk(api, chunk), room)) {
            wanted = take(rows);
            // Between slices it hears that nobody wants more, and that its time is over.
            await setImmediate();
            if (wanted === "enough" || timer.expired) break;
          }
        }
      } catch (thrown) {
        prepared.forget();
        checkGoing();
        throw limitError(thrown, timer.expired);
      } finally {
        clearTimeout(timeout);
      }
      if (timer.expired) throw limitError(new Error("interrupted between batches"), true);
    },

    async copy(sql) {
      try {
        checkGoing();
        if (!sql.startsWith("COPY (")) throw new Defect("the engine copies queries only");
        await connection.run(sql);
      } catch (thrown) {
        checkGoing();
        throw limitError(thrown, false);
      }
    },

    interrupt() {
      // Again and again: an interrupt that comes while a statement is being begun is forgotten with its beginning.
      interrupting ??= setInterval(() => connection.interrupt(), INTERRUPT_MS);
      connection.interrupt();
    },

    close() {
      clearInterval(interrupting);
      connection.closeSync();
      instance.closeSync();
    },
  };
};

const readChunk = (api: Binding, chunk: DuckDBDataChunk): Chunk => {
  const { rowCount, columnCount } = chunk;
  const columns = Array.from({ length: columnCount }, (_, at) => chunk.getColumnVector(at));
  return { rowCount, columnCount, valueAt: (column, row) => native(api, columns[column]?.getItem(row) ?? null) };
};

/** The one door for queries: a text of exactly one statement, and that a SELECT. */
const prepareSelect = async (api: Binding, connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> => {
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) throw new Defect(`the engine takes one statement at a time, not ${statements.count}`);
  const statement = await statements.prepare(0);
  if (statement.statementType === api.StatementType.SELECT) return statement;
  statement.destroySync();
  throw new Defect(`the engine refuses a statement of type ${statement.statementType}`);
};

/** Rows of a row group are few, so that a read skips those that cannot fit. */
const copyInto = (path: string, sql: string): string =>
  `COPY (${sql}) TO ${literal(path)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 20480, WRITE_BLOOM_FILTER false)`;

const LEAST_BIGINT = -(2n ** 63n);
const MOST_BIGINT = 2n ** 63n - 1n;

const bind = (statement: DuckDBPreparedStatement, parameters: readonly Parameter[]): void => {
  for (const [at, value] of parameters.entries()) {
    const index = at + 1;
    if (value === null) statement.bindNull(index);
    else if (typeof value === "string") statement.bindVarchar(index, value);
    else if (typeof value === "boolean") statement.bindBoolean(index, value);
    else if (typeof value === "bigint") bindInteger(statement, index, value);
    else if (Number.isSafeInteger(value)) statement.bindBigInt(index, BigInt(value));
    else statement.bindDouble(index, value);
  }
};

const bindInteger = (statement: DuckDBPreparedStatement, index: number, value: bigint): void => {
  if (value >= LEAST_BIGINT && value <= MOST_BIGINT) statement.bindBigInt(index, value);
  else statement.bindHugeInt(index, value);
};

const native = (api: Binding, value: DuckDBValue): Native => {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof api.DuckDBDateValue) return { days: value.days };
  if (value instanceof api.DuckDBTimestampValue || value instanceof api.DuckDBTimestampTZValue) return { micros: value.micros };
  if (value instanceof api.DuckDBTimestampSecondsValue) return { micros: value.seconds * 1_000_000n };
  if (value instanceof api.DuckDBTimestampMillisecondsValue) return { micros: value.millis * 1_000n };
  if (value instanceof api.DuckDBTimestampNanosecondsValue) return { micros: value.nanos / 1_000n };
  if (value instanceof api.DuckDBDecimalValue) return value.toDouble();
  if (value instanceof api.DuckDBListValue || value instanceof api.DuckDBArrayValue) {
    return { items: value.items.map((item) => native(api, item)) };
  }
  if (value instanceof api.DuckDBStructValue) {
    return { fields: Object.entries(value.entries).map(([name, field]) => [name, native(api, field)] as const) };
  }
  if (value instanceof api.DuckDBMapValue) {
    return { entries: value.entries.map((entry) => [native(api, entry.key), native(api, entry.value)] as const) };
  }
  if (value instanceof api.DuckDBBlobValue) return new TextDecoder().decode(value.bytes);
  return value.toString();
};
