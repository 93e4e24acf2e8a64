import { Refused } from "../../event/refused.ts";

/** A 413 makes posthog-node halve its batch and try again; any other status in the 400s would lose the events. */
export const tooLarge = (what: string): Refused => new Refused(413, `maximum event size exceeded: ${what}`);
