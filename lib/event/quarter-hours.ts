/**
 * The column of compacted files that says in which quarter of an hour an event happened. Days and hours begin with one on every wall clock
 * that is asked for them (see `keepsQuarters`), so that what groups events by these need not read their times, which hardly compress.
 */
export const QUARTER_HOUR = "quarter_hour";

/** A quarter of an hour, microseconds. */
export const QUARTER_US = 900_000_000n;

/** Before 1973 some clocks were seconds apart from the others. Times until then stand in the column as they are. */
export const QUARTERS_FROM_US = BigInt(Date.UTC(1973, 0, 1)) * 1_000n;
