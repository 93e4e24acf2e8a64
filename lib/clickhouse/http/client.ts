import { addAbortSignal, type Readable } from "node:stream";
import { ClickHouseError, ClickHouseLogLevel, createClient, type ResultSet } from "@clickhouse/client";
import { STOPPING, Unavailable } from "../../core/unavailable.ts";
import { FAULTS, queryError } from "../../engine/faults.ts";
import { QueryError } from "../../hogql/errors.ts";
import type { Secret } from "../../ports/secret.ts";
import { isAuthenticationError, refusalError } from "./errors.ts";
import { MOST_PART_BYTES, type SqlWithParameters, withShortParts } from "./parameters.ts";
import { wholeParquet } from "./parquet.ts";
import { type Column, columnsAndRows, type Row } from "./rows.ts";
import { type QueryLimits, querySettings, type Settings } from "./settings.ts";
import { readSummary, type Summary } from "./summary.ts";
import { Unreachable } from "./unreachable.ts";

/** A query without FORMAT. */
export interface Question extends SqlWithParameters, QueryLimits {
  /** Of the dialect; limits are added. */
  readonly settings?: Settings;
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

export interface ClientOptions {
  readonly url: string;
  readonly user: string;
  readonly password: Secret;
  /** How much longer than a query may take the whole of its answer is waited for. */
  readonly graceMs?: number;
}

const GRACE_MS = 5_000;

/** A word to ClickHouse beside queries takes no longer. */
const WORD_MS = 2_000;

/** Open queries of one process: more than it ever has. */
const CONNECTIONS = 100;

/** Longer than any query takes: a day. */
const LONGEST_MS = 86_400_000;

/** How long a connection lies idle before it is not used any more: shorter than ClickHouse keeps it by default. */
const IDLE_MS = 2_500;

type Format = "JSONCompactEachRowWithNamesAndTypes" | "Parquet";

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
export const openClient = ({ url, user, password, graceMs = GRACE_MS }: ClientOptions): Client => {
  const client = createClient({
    url,
    application: "analytics-platform",
    max_open_connections: CONNECTIONS,
    // How long a query may take is said with each.
    request_timeout: LONGEST_MS,
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_MS, eagerly_destroy_stale_sockets: true },
    // Its own lines would hold texts of queries.
    log: { level: ClickHouseLogLevel.OFF },
  });
  const closing = new AbortController();
  /** What `close` waits for. */
  const open = new Set<Promise<unknown>>();
  const kept = <T>(work: Promise<T>): Promise<T> => {
    const settled = Promise.allSettled([work]);
    open.add(settled);
    return work.finally(() => open.delete(settled));
  };

  const auth = async () => ({ username: user, password: await password.read() });

  const errorOf = (thrown: unknown, queryId: string): Error => {
    if (thrown instanceof ClickHouseError && isAuthenticationError(Number(thrown.code))) password.renew();
    return clickhouseError(thrown, queryId);
  };

  const kill = async (queryId: string): Promise<void> => {
    try {
      await client.command({
        auth: await auth(),
        query: "KILL QUERY WHERE query_id IN {ids:Array(String)} ASYNC",
        query_params: { ids: [queryId, secondId(queryId)] },
        abort_signal: AbortSignal.timeout(WORD_MS),
      });
    } catch (thrown) {
      throw errorOf(thrown, queryId);
    }
  };

  const isKilled = (queryId: string): Promise<boolean> =>
    kill(queryId).then(
      () => true,
      () => false,
    );

  const ask = async <F extends Format>(
    { sql, parameters, settings = {}, ...limits }: Question,
    format: F,
    queryId: string,
    deadline: AbortSignal,
  ): Promise<ResultSet<F>> => {
    deadline.throwIfAborted();
    return client.query({
      auth: await auth(),
      query: sql,
      format,
      query_params: Object.fromEntries([...parameters].map(([name, { value }]) => [name, value])),
      // More than a few thousand characters of them go along in the body, unless the query itself is too long for one part of it.
      use_multipart_params_auto: Buffer.byteLength(sql) <= MOST_PART_BYTES,
      clickhouse_settings: querySettings(settings, limits),
      query_id: queryId,
      abort_signal: deadline,
    });
  };

  const begin = async <F extends Format>(question: Question, format: F): Promise<Begun<F>> => {
    const { queryId, timeMs, signal } = question;
    const callers = AbortSignal.any(signal === undefined ? [closing.signal] : [closing.signal, signal]);
    const deadline = AbortSignal.any([callers, AbortSignal.timeout(timeMs + graceMs)]);
    const asked = { ...question, ...withShortParts(question) };
    const failure = (thrown: unknown): Error => (callers.aborted ? callers.reason : errorOf(thrown, queryId));
    try {
      const result = await ask(asked, format, queryId, deadline).catch((thrown: unknown) => {
        if (!isReset(thrown)) throw thrown;
        return ask(asked, format, secondId(queryId), deadline);
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
        await client.command({ query: "SELECT 1", auth: await auth(), abort_signal: AbortSignal.timeout(WORD_MS) });
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      closing.abort(new Unavailable(STOPPING));
      while (open.size > 0) await Promise.all(open);
      await client.close();
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

const clickhouseError = (thrown: unknown, queryId: string): Error => {
  if (thrown instanceof QueryError || thrown instanceof Unreachable) return thrown;
  if (thrown instanceof ClickHouseError) return refusalError({ code: Number(thrown.code), text: thrown.message }, queryId);
  // What is no error of ClickHouse's may hold any text: a page of something between us, for one.
  const code = thrown instanceof Error && "code" in thrown ? ` (${String(thrown.code)})` : "";
  return new Unreachable(`there was no answer to ClickHouse's query ${queryId}${code}`);
};
