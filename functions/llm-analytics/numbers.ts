export const NANOS_PER_USD = 1_000_000_000;

/** The numbers of a row, in order; a breakdown leaves those at 0 that it does not have. */
export const NUMBERS = [
  "at",
  "events",
  "cost",
  "input_cost",
  "output_cost",
  "cache_read_cost",
  "cache_creation_cost",
  "input_tokens",
  "output_tokens",
  "cache_read_tokens",
  "cache_creation_tokens",
  "attributed",
] as const;
export type NumberName = (typeof NUMBERS)[number];

/** Upper bounds of the sizes of input, tokens. */
export const INPUT_SIZES = [50_000, 100_000, 150_000, 200_000, 300_000] as const;
