import { createWriteStream } from "node:fs";
import { mkdir, open, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { EmbeddedEngine, Engine, Limits, Rows, WrittenTable } from "../engine/engine.ts";
import { GoneFile } from "../engine/gone-file.ts";
import { replyRows } from "../engine/reply-rows.ts";
import { storedColumns } from "../hogql/lower.ts";
import type { LoweredQuery } from "../hogql/lowered-query.ts";
import type { PinnedState } from "../lake/catalogue.ts";
import { readFooter } from "../lake/parquet.ts";
import type { Objects } from "../ports/objects.ts";
import type { Clock, Ids } from "../ports/system.ts";
import { ANSWER_SETTINGS } from "./answer-settings.ts";
import { JSON_SETTINGS, rowReader } from "./cells.ts";
import type { Client } from "./http/client.ts";
import { printStatement } from "./printer/print.ts";
import { openBinding, SCAN_SETTINGS } from "./scans/bind.ts";
import { storedType } from "./scans/stored-type.ts";
import { quoteName, quoteText } from "./sql/quote.ts";

export interface ClickHouseParts {
  readonly client: Client;
  /** The embedded engine knows what waits: which rows are copies, and what changes persons and groups. */
  readonly engine: Pick<EmbeddedEngine, "overlay" | "neededBytes"> & {
    readonly rowFiles: Pick<EmbeddedEngine["rowFiles"], "duplicates" | "matching">;
  };
  readonly objects: Pick<Objects, "put" | "putFile">;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Over which ClickHouse spreads a query; empty where one server reads all. */
  readonly cluster: string;
  /** A directory for tables on their way to the object store. */
  readonly directory: string;
}

const SETTINGS = { ...ANSWER_SETTINGS, ...SCAN_SETTINGS, ...JSON_SETTINGS } as const;

/** As the embedded engine compresses its tables; their texts are marked as such. */
const PARQUET_SETTINGS = { output_format_parquet_compression_method: "zstd", output_format_parquet_string_as_string: 1 } as const;

/** A query as ClickHouse is asked it. */
interface Statement {
  readonly sql: string;
  readonly parameters: ReturnType<typeof printStatement>["parameters"];
  /** What counts the rows of the files that it reads, and how many there are. */
  readonly count: { readonly sql: string; readonly rows: number } | null;
}

/**
 * An engine's queries on ClickHouse: the tree of a lowered query printed in its dialect, over exactly the pinned state. Throws what
 * `Client` does, and `Unprintable` for what the dialect has no form of; `GoneFile` where not all rows of the state's files were there.
 */
export const openClickHouse = (parts: ClickHouseParts): Pick<Engine, "run" | "write" | "close"> => {
  const { client, engine, objects, ids, cluster, directory } = parts;
  const bind = openBinding({ ...parts, reader: { cluster } });

  const prepare = async ({ tree, options, scans }: LoweredQuery, pinned: PinnedState): Promise<Statement> => {
    const { sql, parameters, needs } = printStatement(tree, options);
    const { ctes, count } = await bind(pinned, needs, scans);
    return { sql: ctes.length === 0 ? sql : `WITH ${ctes.join(", ")} ${sql}`, parameters, count };
  };

  /** The rows of the files are counted side by side with what is computed of them: a version that passes files over gives no answer. */
  const checked = async <T>(
    { count }: Statement,
    { timeMs, signal: ended }: Pick<Limits, "timeMs" | "signal">,
    ask: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    const failing = new AbortController();
    const signal = ended === undefined ? failing.signal : AbortSignal.any([failing.signal, ended]);
    const compare = async (): Promise<void> => {
      if (count === null) return;
      const question = { sql: count.sql, parameters: new Map(), settings: SETTINGS, timeMs, maxBytes: COUNT_BYTES };
      const { rows } = await client.query({ ...question, queryId: ids.uuid(), signal });
      const found: unknown[] = [];
      for await (const batch of rows) found.push(...batch.map(([sum]) => sum));
      if (found.length !== 1 || Number(found[0]) !== count.rows)
        throw new GoneFile(`${count.rows} rows are pinned, and ${found.join()} were found`);
    };
    const both = Promise.all([ask(signal), compare()]);
    try {
      return (await both)[0];
    } catch (thrown) {
      failing.abort(thrown);
      throw thrown;
    }
  };

  /** Begun before ClickHouse is asked, so that the footers of many files are read while it works. */
  const costing = ({ scans }: LoweredQuery, pinned: PinnedState) => {
    const started = performance.now();
    const needed = engine.neededBytes(pinned, scans);
    // Where ClickHouse fails first, nobody asks any more.
    needed.catch(() => undefined);
    return async (): Promise<Rows["cost"]> => {
      const engineMs = performance.now() - started;
      return { engineMs, fetchedBytes: 0, neededBytes: await needed };
    };
  };

  const run = async (query: LoweredQuery, pinned: PinnedState, limits: Limits): Promise<Rows> => {
    const statement = await prepare(query, pinned);
    await limits.admitted;
    const { timeMs, maxReplyBytes } = limits;
    const cost = costing(query, pinned);
    const rows = await checked(statement, limits, async (signal) => {
      const { sql, parameters } = statement;
      const answer = await client.query({
        ...{ sql, parameters, settings: SETTINGS, queryId: ids.uuid(), timeMs, signal },
        maxBytes: maxReplyBytes,
      });
      const types = answer.columns.map(({ type }) => type);
      const read = rowReader(types, query.columns);
      const reply = replyRows(query, limits);
      for await (const batch of answer.rows) if (reply.take(batch.map(read)) === "enough") break;
      return reply.rows;
    });
    return { engine: "clickhouse", rows, cost: await cost() };
  };

  const write = async (
    query: LoweredQuery,
    pinned: PinnedState,
    limits: Pick<Limits, "timeMs" | "signal">,
    key: string,
  ): Promise<WrittenTable> => {
    const statement = await prepare(query, pinned);
    const path = join(directory, `${ids.ulid()}.parquet`);
    const cost = costing(query, pinned);
    await mkdir(directory, { recursive: true });
    try {
      await checked(statement, limits, async (signal) => {
        const { timeMs } = limits;
        const question = { sql: tableSql(statement.sql, query), parameters: statement.parameters, timeMs, signal };
        const { bytes } = await client.parquet({ ...question, settings: { ...SETTINGS, ...PARQUET_SETTINGS }, queryId: ids.uuid() });
        await pipeline(bytes, createWriteStream(path));
      });
      const table = { rows: await rowsOf(path), bytes: (await stat(path)).size };
      await objects.putFile(key, path);
      return { engine: "clickhouse", ...table, cost: await cost() };
    } finally {
      await unlink(path).catch(() => undefined);
    }
  };

  return { run, write, close: () => client.close() };
};

/** One number. */
const COUNT_BYTES = 1_000;

/** The rows of a query as columns c1, c2, … of the types that the embedded engine writes. */
const tableSql = (sql: string, { tree, options }: LoweredQuery): string => {
  const columns = storedColumns(tree, options).map(({ type }, at) => ({
    name: quoteName(`c${at + 1}`),
    type: quoteText(storedType(type, true)),
  }));
  const list = columns.map(({ name, type }) => `CAST(${name}, ${type}) AS ${name}`);
  return `SELECT ${list.join(", ")} FROM (${sql}) AS answer(${columns.map(({ name }) => name).join(", ")})`;
};

const FOOTER_END = 8;

/** How many rows a Parquet file has. */
const rowsOf = async (path: string): Promise<number> => {
  await using file = await open(path);
  const { size } = await file.stat();
  const end = Buffer.alloc(FOOTER_END);
  await file.read({ buffer: end, position: size - FOOTER_END });
  const footer = Buffer.alloc(end.readUInt32LE());
  await file.read({ buffer: footer, position: size - FOOTER_END - footer.length });
  return Number(readFooter(footer).num_rows);
};
