/** Largest body on the wire. A deployed gateway carries about 4.5 MB of binary, and answers 413 itself above that. */
export const MAX_WIRE_BYTES = 20 * 1024 * 1024;
/** Largest single event: what a queue message could carry uncompressed. */
export const MAX_EVENT_BYTES = 1024 * 1024;
/** Most events of a request: as many rows are made and stored at once. As many ordinary ones are larger than a body may be. */
export const MAX_EVENTS = 100_000;
/** Deepest nesting, and most commas and openers outside strings: an ordinary event nests 4 levels and has about 30. */
export const MAX_DEPTH = 128;
export const MAX_MARKS = 2_000_000;
/**
 * Most different object shapes (see `decode/shape-limit.ts`), of which a batch from an SDK has some hundreds. Parsing one costs up to
 * 700 bytes, so this many cost less than the largest ordinary body.
 */
export const MAX_OBJECT_SHAPES = 150_000;
/** A text that is no longer is read before anybody asks whose it is, and the token is looked for in so much of a longer one. */
export const FREE_BYTES = 64 * 1024;
/** The most that is decoded and looked through for a token that stands behind the events: python's SDK sends 6.2 MB at most. */
export const MAX_STRANGER_BYTES = 6.25 * 1024 * 1024;
/** The same of forms and of lz64, which take several times as long to decode: only browsers send them, with a token in each event. */
export const MAX_STRANGER_BROWSER_BYTES = 1024 * 1024;
