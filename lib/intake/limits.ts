/** Largest single event: what a queue message could carry uncompressed. */
export const MAX_EVENT_BYTES = 1024 * 1024;
/** Most events of a request: as many rows are made and stored at once. As many ordinary ones are larger than a body may be. */
export const MAX_EVENTS = 100_000;
/** Deepest nesting, and most commas and openers outside strings: an ordinary event nests 4 levels and has about 30. */
export const MAX_DEPTH = 128;
export const MAX_MARKS = 2_000_000;
/**
 * Most different object shapes (see `shape-limit.ts`), of which a batch from an SDK has some hundreds. Parsing one costs up to
 * 700 bytes, so this many cost less than the largest ordinary body.
 */
export const MAX_OBJECT_SHAPES = 150_000;
