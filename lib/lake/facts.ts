/** Bounds of distinct_id in a file's facts are cut to this many characters. */
export const MAX_BOUND = 200;

/** More event names than this and a file's facts say "any". */
export const MAX_NAMES = 64;
