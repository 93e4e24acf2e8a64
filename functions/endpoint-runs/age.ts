import type { RunAnswer } from "./answer.ts";

/** How old the rows of an answer are. */
export const ageSeconds = ({ result }: RunAnswer, now: number): number => Math.max(0, Math.round((now - result.computedAt) / 1_000));
