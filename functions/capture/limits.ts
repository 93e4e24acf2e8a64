import { Refused } from "../../lib/event/refused.ts";

/** Largest body on the wire. A deployed gateway carries about 4.5 MB of binary, and answers 413 itself above that. */
export const MAX_WIRE_BYTES = 20 * 1024 * 1024;
/** Largest single event: what a queue message could carry uncompressed. */
export const MAX_EVENT_BYTES = 1024 * 1024;
/** Deepest nesting, and most commas and openers outside strings: an ordinary event nests 4 levels and has about 30. */
export const MAX_DEPTH = 128;
export const MAX_MARKS = 2_000_000;
/**
 * Most steps of different object shapes (see `shapes.ts`), of which a batch from an SDK has some hundreds. Parsing one step costs
 * up to 700 bytes, so this many cost less than the largest ordinary body.
 */
export const MAX_STEPS = 150_000;

/** Most fields of a form: clients send four. */
export const MAX_FORM_FIELDS = 1_000;

/** A 413 makes posthog-node halve its batch and try again; any other status in the 400s would lose the events. */
export const tooLarge = (what: string): Refused => new Refused(413, `maximum event size exceeded: ${what}`);

/** Tokens and projects that a process remembers at most: a caller who invents tokens must not fill its memory. */
export const MAX_REMEMBERED = 10_000;
