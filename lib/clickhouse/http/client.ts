import { addAbortSignal, type Readable } from "node:stream";
import type { ResultSet } from "@clickhouse/client";
import { STOPPING, Unavailable } from "../../core/unavailable.ts";
import { FAULTS, queryError } from "../../engine/faults.ts";
import { type Format, openConnection, type Server, type Statement } from "./connection.ts";
import { withShortParts } from "./parameters.ts";
import { wholeParquet } from "./parquet.ts";
import { type Column, columnsAndRows, type Row } from "./rows.ts";
import { readSummary, type Summary } from "./summary.ts";

/** A query without FORMAT. */
export interface Question extends Statement {
  /** For the log, and to end it by; no two queries have the same. */
  readonly queryId: string;
  /** Ends the query, which then throws the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly columns: readonly Column[];
  /** Rows as exact JSON, some at a time. They end only where the answer is whole, else they throw. Read once. */
  readonly rows: AsyncIterable<readonly Row[]>;
  readonly summary: Summary;
}

export interface ParquetAnswer {
  /** They end only where the answer is whole, else they throw. Read once. */
  readonly bytes: AsyncIterable<Buffer>;
  readonly summary: Summary;
}

/**
 * ClickHouse over HTTP. Throws `QueryError` for limits and for what a query's author can mend, `GoneFile`, `Unreachable` for an answer that
 * did not come or cannot be trusted, `Unavailable` where somebody else ended the query, and `Defect` for anything else that it says.
 */
export interface Client {
  query(question: Question): Promise<Answer>;
  /** The rows as a file of Parquet. */
  parquet(question: Omit<Question, "maxRows" | "maxBytes">): Promise<ParquetAnswer>;
  /** Ends a query, if it runs. Settles when ClickHouse knows. */
  kill(queryId: string): Promise<void>;
  /** Whether it answers, and knows us. */
  ping(): Promise<boolean>;
  /** Ends what runs, which throws `Unavailable`. */
  close(): Promise<void>;
}

export interface ClientOptions extends Server {
  /** How much longer than a query may take the whole of its answer is waited for. */
  readonly graceMs?: number;
}

const GRACE_MS = 5_000;

/** An answer whose head has come. */
interface Begun<F extends Format> {
  readonly result: ResultSet<F>;
  readonly summary: Summary;
  /** Ends it, by its caller's wish or because it takes too long. */
  readonly deadline: AbortSignal;
  /** What to throw for what its rest failed with. */
  readonly failure: (thrown: unknown) => Error;
}

/** A client of one server, or of whatever stands before several. Opens no connection before the first query. */
export const openClient = ({ graceMs = GRACE_MS, ...server }: ClientOptions): Client => {
  const connection = openConnection(server);
  const closing = new AbortController();
  /** What `close` waits for. */
  const open = new Set<Promise<unknown>>();
  const kept = <T>(work: Promise<T>): Promise<T> => {
    const settled = Promise.allSettled([work]);
    open.add(settled);
    return work.finally(() => open.delete(settled));
  };

  const kill = async (queryId: string): Promise<void> => {
    try {
      await connection.command("KILL QUERY WHERE query_id IN {ids:Array(String)} ASYNC", { ids: [queryId, secondId(queryId)] });
    } catch (thrown) {
      throw connection.errorOf(thrown, queryId);
    }
  };

  const isKilled = (queryId: string): Promise<boolean> =>
    kill(queryId).then(
      () => true,
      () => false,
    );

  const begin = async <F extends Format>(question: Question, format: F): Promise<Begun<F>> => {
    const { queryId, timeMs, signal } = question;
    const callers = AbortSignal.any(signal === undefined ? [closing.signal] : [closing.signal, signal]);
    const deadline = AbortSignal.any([callers, AbortSignal.timeout(timeMs + graceMs)]);
    const statement = { ...question, ...withShortParts(question) };
    const failure = (thrown: unknown): Error => (callers.aborted ? callers.reason : connection.errorOf(thrown, queryId));
    try {
      const result = await connection.query(statement, format, queryId, deadline).catch((thrown: unknown) => {
        if (!isReset(thrown)) throw thrown;
        return connection.query(statement, format, secondId(queryId), deadline);
      });
      return { result, summary: readSummary(result.response_headers, [queryId, secondId(queryId)]), deadline, failure };
    } catch (thrown) {
      // Whoever does not wait any more is told without waiting for ClickHouse, which mostly knows: the connection is closed.
      if (callers.aborted) kept(kill(queryId)).catch(() => undefined);
      // A query may do what takes longer before it looks at the clock; then ClickHouse is well.
      else if (deadline.aborted && (await isKilled(queryId))) throw queryError(FAULTS.timeout);
      throw failure(thrown);
    }
  };

  return {
    async query(question) {
      const { queryId, maxRows = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY } = question;
      const { result, summary, deadline, failure } = await kept(begin(question, "JSONCompactEachRowWithNamesAndTypes"));
      const lines = addAbortSignal(deadline, result.stream());
      try {
        if (summary.resultRows > maxRows) throw queryError(FAULTS.tooLarge);
        const { columns, rows } = await columnsAndRows(lines, { queryId, rows: summary.resultRows, maxBytes });
        return { columns, rows: failing(rows, failure), summary };
      } catch (thrown) {
        lines.destroy();
        throw failure(thrown);
      }
    },
    async parquet(question) {
      const { result, summary, deadline, failure } = await kept(begin(question, "Parquet"));
      const bytes = wholeParquet(addAbortSignal(deadline, rawStream(result)), question.queryId);
      return { bytes: failing(bytes, failure), summary };
    },
    kill,
    async ping() {
      // The package's own ping knows the password of its beginning alone.
      try {
        await connection.command("SELECT 1");
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      closing.abort(new Unavailable(STOPPING));
      while (open.size > 0) await Promise.all(open);
      await connection.close();
    },
  };
};

/** A query that is asked once more has an id of its own: the first may still run. */
const secondId = (queryId: string): string => `${queryId}-2`;

/** The connection ended before anything was answered: often it had lain idle, and the other side closed it meanwhile. */
const isReset = (thrown: unknown): boolean =>
  thrown instanceof Error && "code" in thrown && (thrown.code === "ECONNRESET" || thrown.code === "EPIPE");

/** Guarantee: the package is pinned to one exact version, in which this field is the body as it comes. */
const rawStream = (result: ResultSet<"Parquet">): Readable => Reflect.get(result, "_stream") as Readable;

async function* failing<T>(items: AsyncIterable<T>, failure: (thrown: unknown) => Error): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (thrown) {
    throw failure(thrown);
  }
}
