import type { RunAnswer } from "../../lib/endpoints/run.ts";

/** How old the rows of an answer are. */
export const ageSeconds = ({ result }: RunAnswer, now: number): number => Math.max(0, Math.round((now - result.computedAt) / 1_000));
