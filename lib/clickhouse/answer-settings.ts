/** What makes ClickHouse answer a printed statement as the query language means it; sent with every statement. */
export const ANSWER_SETTINGS = {
  // Unmatched sides of outer joins are NULL.
  join_use_nulls: 1,
  // `CAST(x AS T)` of NULL is NULL.
  cast_keep_nullable: 1,
  // Periods begin before 1970 and end after 2149 where the calendar says so.
  enable_extended_results_for_datetime_functions: 1,
  // It would make `max(x + 9)` of no rows `max(x) + 9`.
  optimize_arithmetic_operations_in_aggregate_functions: 0,
  // Texts are read as times in every usual form.
  date_time_input_format: "best_effort",
  // What a query reads twice is computed once.
  enable_materialized_cte: 1,
  allow_experimental_nlp_functions: 1,
  // The values of long lists, and the names of files, stand in the text.
  max_query_size: 16 * 1024 * 1024,
} as const;
