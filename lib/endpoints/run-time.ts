import { MINUTE_MS } from "../core/time.ts";
import type { Materialisation } from "./materialisations.ts";

/** What a first run may take; who finds a table's query endless must not hold a place in the lane for long. */
const FIRST_RUN_MS = MINUTE_MS;

/** What a run may take of a version that had a table before: it grows with its events. */
export const LONGEST_RUN_MS = 4 * MINUTE_MS;

/** Milliseconds that the next run of a version may take. */
export const runTimeMs = ({ table }: Pick<Materialisation, "table">): number => (table === null ? FIRST_RUN_MS : LONGEST_RUN_MS);
