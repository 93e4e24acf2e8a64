import { HOUR_MS, MINUTE_MS } from "../core/time.ts";

/** How long after each try that failed the next one is made; after the last there is none: a day altogether. */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 6 * HOUR_MS, 10 * HOUR_MS];

/** How long to wait after so many tries that failed, milliseconds; undefined where that was the last. */
export const waitAfter = (tries: number): number | undefined => WAITS_MS[tries - 1];
