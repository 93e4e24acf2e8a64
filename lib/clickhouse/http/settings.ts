/** Limits of one query. */
export interface QueryLimits {
  readonly timeMs: number;
  /** More rows, or bytes of them as ClickHouse's JSON, are an error. */
  readonly maxRows?: number;
  readonly maxBytes?: number;
  readonly memoryBytes?: number;
}

/** A setting by its name in ClickHouse. */
export type Settings = Readonly<Record<string, string | number>>;

/**
 * ClickHouse counts what a value takes in its memory. That is at most so much more than its JSON takes (a number of one digit has eight
 * bytes); the client counts the JSON.
 */
const MEMORY_PER_JSON = 8;

/**
 * How each query is answered: whole or not at all, because the answer is sent once the last row is there; and a query whose caller is gone
 * ends, which in a cluster reaches the one server that runs it.
 */
const ANSWERED: Settings = {
  wait_end_of_query: 1,
  http_write_exception_in_output_format: 0,
  cancel_http_readonly_queries_on_client_close: 1,
};

/** The settings of a query: those of its dialect, its limits, and how it is answered. */
export const querySettings = (dialect: Settings, { timeMs, maxRows, maxBytes, memoryBytes }: QueryLimits): Settings => ({
  ...dialect,
  ...ANSWERED,
  max_execution_time: timeMs / 1000,
  timeout_overflow_mode: "throw",
  // It would end queries that it guesses will take too long.
  timeout_before_checking_execution_speed: 0,
  result_overflow_mode: "throw",
  ...(maxRows === undefined ? {} : { max_result_rows: maxRows }),
  ...(maxBytes === undefined ? {} : { max_result_bytes: maxBytes * MEMORY_PER_JSON }),
  ...(memoryBytes === undefined ? {} : { max_memory_usage: memoryBytes }),
});
