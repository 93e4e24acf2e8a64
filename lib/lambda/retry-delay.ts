import { MINUTE_MS, SECOND_MS } from "../core/time.ts";

const FIRST_MS = 5 * SECOND_MS;
const GROWTH = 4;
const LONGEST_MS = 15 * MINUTE_MS;

/** How long a message waits that failed at its delivery of this number: what passes by itself does so in seconds, or takes long. */
export const retryDelayMs = (attempts: number): number => Math.min(FIRST_MS * GROWTH ** (attempts - 1), LONGEST_MS);
