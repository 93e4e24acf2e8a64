import { ClickHouseError, ClickHouseLogLevel, createClient, type ResultSet } from "@clickhouse/client";
import { DAY_MS } from "../../core/time.ts";
import { QueryError } from "../../hogql/errors.ts";
import type { Secret } from "../../ports/secret.ts";
import { isAuthenticationError, refusalError } from "./errors.ts";
import { MOST_PART_BYTES, type SqlWithParameters } from "./parameters.ts";
import { type QueryLimits, querySettings, type Settings } from "./settings.ts";
import { Unreachable } from "./unreachable.ts";

export interface Server {
  readonly url: string;
  readonly user: string;
  readonly password: Secret;
}

/** A query without FORMAT, as one request carries it. */
export interface Statement extends SqlWithParameters, QueryLimits {
  /** Of the dialect; limits are added. */
  readonly settings?: Settings;
}

export type Format = "JSONCompactEachRowWithNamesAndTypes" | "Parquet";

/** Requests to ClickHouse, each with the password as it is now. Only `errorOf` makes what they throw an error of ours. */
export interface Connection {
  query<F extends Format>(statement: Statement, format: F, queryId: string, deadline: AbortSignal): Promise<ResultSet<F>>;
  /** Runs a statement without an answer, which must not take long. */
  command(sql: string, parameters?: Readonly<Record<string, unknown>>): Promise<void>;
  /** What a request that threw this means. Where ClickHouse does not know us the password is read anew. */
  errorOf(thrown: unknown, queryId: string): Error;
  close(): Promise<void>;
}

/** A word to ClickHouse beside queries takes no longer. */
const WORD_MS = 2_000;

/** Open queries of one process: more than it ever has. */
const CONNECTIONS = 100;

/** Longer than any query takes: a day. */
const LONGEST_MS = DAY_MS;

/** How long a connection lies idle before it is not used any more: shorter than ClickHouse keeps it by default. */
const IDLE_MS = 2_500;

/** To one server, or to whatever stands before several. Connects with the first request. */
export const openConnection = ({ url, user, password }: Server): Connection => {
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
  const auth = async () => ({ username: user, password: await password.read() });

  return {
    async query({ sql, parameters, settings = {}, ...limits }, format, queryId, deadline) {
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
    },
    async command(sql, parameters) {
      await client.command({
        auth: await auth(),
        query: sql,
        ...(parameters && { query_params: { ...parameters } }),
        abort_signal: AbortSignal.timeout(WORD_MS),
      });
    },
    errorOf(thrown, queryId) {
      if (thrown instanceof ClickHouseError && isAuthenticationError(Number(thrown.code))) password.renew();
      return clickhouseError(thrown, queryId);
    },
    close: () => client.close(),
  };
};

const clickhouseError = (thrown: unknown, queryId: string): Error => {
  if (thrown instanceof QueryError || thrown instanceof Unreachable) return thrown;
  if (thrown instanceof ClickHouseError) return refusalError({ code: Number(thrown.code), text: thrown.message }, queryId);
  // What is no error of ClickHouse's may hold any text: a page of something between us, for one.
  const code = thrown instanceof Error && "code" in thrown ? ` (${String(thrown.code)})` : "";
  return new Unreachable(`there was no answer to ClickHouse's query ${queryId}${code}`);
};
